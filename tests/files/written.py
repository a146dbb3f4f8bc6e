"""Files of records, as the tests write them."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet

from provenance_core.files.batch import BatchFile

OWN = {"query": "q", "context": ["c"], "answer": "a"}


def write(path: Path, text: str) -> Path:
    """``text`` in UTF-8, packed where the name ends in .gz; half characters are written too."""
    data = text.encode("utf-8", "surrogatepass")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_lines(path: Path, *records: object) -> Path:
    """A line each: a text as it is, another record as JSON."""
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    return write(path, "".join(f"{line}\n" for line in lines))


def write_table(path: Path, *records: Mapping[str, object], delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, delimiter=delimiter)
        table.writerow(records[0])
        table.writerows(record.values() for record in records)
    return path


def write_parquet(path: Path, *records: Mapping[str, object]) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(records)), path)
    return path


def write_sheet(path: Path, rows: Sequence[Sequence[object]], *others: str) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    for name in others:
        book.create_sheet(name)
    book.save(path)
    return path


def reasons(file: BatchFile) -> list[tuple[int, str]]:
    return [(row.line, row.reason) for row in file.rejected]
