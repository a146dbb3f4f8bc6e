"""Tables into records: CSV and TSV."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath
from typing import Generic, TextIO, TypeVar

from provenance_core.errors import InputError
from provenance_core.files.csv_rows import csv_fault, csv_rows
from provenance_core.files.field_names import names_field
from provenance_core.files.records.entries import Entry, Note, Record, shown, undecoded
from provenance_core.files.types import RejectedRow

T = TypeVar("T")

_TITLE_LINES = 3
# The heading of a column of promptfoo's outputs: [openai:gpt-4o-mini] prompts/rag.txt
_OUTPUTS = re.compile(r"\A\[[^\]]+\] .", re.DOTALL)
# What Excel understands before the heading: sep=;
_SEPARATOR = "sep="


def table_entries(path: PurePath, text: TextIO, delimiter: str) -> Iterator[Entry | Note]:
    """Read the rows of a table; :class:`InputError` where two columns have the same heading and
    different cells."""
    lines = iter(text)
    first = next(lines, "")
    skipped = 0
    if first.lower().startswith(_SEPARATOR):
        delimiter = first[len(_SEPARATOR) :].rstrip("\r\n")[:1] or delimiter
        first, skipped = next(lines, ""), 1
    else:
        ahead = [first]
        titled = not names_field(first)
        while titled and not found_delimiter(ahead[-1], "") and len(ahead) < _TITLE_LINES:
            ahead.append(next(lines, ""))
        delimiter = found_delimiter(ahead[-1], delimiter)
        lines = chain(ahead[1:], lines)
    header: list[str] = []
    for row in below_title(_rows(chain([first], lines), delimiter, skipped)):
        if isinstance(row, RejectedRow | Note):
            yield row
        elif header:
            yield _table_row(path, header, row)
        else:
            header = column_names(row.cells)


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A row of a table of any kind, with its text as it was in a file of text."""

    line: int
    cells: list[T]
    raw: str = ""


def below_title(rows: Iterable[Row[T] | RejectedRow]) -> Iterator[Row[T] | RejectedRow | Note]:
    """The heading of a table and its rows. A first row of one cell is a title, and left out, where
    the next row has more."""
    title: Row[T] | None = None
    begun = False
    for row in rows:
        if begun or isinstance(row, RejectedRow):
            yield row
            continue
        filled = sum(cell not in ("", None) for cell in row.cells)
        if title is None and filled == 1 and not any(names_field(str(c)) for c in row.cells if c):
            title = row
            continue
        begun = True
        if title is not None and filled < 2:
            yield title
        elif title is not None:
            said = next(str(cell) for cell in title.cells if cell not in ("", None))
            yield Note(
                f"Line {title.line} ({said[:60]!r}) was taken for a title above the heading in "
                f"line {row.line}."
            )
        yield row
    if title is not None and not begun:
        yield title


def _rows(lines: Iterable[str], delimiter: str, skipped: int) -> Iterator[Row[str] | RejectedRow]:
    taken: list[str] = []
    rows = csv_rows(_taking(lines, taken), delimiter)
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
        if cells:
            yield Row(line, cells, _raw(taken))


def found_delimiter(heading: str, expected: str) -> str:
    """The delimiter of a heading: the sign that parts it most often outside quotation marks; of
    two that part it as often, and where none does, the expected one."""
    bare = "".join(heading.split('"')[::2])
    counts = {each: bare.count(each) for each in ",;\t"}
    most = max(counts, key=lambda each: (counts[each], each == expected))
    return most if counts[most] else "|" if "|" in bare else expected


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


def _taking(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    """``lines``, each put into ``taken`` as it is read."""
    for line in lines:
        taken.append(line)
        yield line


def _raw(lines: list[str]) -> str:
    """Lines as they were in the file, with U+FFFD for bytes that do not fit its encoding."""
    return shown("".join(lines).rstrip("\r\n"))


def _table_row(path: PurePath, header: list[str], row: Row[str]) -> Entry:
    line, cells = row.line, row.cells
    if len(cells) != len(header):
        said = f"{len(cells)} columns, but the heading names {len(header)}"
        return RejectedRow(line, said, row.raw)
    damaged = next((at for at, cell in enumerate(cells) if undecoded(cell)), None)
    if damaged is not None:
        where = f"column {shown(header[damaged])}" if header[damaged] else f"cell {damaged + 1}"
        said = f"not in the encoding that was named in {where}"
        return RejectedRow(line, said, row.raw)
    return Record(line, by_name(path, header, cells))
