"""A file into rows to audit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.batch.checks import checked, clean, storable
from provenance_core.files.batch.column_names import complete_mapping
from provenance_core.files.batch.entries import read_batch_entries, sheet_warnings
from provenance_core.files.batch.formats import (
    COLUMNS,
    BatchFormat,
    Variant,
    named_batch_format,
    recognise,
)
from provenance_core.files.batch.mapped_rows import read_mapped
from provenance_core.files.batch.types import BatchFile, BatchOptions, FieldMapping, FileShape
from provenance_core.files.formats import _ragtruth
from provenance_core.files.formats._fields import record_text, row_text
from provenance_core.files.formats._format import Reading
from provenance_core.files.formats._record_keys import all_keys, held_keys, keys_of, value_at
from provenance_core.files.records.entries import Entry, Record, head, unit_of, unread
from provenance_core.files.types import BatchRow, RejectedRow

_DEFAULT_OPTIONS = BatchOptions()
_PREVIEWED = 3


@dataclass(frozen=True, slots=True)
class _Opened:
    """A file with its first entries taken off, so that they say what it is."""

    path: Path
    first: list[Entry]
    records: list[Record]
    rest: Iterator[Entry]

    @property
    def keys(self) -> tuple[str, ...]:
        return all_keys(self.records)

    def recognised(self) -> tuple[BatchFormat, Variant]:
        return recognise(self.path, map(held_keys, self.records))


def inspect_batch_file(path: Path) -> FileShape:
    """Read the first records of a file: its format, its keys and how they are mapped.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    FileShape
        What the records say, and the first of them as text.

    Raises
    ------
    InputError
        The file cannot be opened, or no record of it can be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.jsonl")
    ...     size = path.write_text('{"question": "Q?", "context": "It is red.", "answer": "Red."}')
    ...     inspect_batch_file(path).mapping.query
    'question'
    """
    opened = _open(path)
    known, variant = opened.recognised()
    fixed = known.reader is not None
    return FileShape(
        format=known.name,
        title=known.title,
        keys=opened.keys,
        mapping=None if fixed else complete_mapping(opened.keys, variant.mapping),
        preview=tuple(clean(record_text(record)) for record in opened.records[:_PREVIEWED]),
        companion=_ragtruth.missing_file(path) if known.owner is _ragtruth.FORMAT else "",
        lists=_lists_of_objects(opened.records) if known is COLUMNS else (),
    )


def _lists_of_objects(records: list[Record]) -> tuple[str, ...]:
    """Where the only record holds lists of objects."""
    if len(records) != 1:
        return ()
    fields = records[0].fields
    found = ((key, value_at(fields, key)) for key in keys_of(fields))
    return tuple(
        key
        for key, value in found
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value)
    )


def unreadable_rows(path: Path) -> tuple[RejectedRow, ...]:
    """Read a whole file for the records that cannot be read, whatever its keys mean.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    tuple[RejectedRow, ...]
        Each with its line, the reason and a hint, in the file's order.

    Raises
    ------
    InputError
        The file cannot be opened, or is damaged as a whole.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.jsonl")
    ...     size = path.write_text('{"answer": "Red."}\\n{"answer": "Blue."')
    ...     [row.line for row in unreadable_rows(path)]
    [2]
    """
    found = (entry for entry in read_batch_entries(path) if isinstance(entry, RejectedRow))
    return tuple(map(storable, found))


def read_batch_file(
    path: Path,
    format: str | None = None,
    mapping: FieldMapping | None = None,
    options: BatchOptions = _DEFAULT_OPTIONS,
) -> BatchFile:
    """Read every row of a file, each to be audited or refused with a reason.

    Parameters
    ----------
    path : Path
        The file.
    format : str | None, default None
        Name of its format. None means that the keys of the first records tell it.
    mapping : FieldMapping | None, default None
        Which key holds which field, where one record is one row. It wins over the format's own.
        With another answer or context than the format's, the file is read as ``columns``.
    options : BatchOptions, default _DEFAULT_OPTIONS
        Which spans of RAGTruth count.

    Returns
    -------
    BatchFile
        Rows, refused rows and warnings.

    Raises
    ------
    InputError
        The file cannot be opened, no record of it can be read, no record has the keys that context
        and answer are mapped to, or a file that it needs is not beside it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.jsonl")
    ...     size = path.write_text('{"query": "", "context": ["It is red."], "answer": "It is."}')
    ...     [row.answer for row in read_batch_file(path).rows]
    ['It is.']
    """
    asked = None if format is None else named_batch_format(format)
    opened = _open(path)
    known, variant = opened.recognised() if asked is None else _as_asked(opened, asked, mapping)
    entries = chain(opened.first, opened.rest)
    warnings = sheet_warnings(path)
    used: FieldMapping | None = None
    if known.reader is not None:
        reading = known.reader(options)(path, entries)
        if mapping is not None:
            warnings += (
                f"The chosen keys were not used, as {known.title} says itself how its rows are "
                f"made; read the file as {COLUMNS.name} to use them.",
            )
    else:
        proposed = complete_mapping(opened.keys, variant.mapping)
        used = mapping or proposed
        if (used.answer, used.context) != (proposed.answer, proposed.context):
            known = COLUMNS
        reading = read_mapped(
            path, entries, used, task=known.task, spans_key=known.spans_key, parted=known.parted
        )
    return _checked_file(opened, known, used, reading, warnings)


def _open(path: Path) -> _Opened:
    entries = read_batch_entries(path)
    first, records = head(entries)
    if not first:
        raise InputError(f"{path}: the file has no rows; give one with at least one answer")
    if not records:
        raise InputError(f"{path}: no record of it can be read ({unread(first)})")
    return _Opened(path, first, records, entries)


def _as_asked(
    opened: _Opened, asked: BatchFormat, mapping: FieldMapping | None
) -> tuple[BatchFormat, Variant]:
    """``asked`` with the variant that fits the file; a mapping needs none that fits."""
    for record in opened.records:
        variant = asked.fitting(held_keys(record) | asked.optional)
        if variant is not None:
            return asked, variant
    if asked.reader is None and mapping is not None:
        return asked, Variant(frozenset(), mapping)
    wanted = " or ".join(", ".join(sorted(variant.keys)) for variant in asked.variants)
    raise InputError(
        f"{opened.path}: not of the format {asked.name}, whose records have {wanted}; the first "
        f"here have {', '.join(opened.keys)}. Give {asked.files}, or choose another format"
    )


def _checked_file(
    opened: _Opened,
    known: BatchFormat,
    mapping: FieldMapping | None,
    reading: Reading,
    warnings: tuple[str, ...],
) -> BatchFile:
    """The file with the rows that an audit would refuse among the refused ones."""
    rows: list[BatchRow] = []
    rejected = list(reading.rejected)
    replaced = 0
    for row in reading.rows:
        try:
            rows.append(checked(row))
        except InputError as error:
            rejected.append(RejectedRow(row.line, str(error), row_text(row)))
        else:
            replaced += rows[-1] != row
    if replaced:
        warnings += (
            f"{replaced} row(s) have characters that no text can hold (NUL or half a surrogate "
            "pair); each was replaced by \ufffd.",
        )
    unit = unit_of(opened.first)
    refused = (storable(replace(row, unit=unit)) for row in rejected)
    return BatchFile(
        opened.path,
        known.name,
        mapping,
        tuple(rows),
        tuple(sorted(refused, key=lambda row: row.line)),
        (*warnings, *reading.warnings),
        unit,
    )
