"""Every data type of the batch files, frozen. The rows themselves are in the evaluation's types."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from provenance_core.files.types import (
    BatchOptions,
    BatchRow,
    FieldMapping,
    RejectedRow,
    RowDoubt,
    Unit,
)

__all__ = ["BatchFile", "BatchOptions", "FieldMapping", "FileShape"]


@dataclass(frozen=True, slots=True)
class FileShape:
    """What the first records of a file say about it.

    ``format`` and ``title``: the format it is taken for, by its name and in words; the format
    ``columns`` is that of a file that is not recognised, of which ``mapping`` is a guess to be
    looked at; ``guessed`` names the fields that were guessed by the last part of a nested key
    or by a name in another language than English.
    ``keys``: of the first records, those within objects with dots (``meta.task``).
    ``mapping`` is None where the format fixes how rows are made. ``preview``: the first records
    as text. ``companion``: the file that is missing beside this one and without which it cannot be
    read, else "". ``lists``: keys under which the only record of a JSON file holds a list of
    objects, which may be the records that are meant. ``sheets``: of a workbook, or the
    lists of a JSON document; the first is read where none is chosen.
    """

    format: str
    title: str
    keys: tuple[str, ...]
    mapping: FieldMapping | None
    preview: tuple[str, ...]
    companion: str = ""
    lists: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BatchFile:
    """What was read of a file, in its order: rows to audit, rows refused, and warnings.

    ``mapping``: as it was used, None where the format fixes how rows are made. ``unit``: what the
    ``line`` of a row counts. ``doubts``: rows that are audited though something of them is not
    certain.
    """

    path: Path
    format: str
    mapping: FieldMapping | None
    rows: tuple[BatchRow, ...]
    rejected: tuple[RejectedRow, ...]
    warnings: tuple[str, ...] = ()
    unit: Unit = Unit.LINE
    doubts: tuple[RowDoubt, ...] = ()
