"""Tables into records: CSV and TSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.csv_rows import csv_fault, csv_rows
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.types import RejectedRow


def table_entries(path: Path, stream: io.BufferedReader, delimiter: str) -> Iterator[Entry]:
    """Read the rows of a table.

    ``stream``: Its bytes, unpacked. A row, or why one could not be read. Raises InputError Two
    columns have the same heading.
    """
    # Bytes that are not UTF-8 become surrogates, so that they cost their own row only.
    with io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="") as text:
        taken: list[str] = []
        heading = text.readline()
        if delimiter not in heading:
            # Spreadsheets save semicolons where the comma marks decimals.
            delimiter = next((other for other in ";\t" if other in heading), delimiter)
        rows = csv_rows(_taking(chain([heading], text), taken), delimiter)
        header: list[str] | None = None
        while True:
            line = rows.line_num + 1
            taken.clear()
            try:
                cells = next(rows, None)
            except csv.Error as error:
                lost = rows.line_num - line + 1
                yield RejectedRow(
                    line, f"not CSV ({csv_fault(error)}); {lost} line(s) lost", _raw(taken)
                )
                continue
            if cells is None:
                return
            if cells and header is None:
                header = column_names(path, cells)
            elif cells and header is not None:
                yield _table_row(line, header, cells, taken)


def column_names(path: Path, cells: Sequence[str]) -> list[str]:
    """Take the heading of a table as names.

    Of two columns with one name only one could be read, and nobody would hear of the other.

    A name for each cell without white space around it; several may be empty. Raises InputError Two
    columns have the same name; the message gives their numbers.
    """
    names = [cell.strip() for cell in cells]
    for name in filter(None, names):
        same = [str(number) for number, other in enumerate(names, 1) if other == name]
        if len(same) > 1:
            raise InputError(
                f"{path}: the columns {', '.join(same[:-1])} and {same[-1]} (counted from 1) have "
                f"the same heading, {_raw([name])}; rename all but one of them"
            )
    return names


def _taking(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    """``lines``, each put into ``taken`` as it is read."""
    for line in lines:
        taken.append(line)
        yield line


def _raw(lines: list[str]) -> str:
    """Lines as they were in the file, with U+FFFD for bytes that are not UTF-8."""
    text = "".join(lines).rstrip("\r\n")
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _table_row(line: int, header: list[str], cells: list[str], lines: list[str]) -> Entry:
    if len(cells) != len(header):
        said = f"{len(cells)} columns, but the heading names {len(header)}"
        return RejectedRow(line, said, _raw(lines))
    damaged = next((at for at, cell in enumerate(cells) if _undecoded(cell)), None)
    if damaged is not None:
        where = f"column {_raw([header[damaged]])}" if header[damaged] else f"cell {damaged + 1}"
        return RejectedRow(line, f"not UTF-8 in {where}", _raw(lines))
    return Record(line, dict(zip(header, cells, strict=True)))


def _undecoded(cell: str) -> bool:
    return not cell.isascii() and any("\udc80" <= letter <= "\udcff" for letter in cell)
