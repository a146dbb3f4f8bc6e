"""The records of a batch file of any kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.batch.spreadsheet import other_sheets, read_spreadsheet
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.records.opening import read_entries

_WORKBOOK = ".xlsx"
FILE_TYPES = (".jsonl", ".json", ".csv", ".tsv", ".parquet", _WORKBOOK, ".gz")
_OTHER_TYPES = (".xls", ".xlsb", ".xlsm", ".ods", ".numbers", ".zip", ".pdf", ".docx")


def read_batch_entries(path: Path) -> Iterator[Entry]:
    """Read the records of a file one by one.

    A record, or in its place one that cannot be read, with a hint. Raises InputError The file
    cannot be opened, or is damaged as a whole.
    """
    suffix = path.suffix.lower()
    if suffix in _OTHER_TYPES:
        raise InputError(
            f"{path}: {suffix} files are not read; save it as one of {', '.join(FILE_TYPES)}"
        )
    entries = read_spreadsheet(path) if suffix == _WORKBOOK else read_entries(path)
    for entry in entries:
        if isinstance(entry, Record):
            yield entry
            continue
        hint = "save the file as UTF-8" if "not UTF-8" in entry.reason else "fix it there"
        yield replace(entry, reason=f"{entry.reason}; {hint}, or leave the row out")


def sheet_warnings(path: Path) -> tuple[str, ...]:
    """What of a workbook is not read.

    A sentence where there are more sheets than one; nothing of another file.
    """
    others = other_sheets(path) if path.suffix.lower() == _WORKBOOK else ()
    return (f"Only the first sheet was read, not {', '.join(others)}.",) if others else ()
