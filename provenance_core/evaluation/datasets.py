"""Labelled rows from JSON lines, plain or gzipped, with a reason for every row refused.

A row is ``{"query": str, "context": [str, ...], "answer": str, "label": 0 | 1}``; label 1 means
supported, ``query`` may be missing, null or empty, and any other key is ignored.
"""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from provenance_core.errors import InputError

_SUFFIXES = (".gz", ".jsonl", ".json")
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One answer with the truth about it. ``line`` counts from 1; ``label`` 1 = supported."""

    line: int
    query: str
    context: tuple[str, ...]
    answer: str
    label: int


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that was not scored, and why. ``line`` counts from 1."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """A file of rows: its data set name, the rows that can be read and those that cannot."""

    path: Path
    dataset: str
    rows: tuple[LabelledRow, ...]
    unreadable: tuple[SkippedRow, ...]


def dataset_name(path: Path) -> str:
    """The file name less ``.jsonl``, ``.json`` and ``.gz``."""
    name = path.name
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and name != suffix:
            name = name[: -len(suffix)]
    return name


def read_labelled_file(path: Path) -> LabelledFile:
    """Read every row of ``path``; gzip is recognised by its first bytes, not by its name.

    Raises :class:`InputError` when the file cannot be opened or its gzip stream is damaged.
    A row that cannot be used is returned in ``unreadable`` and stops nothing.
    """
    rows: list[LabelledRow] = []
    unreadable: list[SkippedRow] = []
    for line, raw in enumerate(_lines(path), start=1):
        if not raw.strip():
            continue
        try:
            rows.append(_parse(line, raw))
        except InputError as error:
            unreadable.append(SkippedRow(line, str(error)))
    return LabelledFile(path, dataset_name(path), tuple(rows), tuple(unreadable))


def first_shuffled(
    rows: Sequence[LabelledRow], limit: int | None, seed: int
) -> tuple[LabelledRow, ...]:
    """The first ``limit`` rows of a shuffle by ``seed``; all of them, in file order, without."""
    if limit is None:
        return tuple(rows)
    shuffled = list(rows)
    random.Random(seed).shuffle(shuffled)
    return tuple(shuffled[:limit])


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as plain:
            compressed = plain.read(2) == _GZIP_MAGIC
            plain.seek(0)
            if not compressed:
                yield from plain
                return
            with gzip.open(plain) as unpacked:
                yield from unpacked
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{path}: the gzip stream is damaged ({error}); fetch or compress the file again"
        ) from error
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); give the path of a .jsonl or "
            ".jsonl.gz file"
        ) from error


def _parse(line: int, raw: bytes) -> LabelledRow:
    try:
        row = json.loads(raw.decode("utf-8-sig" if line == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 (byte {error.start + 1} of the line)") from error
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error.msg} at column {error.colno})") from error
    except (ValueError, RecursionError) as error:
        # Numbers of thousands of digits and nesting of thousands of levels are valid JSON.
        raise InputError(f"JSON beyond what can be read ({error})") from error
    if not isinstance(row, dict):
        raise InputError("not a JSON object; a row is {query, context, answer, label}")
    missing = [key for key in ("context", "answer", "label") if key not in row]
    if missing:
        raise InputError(f"no {' and no '.join(missing)}")
    query = row.get("query")
    if query is None:
        query = ""
    if not isinstance(query, str):
        raise InputError("query is not a string")
    context = row["context"]
    if not isinstance(context, list) or not all(isinstance(item, str) for item in context):
        raise InputError("context is not a list of strings")
    answer = row["answer"]
    if not isinstance(answer, str):
        raise InputError("answer is not a string")
    label = row["label"]
    if isinstance(label, bool) or not isinstance(label, int) or label not in (0, 1):
        raise InputError(f"label is {_short(label)}, not 1 (supported) or 0 (hallucinated)")
    return LabelledRow(line, query, tuple(context), answer, label)


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."
