"""What the training commands share: places, options, rows in files, the tokenizer."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

SEED = 20261121
RUNS = Path("training/runs")
MODELS = Path("provenance_core/models")

Row = dict[str, Any]

_OPTIONS: Mapping[str, dict[str, Any]] = {
    "data": {
        "type": Path,
        "default": Path("../shared/data"),
        "help": "folder with train, judged, dev and eval in it (%(default)s)",
    },
    "runs": {"type": Path, "default": RUNS, "help": "folder of the built files (%(default)s)"},
    "base": {"type": Path, "required": True, "help": "folder of all-mpnet-base-v2"},
    "threads": {"type": int, "default": 2, "help": "(%(default)s)"},
}


def options(description: str | None, *shared: str) -> argparse.ArgumentParser:
    """A parser with some of the options that several commands have: data, runs, base, threads."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    for name in shared:
        parser.add_argument(f"--{name}", **_OPTIONS[name])
    return parser


def rows_of(path: Path) -> Iterator[Row]:
    """The rows of a ``.jsonl`` or ``.jsonl.gz`` file, one by one."""
    gz = path.suffix == ".gz"
    with gzip.open(path, "rt", encoding="utf-8") if gz else path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read(path: Path) -> list[Row]:
    """All rows of a file."""
    return list(rows_of(path))


def kept(path: Path) -> list[Row]:
    """The rows that an earlier call of a command left; none where there was none."""
    return read(path) if path.exists() else []


def write(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write one row a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def append(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write rows behind those of a file, each at once, so that a second call may go on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")
            out.flush()


def tokenizer_of(folder: Path) -> Tokenizer:
    """The tokenizer of a model's folder, with nothing cut and nothing padded."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
