"""A sheet of an Excel workbook as records, read by a process of its own."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import date, time, timedelta
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

from provenance_core.errors import InputError
from provenance_core.files.apart import read_apart
from provenance_core.files.batch.cell_format import shown_moment, shown_number
from provenance_core.files.field_names import field_of
from provenance_core.files.limits import check_unpacked, file_limits
from provenance_core.files.options_named import SHEET, named_option
from provenance_core.files.records.entries import Entries, Entry, Note, Record
from provenance_core.files.records.headings import Row, below_title, names_a_table
from provenance_core.files.records.numbered_columns import joined_columns
from provenance_core.files.records.tables import by_name, column_names
from provenance_core.files.types import RejectedRow, Unit
from provenance_core.files.values.scalars import Formula

# A cell at the far end of a sheet makes a million empty rows before it.
_EMPTY_ROWS = 20_000


def read_spreadsheet(path: Path, sheet: str = "") -> Entries:
    """Read the rows of a sheet under its heading; ``sheet`` is its name, "" the first. The ``line``
    of a record is the row of the sheet. An empty cell is "", a formula without a result a
    :class:`Formula`; a number, a date or a time is as the sheet shows it. What is merged over
    several rows stands in each; rows of one merged answer are one record with all their passages.
    Raises InputError where the file is no workbook, has no such sheet, two columns have one
    heading, or a limit of :mod:`provenance_core.files.limits` is reached."""
    _check_readable(path)
    return Entries(read_apart(path, _records, path, sheet, limits=None))


def sheet_names(path: Path) -> tuple[str, ...]:
    """The sheets of a workbook that hold cells, in its order; charts are none."""
    _check_readable(path)
    return tuple(read_apart(path, _names, path, limits=None))


def _check_readable(path: Path) -> None:
    try:
        with path.open("rb"):
            return
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error


def _names(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as file:
            yield from (each.title for each in _workbook(path, file, results=True).worksheets)
    except (InputError, MemoryError):
        raise
    except Exception as error:
        raise _damaged(path, error) from error


def _records(path: Path, sheet: str = "") -> Iterator[Entry | Note]:
    try:
        names = list(_names(path))
        if not names:
            raise InputError(f"{path}: the workbook has no sheet of cells; give one with a table")
        if sheet and sheet not in names:
            raise InputError(
                f"{path}: no sheet is called {sheet!r}; its sheets: {', '.join(names)}"
            )
        # A first sheet may be instructions.
        tables = (name for name in names if len(names) > 1 and names_a_table(_rows(path, name)))
        chosen = sheet or next(tables, names[0])
        others = [name for name in names if name != chosen]
        if others and not sheet:
            which = "the first sheet" if chosen == names[0] else f"the sheet {chosen}"
            yield Note(
                f"Only {which} was read, not {', '.join(others)}; choose another by its "
                f"name ({named_option(SHEET)})."
            )
        yield from joined_columns(_entries(path, chosen))
    except (InputError, MemoryError):
        raise
    # A damaged workbook shows itself as an error of any kind: of zip, XML, styles or numbers.
    except Exception as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> InputError:
    said = (str(error).splitlines() or [""])[0][:200] or type(error).__name__
    if isinstance(error, zipfile.BadZipFile):
        said = "it may be another kind of file under this name"
    return InputError(
        f"{path}: not a whole Excel workbook ({said}); save it again as .xlsx, or as .csv"
    )


def _workbook(path: Path, file: IO[bytes], *, results: bool) -> Any:
    # They take a while, which only workbooks are worth.
    from openpyxl.chartsheet import Chartsheet
    from openpyxl.reader.excel import ExcelReader

    class WithoutCharts(ExcelReader):
        """Keeps the place of a sheet that is a chart. An empty one, openpyxl cannot read."""

        def read_chartsheet(self, sheet: Any, rel: Any) -> None:
            self.wb._add_sheet(Chartsheet(parent=self.wb, title=sheet.name))

    with zipfile.ZipFile(path) as archive:
        check_unpacked(path, sum(e.file_size for e in archive.infolist()), file_limits())
    reader = WithoutCharts(file, read_only=True, data_only=results, keep_links=False)
    reader.read()
    return reader.wb


def _entries(path: Path, sheet: str) -> Iterator[Entry | Note]:
    names: list[str] = []
    beyond: list[int] = []
    merged = _Merged(_merged(path, sheet))
    held: Record | None = None
    joined: list[int] = []
    carried: set[str] = set()
    for row in below_title(_rows(path, sheet)):
        if isinstance(row, RejectedRow | Note):
            yield row
        elif not names:
            names = column_names([str(cell) for cell in row.cells])
        else:
            if any(cell != "" for cell in row.cells[len(names) :]):
                beyond.append(row.line)
            cells = row.cells + [""] * (len(names) - len(row.cells))
            above = {names[at] for at in merged.carry_down(row.line, cells, len(names))}
            fields = by_name(path, names, cells)
            if held and _joins(held.fields, fields, above):
                joined.append(row.line)
                continue
            if held:
                yield held
            carried |= above
            held = Record(row.line, fields, Unit.ROW)
    if held:
        yield held
    if joined:
        yield Note(
            f"{len(joined):,} row(s), the first of them row {joined[0]:,}, lie below a merged "
            "answer; their passages were taken as its context, with those of its first row."
        )
    if carried:
        yield Note(
            "Each row below a merged cell was given its value, in these columns: "
            f"{', '.join(name for name in names if name in carried)}."
        )
    if beyond:
        yield Note(
            f"{len(beyond):,} row(s), the first of them row {beyond[0]:,}, have a cell beyond the "
            "heading, which was not read; give its column a heading."
        )


def _joins(first: dict[str, object], fields: dict[str, object], above: set[str]) -> bool:
    """Whether a row has no more than passages of the answer that is merged over it and the first
    row, which then has them too."""
    passages = [
        name for name in fields if field_of(name) == "context" and fields[name] not in (None, "")
    ]
    if "answer" not in map(field_of, above) or not passages or not above.isdisjoint(passages):
        return False
    for name in passages:
        before = first[name]
        first[name] = [*(before if isinstance(before, list) else [before]), fields[name]]
    return True


class _Merged:
    """The values of cells that are merged over several rows."""

    def __init__(self, ranges: dict[int, dict[int, int]]) -> None:
        self._ranges = ranges
        self._open: dict[int, tuple[int, object]] = {}

    def carry_down(self, line: int, cells: list[object], width: int) -> set[int]:
        """Give a row what stands above in its merged cells; the columns, counted from 0."""
        self._open = {at: each for at, each in self._open.items() if each[0] >= line}
        found = {at for at in self._open if at < width and cells[at] == ""}
        for at in found:
            cells[at] = self._open[at][1]
        for at, last in self._ranges.get(line, {}).items():
            if at < width:
                self._open[at] = (last, cells[at])
        return found


def _merged(path: Path, sheet: str) -> dict[int, dict[int, int]]:
    """The ranges that are merged over several rows, which stand behind all rows of a sheet: by
    their first row the columns, counted from 0, with their last rows."""
    from openpyxl.utils import range_boundaries
    from openpyxl.xml.functions import iterparse

    found: dict[int, dict[int, int]] = {}
    with path.open("rb") as file, _workbook(path, file, results=True)[sheet]._get_source() as xml:
        for _, element in iterparse(xml):
            if element.tag.endswith("}mergeCell"):
                column, first, _, last = range_boundaries(element.get("ref"))
                if first and last and last > first:
                    found.setdefault(first, {})[column - 1] = last
            element.clear()
    return found


def _rows(path: Path, sheet: str) -> Iterator[Row[object]]:
    """The rows with a cell, without empty cells at their ends."""
    empty = 0
    both: Iterator[tuple[list[object], list[object]]] = zip_longest(
        _cells(path, sheet, results=True), _cells(path, sheet, results=False), fillvalue=[]
    )
    for number, (found, formulas) in enumerate(both, 1):
        cells: list[object] = [
            Formula(str(formula)) if cell == "" and formula != "" else cell
            for cell, formula in zip_longest(found, formulas, fillvalue="")
        ]
        while cells and cells[-1] == "":
            cells.pop()
        if cells:
            empty = 0
            yield Row(number, cells)
            continue
        empty += 1
        if empty > _EMPTY_ROWS:
            _refuse_far_rows(path, number - empty, both)
            return


def _refuse_far_rows(
    path: Path, last: int, rest: Iterator[tuple[list[object], list[object]]]
) -> None:
    """:class:`InputError` where something follows so many empty rows."""
    for found, formulas in rest:
        if any(cell != "" for cell in (*found, *formulas)):
            raise InputError(
                f"{path}, row {last}: more than {_EMPTY_ROWS:,} empty rows follow it before the "
                "next cell. Delete the cells far below the table, or save the sheet as .csv"
            )


def _cells(path: Path, sheet: str, *, results: bool) -> Iterator[list[object]]:
    """The cells of the sheet by row, with the results of formulas or the formulas themselves."""
    with path.open("rb") as file:
        read = _workbook(path, file, results=results)[sheet]
        # What a file says of its own size may be wrong, and is not needed.
        read.reset_dimensions()
        for row in read.iter_rows():
            yield [_value(cell) for cell in row]


def _value(cell: Any) -> object:
    value = cell.value
    # An error such as #N/A has no value.
    if value is None or cell.data_type == "e":
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return shown_number(value, cell.number_format)
    if isinstance(value, date | time | timedelta):
        return shown_moment(value, cell.number_format)
    return value
