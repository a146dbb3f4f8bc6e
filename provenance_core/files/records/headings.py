"""Where the heading of a table is, and what parts its cells."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

from provenance_core.files.field_names import field_of
from provenance_core.files.records.entries import Note
from provenance_core.files.types import RejectedRow

T = TypeVar("T")

AHEAD = 12  # lines or rows among which the heading is looked for
_DELIMITERS = ",;\t"
_LOOKED_AT = 500  # cells of a row among which names of fields are looked for
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A row of a table of any kind, with its text as it was in a file of text."""

    line: int
    cells: list[T]
    raw: str = ""


def below_title(rows: Iterable[Row[T] | RejectedRow]) -> Iterator[Row[T] | RejectedRow | Note]:
    """The heading of a table and its rows. Left out is what stands above the heading: narrower rows
    above one that names two fields, or else a first row of one cell above a row that has more. A
    row of groups above it names its empty columns, and tells those of one name apart."""
    found = iter(rows)
    first: list[Row[T]] = []
    for row in found:
        if isinstance(row, RejectedRow):
            yield row
        elif _filled(row):
            groups = bool(first) and _fields(first[-1]) > 1
            first.append(row)
            # Below names with gaps, those of the columns may follow.
            if groups or len(first) == AHEAD or (_fields(row) > 1 and not _has_gaps(row)):
                break
    at = _heading(first)
    if at:
        above = f"Line {first[0].line}"
        if at > 1:
            above = f"Everything from line {first[0].line} to {first[at - 1].line}"
        said = _filled(first[0])[0][:60]
        what = "a title" if len(_filled(first[at - 1])) == 1 else "a title or groups of columns"
        yield Note(
            f"{above} ({said!r}) was taken for {what} above the heading in line {first[at].line}."
        )
        if len(_filled(first[at - 1])) > 1:
            first[at] = _with_groups(first[at - 1], first[at])
    yield from first[at:]
    yield from found


def names_a_table(rows: Iterable[Row[T] | RejectedRow]) -> bool:
    """Whether one of the first rows names two fields."""
    beginning = (row for row, _ in zip(rows, range(AHEAD), strict=False))
    return any(isinstance(row, Row) and _fields(row) > 1 for row in beginning)


def _heading(first: Sequence[Row[T]]) -> int:
    """The place of the heading among the first rows."""
    if not first:
        return 0
    last = len(first) - 1
    grouped = last > 0 and _fields(first[last - 1]) > 1
    if grouped and _fields(first[last]) > 1:
        return last
    last -= grouped
    widths = [len(set(_filled(row))) for row in first]
    above = zip(first[:last], widths, strict=False)
    if _fields(first[last]) > 1 and all(w < widths[last] or _has_gaps(row) for row, w in above):
        return last
    return int(last > 0 and widths[0] == 1 and not _fields(first[0]) and widths[1] > 1)


def _has_gaps(row: Row[T]) -> bool:
    """Whether a cell is empty, or says again what the one before it says."""
    return len(_filled(row)) < len(row.cells) or any(a == b for a, b in pairwise(row.cells))


def _with_groups(above: Row[T], heading: Row[T]) -> Row[T]:
    """A heading with what stands above its empty cells, and with the group in names that stand
    twice: answer (System A)."""
    width = max(len(above.cells), len(heading.cells))
    groups, names = (
        [str(cell or "").strip() for cell in row.cells] + [""] * (width - len(row.cells))
        for row in (above, heading)
    )
    cells: list[Any] = []
    group = ""
    for over, name in zip(groups, names, strict=True):
        group = over or group
        twice = name and names.count(name) > 1 and group
        cells.append(f"{name} ({group})" if twice else name or over)
    return Row(heading.line, cells, heading.raw)


def _filled(row: Row[T]) -> list[str]:
    return [str(cell) for cell in row.cells if cell not in ("", None)]


def _fields(row: Row[T]) -> int:
    """How many fields the cells of a row name."""
    names = (cell for cell in _filled(row)[:_LOOKED_AT] if len(cell) < _LONGEST_NAME)
    return len(set(map(field_of, names)) - {""})


def found_delimiter(beginning: Sequence[str], expected: str) -> str:
    """The sign that parts the cells of a table: that by which a line of its beginning names most
    fields; else by which two lines have as many cells; else that which stands most often."""

    def fits(sign: str) -> tuple[int, bool, int, bool]:
        rows = _parted(beginning, sign)
        named = max((_fields(row) for row in rows), default=0)
        widths = [len(row.cells) for row in rows]
        alike = any(a == b > 1 for a, b in pairwise(widths))
        return named if named > 1 else 0, alike, max(widths, default=0), sign == expected

    if beginning and field_of(beginning[0].strip('" \r\n')):
        return expected  # a table of one column, whose cells may hold any sign
    best = max(_DELIMITERS, key=fits)
    if fits("|")[0] > fits(best)[0]:
        return "|"
    if fits(best)[2] > 1:
        return best
    return "|" if any("|" in line for line in beginning) else expected


def rows_of(beginning: str) -> list[Row[str]]:
    """The first lines of a text as rows of a table."""
    lines = beginning.splitlines()[:AHEAD]
    return _parted(lines, found_delimiter(lines, ","))


def _parted(beginning: Sequence[str], sign: str) -> list[Row[str]]:
    rows: list[Row[str]] = []
    try:
        for cells in csv.reader(beginning, delimiter=sign):
            if any(cells):
                rows.append(Row(0, [cell.strip() for cell in cells]))
    except csv.Error:
        return rows
    return rows
