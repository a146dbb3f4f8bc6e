"""Take the tracked weights out of the way of a transfer: ``python -m training.device.aside away``,
and ``back`` after it.

A transfer carries the files that git tracks, and these alone are larger than it may be. They move
to a folder that git ignores and no transfer names.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from training.command import RUNS, options

SHELF = RUNS / "aside"
LEAST = 4 << 20  # bytes of a file that moves


def tracked(root: Path, *options: str) -> list[Path]:
    """What git tracks under ``root``, relative to it; ``options``: of ``git ls-files``."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *options], cwd=root, capture_output=True, check=True, text=True
    ).stdout
    return [Path(name) for name in listed.split("\0") if name]


def away(root: Path) -> list[Path]:
    """Move large tracked files to the shelf; returns them."""
    moved: list[Path] = []
    for path in tracked(root):
        if (root / path).exists() and (root / path).stat().st_size >= LEAST:
            place = root / SHELF / path
            place.parent.mkdir(parents=True, exist_ok=True)
            (root / path).rename(place)
            moved.append(path)
    return moved


def back(root: Path) -> list[Path]:
    """Move everything on the shelf to where it was; returns it."""
    moved: list[Path] = []
    for place in sorted((root / SHELF).rglob("*")):
        if place.is_file():
            path = place.relative_to(root / SHELF)
            place.rename(root / path)
            moved.append(path)
    return moved


def main() -> None:
    """Move, and say what and how much stays."""
    parser = options(__doc__)
    parser.add_argument("where", choices=("away", "back"))
    root = Path.cwd()
    for path in (away if parser.parse_args().where == "away" else back)(root):
        print(path)
    stays = sum((root / p).stat().st_size for p in tracked(root) if (root / p).exists())
    print(f"{stays / 2**20:.1f} MiB of tracked files are in place")


if __name__ == "__main__":
    main()
