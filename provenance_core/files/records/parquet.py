"""Parquet into records."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from provenance_core.errors import InputError
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.records.tables import check_names
from provenance_core.files.types import RejectedRow, Unit


def parquet_entries(path: Path) -> Iterator[Entry]:
    """Read the rows of a Parquet file, part by part; a row with a value that cannot be read is
    refused alone. Raises InputError where pyarrow is not installed, the file is damaged, or two
    columns have one name."""
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError(
            f"{path}: a Parquet file needs pyarrow, which is not installed; install pyarrow, or "
            "save the file as .csv or .jsonl"
        ) from error
    number = 0
    try:
        file = parquet.ParquetFile(path)
        check_names(path, file.schema_arrow.names)
        for batch in file.iter_batches():
            for entry in _rows(batch, number):
                number += 1
                yield entry
    except MemoryError:  # Arrow's own is one of its exceptions too
        raise
    except arrow.ArrowException as error:
        raise InputError(
            f"{path}: not a whole Parquet file ({_said(error)}); fetch it again"
        ) from error


def _rows(batch: Any, before: int) -> Iterator[Entry]:
    try:
        found = batch.to_pylist()
    except (ValueError, OverflowError):  # a text that is no UTF-8, a time beyond every calendar
        for at in range(batch.num_rows):
            yield _row(batch, at, before + at + 1)
    else:
        for number, fields in enumerate(found, before + 1):
            yield Record(number, fields, Unit.RECORD)


def _row(batch: Any, at: int, number: int) -> Entry:
    fields: dict[str, object] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            fields[name] = column[at].as_py()
        except (ValueError, OverflowError) as error:
            reason = f"{name} cannot be read ({_said(error)}); write that value again"
            return RejectedRow(number, reason, str(fields), Unit.RECORD)
    return Record(number, fields, Unit.RECORD)


def _said(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
