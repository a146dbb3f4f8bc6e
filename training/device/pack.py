"""Make what travels to the lent machine: ``python -m training.device.pack --base FOLDER``.

Everything that may be trained on, as token ids, and the weights to begin with in 8 bits, cut into
parts and dealt to as many transfers as they need: ``training/runs/device/call-1`` and so on. Prints
the commands to run there, one for each transfer and one for each way back.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from training.command import MODELS, RUNS, options, tokenizer_of
from training.device import parts, weights
from training.device.on_device import META, START, TOKENS
from training.judged_mixture import all_groups, held_units
from training.judged_units import Unit
from training.large import begun
from training.loop import LABELS

# How often each group is read: what people judged and what only reading tells apart most often.
READINGS = {"judged": 4, "rag": 8, "pairs": 3, "written": 3}
# Of the 64 MiB of a transfer the checkout takes 15 without its large weights.
CALL_BYTES = 44 * parts.MIB
PART_BYTES = 4 * parts.MIB
MAX_LENGTH = 512


def write_pairs(
    learnt: dict[str, list[Unit]], held: Sequence[Unit], tokenizer: Tokenizer, folder: Path
) -> int:
    """Write token ids, labels and groups of all pairs; returns the number of tokens. A held-out
    pair belongs to the group of its data set, so that figures are by set."""
    names = [*learnt, *sorted({unit.kind for unit in held})]
    rows = [(unit, names.index(name), False) for name, some in learnt.items() for unit in some]
    rows += [(unit, names.index(unit.kind, len(learnt)), True) for unit in held]
    texts = [(unit.premise, unit.hypothesis) for unit, _, _ in rows]
    encodings = tokenizer.encode_batch(texts)
    kept = [
        (np.array(found.ids, dtype=np.uint16), LABELS[unit.label], group, is_held)
        for found, (unit, group, is_held) in zip(encodings, rows, strict=True)
        if len(found.ids) <= MAX_LENGTH
    ]
    ids, labels, groups, is_held_out = zip(*kept, strict=True)
    starts = np.cumsum([0, *map(len, ids)], dtype=np.int64)
    np.savez_compressed(
        folder / TOKENS,
        ids=np.concatenate(ids),
        starts=starts,
        labels=np.array(labels, np.uint8),
        groups=np.array(groups, np.uint8),
        held=np.array(is_held_out, bool),
    )
    readings = [READINGS[name] for name in learnt] + [0] * (len(names) - len(learnt))
    meta = {"groups": names, "readings": readings, "padding": tokenizer.token_to_id("<pad>")}
    (folder / META).write_text(json.dumps(meta), encoding="utf-8")
    return int(starts[-1])


def deal(folder: Path, most: int = CALL_BYTES, size: int = PART_BYTES) -> list[Path]:
    """Cut the packed files of a folder into parts, and move them to a folder for each transfer."""
    made = parts.split([folder / name for name in (TOKENS, META, START)], folder / "parts", size)
    calls: list[Path] = []
    for number, group in enumerate(parts.dealt(made, most), 1):
        call = folder / f"call-{number}"
        shutil.rmtree(call, ignore_errors=True)
        call.mkdir()
        for part in group:
            part.rename(call / part.name)
        shutil.copy(folder / "parts" / parts.LIST, call)
        calls.append(call)
    shutil.rmtree(folder / "parts")
    return calls


def commands(calls: Sequence[Path], work: Path, seconds: float) -> list[str]:
    """What to run there: one command with each transfer, and the second way back."""
    there = "python -m training.device.on_device"
    checks = [f"{there} check {call.as_posix()}" for call in calls]
    folders = " ".join(call.as_posix() for call in calls)
    train = (
        f"{checks[-1]} && {there} train {folders} --work {work.as_posix()} "
        f'--out "$OUT" --seconds {seconds:.0f}'
    )
    return [*checks[:-1], train, f'{there} bring --work {work.as_posix()} --out "$OUT"']


def main() -> None:
    """Pack, and print the commands."""
    parser = options(__doc__, "data", "base")
    parser.add_argument("--start", type=Path, default=MODELS / "nli_large")
    parser.add_argument("--out", type=Path, default=RUNS / "device")
    parser.add_argument("--scale", type=float, default=6.0, help="of the mixture's row counts")
    parser.add_argument("--held", type=int, default=80, help="held-out rows of each set")
    parser.add_argument("--seconds", type=float, default=480.0, help="of training (%(default)s)")
    arguments = parser.parse_args()
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of(arguments.base)
    learnt = all_groups(arguments.data, tokenizer, arguments.scale)
    held = held_units(arguments.data, tokenizer, arguments.held)
    tokens = write_pairs(learnt, held, tokenizer, out)
    weights.write(begun(arguments.base, arguments.start), out / START)
    calls = deal(out)
    for call in calls:
        size = sum(path.stat().st_size for path in call.iterdir())
        print(f"{call}: {size / parts.MIB:.1f} MiB")
    print(f"{tokens} tokens")
    for number, command in enumerate(commands(calls, out / "work", arguments.seconds), 1):
        print(f"{number}: {command}")


if __name__ == "__main__":
    main()
