"""Do here all that will be done with the lent machine: ``python -m training.device.rehearse``.

A folder stands in for that machine. It gets the checkout without the large weights, and then
transfer after transfer what ``training.device.pack`` made, under the same limits; the same commands
run in it, and what they leave comes back under the limits of the way back. Prints a clock.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from training.command import RUNS, options
from training.device import parts
from training.device.aside import LEAST, tracked
from training.device.pack import commands
from training.device.unpack import unpack

TRANSFER_BYTES = 64 * parts.MIB
COMMAND_CHARACTERS = 2000
FILES_BACK, FILE_BYTES = 8, 16 * parts.MIB


def checkout(root: Path, there: Path) -> int:
    """Copy what travels of a checkout, new files too, but for large weights; returns its bytes."""
    size = 0
    for path in tracked(root, "--cached", "--others", "--exclude-standard"):
        if (root / path).is_file() and (root / path).stat().st_size < LEAST:
            (there / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / path, there / path)
            size += (root / path).stat().st_size
    return size


def within(what: str, size: int, most: int) -> None:
    """ValueError where a limit of the lent machine is passed."""
    if size > most:
        raise ValueError(f"{what}: {size}, and at most {most} are allowed")


def run(command: str, there: Path, out: Path) -> float:
    """Run a command there with ``OUT`` set; its seconds. CalledProcessError where it fails."""
    started = time.monotonic()
    python = f'"{sys.executable}" -m training'
    subprocess.run(
        command.replace("python -m training", python),
        shell=True,
        cwd=there,
        check=True,
        env={**os.environ, "OUT": str(out), "PYTHONPATH": str(there)},
    )
    return time.monotonic() - started


def rehearse(root: Path, packed: Path, target: Path, extra: str = "") -> None:
    """All transfers, commands and ways back, and the join; ``extra``: options of the training.
    Raises ValueError if a transfer, a command or what comes back is over a limit."""
    calls = sorted(packed.glob("call-*"))
    given = [path.relative_to(packed) for path in calls]
    there_packed = RUNS / "device"
    said = commands([there_packed / path for path in given], there_packed / "work", 480)
    said[-2] += extra
    with TemporaryDirectory() as scratch:
        there = Path(scratch) / "there"
        tree = checkout(root, there)
        brought: list[Path] = []
        for number, command in enumerate(said):
            sent = 0
            if number < len(calls):
                shutil.copytree(calls[number], there / there_packed / given[number])
                sent = sum(path.stat().st_size for path in calls[number].iterdir())
            within(f"transfer {number + 1}, bytes", tree + sent, TRANSFER_BYTES)
            within("characters of a command", len(command), COMMAND_CHARACTERS)
            out = Path(scratch) / f"out-{number}"
            out.mkdir()
            seconds = run(command, there, out)
            back = [path for path in out.iterdir() if path.is_file()]
            within("files back", len(back), FILES_BACK)
            within(
                "largest file back", max((p.stat().st_size for p in back), default=0), FILE_BYTES
            )
            if back:
                brought.append(out)
            print(
                f"call {number + 1}: {(tree + sent) / parts.MIB:.1f} MiB there, "
                f"{seconds:.0f} s, {len(back)} files back",
                flush=True,
            )
        unpack(brought, target)


def main() -> None:
    """Rehearse with the packed folder."""
    parser = options(__doc__)
    parser.add_argument("--packed", type=Path, default=RUNS / "device")
    parser.add_argument("--target", type=Path, default=RUNS / "rehearsed")
    parser.add_argument("--steps", type=int, default=50, help="(%(default)s)")
    parser.add_argument("--batch-tokens", type=int, default=512, help="(%(default)s)")
    arguments = parser.parse_args()
    extra = f" --steps {arguments.steps} --batch-tokens {arguments.batch_tokens}"
    rehearse(Path.cwd(), arguments.packed, arguments.target, extra)


if __name__ == "__main__":
    main()
