"""Parquet into records."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.types import Unit


def parquet_entries(path: Path) -> Iterator[Entry]:
    """Read the rows of a Parquet file, part by part.

    A row. Raises InputError pyarrow is not installed, or the file is damaged.
    """
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
        for batch in parquet.ParquetFile(path).iter_batches():
            for fields in batch.to_pylist():
                number += 1
                yield Record(number, fields, Unit.RECORD)
    except MemoryError:  # Arrow's own is one of its exceptions too
        raise
    except arrow.ArrowException as error:
        raise InputError(
            f"{path}: not a whole Parquet file ({str(error).splitlines()[0]}); fetch it again"
        ) from error
