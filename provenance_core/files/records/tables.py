"""Tables into records: CSV and TSV."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import PurePath
from typing import TypeVar

from provenance_core.errors import InputError
from provenance_core.files.csv_rows import CsvRows, Escapes, csv_fault, csv_rows, taking
from provenance_core.files.records.entries import Entry, Note, Record, shown, undecoded
from provenance_core.files.records.escapes import found_escapes
from provenance_core.files.records.headings import AHEAD, Row, below_title, found_delimiter
from provenance_core.files.types import RejectedRow

T = TypeVar("T")

# The heading of a column of promptfoo's outputs: [openai:gpt-4o-mini] prompts/rag.txt
_OUTPUTS = re.compile(r"\A\[[^\]]+\] .", re.DOTALL)
# What Excel understands before the heading: sep=;
_SEPARATOR = "sep="


def table_entries(
    path: PurePath, read: Callable[[], Iterable[str]], delimiter: str
) -> Iterator[Entry | Note]:
    """Read the rows of a table, whose lines ``read`` gives as often as it is called;
    :class:`InputError` where two columns have the same heading and different cells."""
    lines = iter(read())
    first = next(lines, "")
    skipped = 0
    if first.lower().startswith(_SEPARATOR):
        delimiter = first[len(_SEPARATOR) :].rstrip("\r\n")[:1] or delimiter
        first, skipped = next(lines, ""), 1
    else:
        ahead = [first, *islice(lines, AHEAD - 1)]
        delimiter = found_delimiter(ahead, delimiter)
        lines = chain(ahead[1:], lines)
    spaced = first.count(f"{delimiter} ") == first.count(delimiter)
    escapes = found_escapes(path, read, delimiter, spaced=spaced)
    if escapes is not Escapes.NONE:
        yield Note('A quotation mark within a cell is written as \\" here, and was read as one.')
    header: list[str] = []
    taken: list[str] = []
    rows = csv_rows(taking(chain([first], lines), taken), delimiter, spaced=spaced, escapes=escapes)
    for row in below_title(_rows(rows, taken, skipped)):
        if isinstance(row, RejectedRow | Note):
            yield row
        elif header:
            yield table_row(path, header, row)
        else:
            header = column_names(row.cells)


def _rows(rows: CsvRows, taken: list[str], skipped: int) -> Iterator[Row[str] | RejectedRow]:
    """``taken``: the lines of the row that is being read. ``skipped``: lines before the first."""
    while True:
        line = rows.line_num + 1 + skipped
        taken.clear()
        try:
            cells = next(rows, None)
        except csv.Error as error:
            lost = rows.line_num + skipped - line + 1
            yield RejectedRow(
                line, f"not CSV ({csv_fault(error)}); {lost} line(s) lost", _raw(taken)
            )
            continue
        if cells is None:
            return
        if any(cells):
            yield Row(line, cells, _raw(taken))


def column_names(cells: Sequence[str]) -> list[str]:
    """The heading of a table as names without white space around them; several may be empty. What
    stands again after each column of outputs says of which it is."""
    names = [cell.strip() for cell in cells]
    counts = Counter(names)
    found, outputs = [], ""
    for name in names:
        outputs = name if _OUTPUTS.match(name) else outputs
        again = name and counts[name] > 1 and name != outputs
        found.append(f"{name} of {outputs}" if outputs and again else name)
    return found


def check_names(path: object, names: Sequence[str]) -> None:
    """InputError where two columns have one name: only one could be read, and nobody would hear of
    the other."""
    if twice := next((n for n, count in Counter(filter(None, names)).items() if count > 1), ""):
        raise _same_heading(path, names, twice)


def by_name(path: object, names: Sequence[str], cells: Sequence[object]) -> dict[str, object]:
    """The cells of a row. InputError where columns with one name have different cells."""
    fields = dict(zip(names, cells, strict=False))
    if len(fields) < len(names):
        for name, cell in zip(names, cells, strict=False):
            if name and fields[name] != cell:
                raise _same_heading(path, names, name)
    return fields


def _same_heading(path: object, names: Sequence[str], name: str) -> InputError:
    same = [str(number) for number, other in enumerate(names, 1) if other == name]
    return InputError(
        f"{path}: the columns {', '.join(same[:-1])} and {same[-1]} (counted from 1) have "
        f"the same heading, {shown(name)}; rename all but one of them"
    )


def _raw(lines: list[str]) -> str:
    """Lines as they were in the file, with U+FFFD for bytes that do not fit its encoding."""
    return shown("".join(lines).rstrip("\r\n"))


def table_row(path: PurePath, header: list[str], row: Row[str]) -> Entry:
    """The record of a row under a heading, or why it is refused. InputError as of by_name."""
    line, cells = row.line, row.cells
    if not any(cells[len(header) :]):
        cells = cells[: len(header)]  # what ends in a delimiter has an empty cell behind it
    if len(cells) != len(header):
        said = f"{len(cells)} columns, but the heading names {len(header)}"
        return RejectedRow(line, said, row.raw)
    damaged = next((at for at, cell in enumerate(cells) if undecoded(cell)), None)
    if damaged is not None:
        where = f"column {shown(header[damaged])}" if header[damaged] else f"cell {damaged + 1}"
        said = f"not in the encoding that was named in {where}"
        return RejectedRow(line, said, row.raw)
    return Record(line, by_name(path, header, cells))
