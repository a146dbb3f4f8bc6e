"""Labelled rows from the files of a data set, with a reason for every row refused.

The formats, ours and the owners', are in :mod:`provenance_core.files.formats.registry`.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import chain
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.batch.column_names import table_guess
from provenance_core.files.batch.label_columns import judgements
from provenance_core.files.formats import faithbench, ragtruth
from provenance_core.files.formats._format import Format
from provenance_core.files.formats._other_names import Guessed
from provenance_core.files.formats._reading import Reading, read_rows
from provenance_core.files.formats._steps import unnested
from provenance_core.files.formats.registry import (
    COLUMNS,
    FORMATS,
    OWN_ROWS,
    count_warnings,
    format_list,
    named_format,
)
from provenance_core.files.records.entries import Entry, Record, beside, head, unit_of, unread
from provenance_core.files.records.opening import read_entries
from provenance_core.files.types import (
    BatchOptions,
    BatchRow,
    Doubt,
    FieldMapping,
    LabelledFile,
    LabelledRow,
    RejectedRow,
)
from provenance_core.files.values.record_keys import held_keys

_FIELDS = frozenset(each.name for each in fields(FieldMapping))
_SUFFIXES = (".gz", ".jsonl", ".json", ".csv", ".tsv", ".parquet")
# Formats that do not say which data set a file is; its name does.
_NAMED_BY_FILE = ("rows", "true")


def dataset_name(path: Path) -> str:
    """The file name less ``.gz`` and the suffix of its format. The name, as reports have it."""
    name = path.name
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and name != suffix:
            name = name[: -len(suffix)]
    return name


def files_in(path: Path) -> list[Path]:
    """List what to read for a path. That is the path itself for a file or the folder of one data
    set, else every file in the folder with the suffix of a format. The files, sorted by name.
    Raises InputError where the folder has none."""
    if not path.is_dir() or _is_one_set(path):
        return [path]
    found = [f for f in path.iterdir() if f.is_file() and f.name.lower().endswith(_SUFFIXES)]
    if not found:
        raise InputError(
            f"{path}: no file in this folder ends in {', '.join(_SUFFIXES)}; give a file, or the "
            "folder that holds them"
        )
    return sorted(found)


def _is_one_set(folder: Path) -> bool:
    return (
        beside(folder / ragtruth.RESPONSES, ragtruth.RESPONSES) is not None
        or next(folder.glob(faithbench.BATCHES), None) is not None
    )


def read_labelled_file(path: Path, format: str | None = None) -> LabelledFile:
    """Read every row of a file, or of the folder of a data set of several files. A row that cannot
    be used is returned in ``unreadable`` and stops nothing. The rows with their labels, 1 =
    supported and 0 = hallucinated. Raises InputError where the file cannot be opened, is damaged as
    a whole, or no format fits."""
    asked = None if format is None else named_format(format)
    main, entries, notes = _open(path)
    first, records = head(entries)
    read_as = _recognise(path, first, records, asked) if first else asked or OWN_ROWS
    reading = _read(main, chain(first, entries), read_as, records)
    dataset = dataset_name(path) if read_as.name in _NAMED_BY_FILE else read_as.name
    rows = tuple(_labelled(row, row.label) for row in reading.rows if row.label is not None)
    caution = (f"{path.name}: {read_as.caution}",) if read_as.caution else ()
    unit = unit_of(first)
    refused = [replace(row, unit=unit) for row in reading.rejected]
    unknown = {each.line: each.reason for each in reading.doubts if each.kind is Doubt.LABEL}
    refused += [
        RejectedRow(row.line, unknown.get(row.line, "no label"), unit=unit)
        for row in reading.rows
        if row.label is None
    ]
    return LabelledFile(
        path,
        dataset,
        _beside_others(rows),
        tuple(sorted(refused, key=lambda row: row.line)),
        format=read_as.name,
        warnings=(*caution, *notes, *reading.warnings, *count_warnings(read_as, dataset, rows)),
        unit=unit,
    )


def _read(
    path: Path, entries: Iterator[Entry], known: Format, records: Sequence[Record]
) -> Reading:
    if known.inside:
        entries = unnested(entries, known.inside)
    mapping = table_guess(known, records).mapping
    made = entries if known.step is None else known.step(path, entries, BatchOptions())
    kept = frozenset[str]() if known.fixed or known.repository else _FIELDS
    guessed = Guessed(kept, "rename the columns to take that")
    return read_rows(path, made, known, mapping, _with_answer, guessed)


def _with_answer(row: BatchRow) -> BatchRow:
    if not row.answer.strip():
        raise InputError("no answer")
    return row


def _labelled(row: BatchRow, label: int) -> LabelledRow:
    known = {each.name: getattr(row, each.name) for each in fields(row)}
    return LabelledRow(**{**known, "label": label})


def _beside_others(rows: tuple[LabelledRow, ...]) -> tuple[LabelledRow, ...]:
    """``rows``, each with the other answers to its query and context."""
    answers: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for row in rows:
        known = answers[row.query, row.texts]
        if row.answer not in known:
            known.append(row.answer)
    return tuple(
        replace(
            row, other_answers=tuple(a for a in answers[row.query, row.texts] if a != row.answer)
        )
        for row in rows
    )


def first_shuffled(
    rows: Sequence[LabelledRow], limit: int | None, seed: int
) -> tuple[LabelledRow, ...]:
    """Choose rows by chance. At most ``limit`` rows."""
    if limit is None:
        return tuple(rows)
    shuffled = list(rows)
    random.Random(seed).shuffle(shuffled)
    return tuple(shuffled[:limit])


def _open(path: Path) -> tuple[Path, Iterator[Entry], list[str]]:
    """The file that stands for ``path``, the records of it or of all files of a folder, and what is
    noted of it while they are read."""
    if not path.is_dir():
        entries = read_entries(path)
        return path, entries, entries.notes
    responses = beside(path / ragtruth.RESPONSES, ragtruth.RESPONSES)
    if responses is not None:
        entries = read_entries(responses)
        return responses, entries, entries.notes
    batches = sorted(path.glob(faithbench.BATCHES))
    if batches:
        return batches[0], chain.from_iterable(map(read_entries, batches)), []
    raise InputError(
        f"{path}: a folder is read only with RAGTruth's {ragtruth.RESPONSES} and "
        f"{ragtruth.SOURCES} or FaithBench's {faithbench.BATCHES} in it; give the path of a file"
    )


def _recognise(
    path: Path, first: Sequence[Entry], records: Sequence[Record], asked: Format | None
) -> Format:
    if not records:
        raise InputError(
            f"{path}: no record of it can be read ({unread(first)}); the formats: {format_list()}"
        )
    found = ", ".join(list(records[0].fields)[:12]) or "none"
    if asked is not None:
        if any(asked.fits(held_keys(record)) for record in records):
            return asked
        wanted = " or ".join(", ".join(sorted(keys)) for keys in asked.keys)
        raise InputError(
            f"{path}: not of the format {asked.name}, whose records have {wanted}; the first here "
            f"has the keys {found}. Give {asked.files}"
        )
    held = list(map(held_keys, records))
    for known in FORMATS.values():
        if known.named_so(path) and any(known.fits(each) for each in held):
            return known
    guess = table_guess(COLUMNS, records).mapping
    if guess.context and guess.answer:
        like = (guess.label, *judgements(records, guess, own=False).labels)
        named = next(filter(None, like), "") or "the column with what people said of the answer"
        raise InputError(
            f"{path}: a labelled file has the columns context, answer and label (1 = supported). "
            f"This one may have them as {guess.context}, {guess.answer} and {named}: call them so"
        )
    raise InputError(
        f"{path}: no known format fits; its first record has the keys {found}. Give a file as its "
        f"owners distribute it, or our own rows. The formats by their keys: {format_list()}"
    )
