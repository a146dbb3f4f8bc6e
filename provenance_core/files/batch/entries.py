"""The records of a batch file of any kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.batch.spreadsheet import read_spreadsheet
from provenance_core.files.records.entries import Entries, Entry, Note, Record
from provenance_core.files.records.inspect_archive import SUFFIX
from provenance_core.files.records.opening import read_entries

WORKBOOK = ".xlsx"
FILE_TYPES = (".jsonl", ".json", ".csv", ".tsv", ".txt", ".md", ".parquet", WORKBOOK, SUFFIX, ".gz")
_OTHER_TYPES = (
    ".xls", ".xlsb", ".xlsm", ".ods", ".numbers", ".zip", ".pdf", ".docx",
    ".yaml", ".yml", ".html", ".htm", ".xml",
)  # fmt: skip


def read_batch_entries(path: Path, encoding: str = "", sheet: str = "") -> Entries:
    """Read the records of a file one by one, and in their places those that cannot be read, with
    what fixes them. Raises InputError where the file cannot be opened, or is damaged as a whole."""
    suffix = path.suffix.lower()
    if suffix in _OTHER_TYPES:
        raise InputError(
            f"{path}: {suffix} files are not read; save it as one of {', '.join(FILE_TYPES)}"
        )
    workbook = suffix == WORKBOOK
    entries = read_spreadsheet(path, sheet) if workbook else read_entries(path, encoding)
    return Entries(_with_fix(entries))


def _with_fix(entries: Entries) -> Iterator[Entry | Note]:
    said = 0
    for entry in entries:
        yield from map(Note, entries.notes[said:])
        said = len(entries.notes)
        if isinstance(entry, Record):
            yield entry
        else:
            yield replace(entry, reason=f"{entry.reason}; fix it there, or leave the row out")
    yield from map(Note, entries.notes[said:])
