"""The first sheet of an Excel workbook, as records, read by a process of its own."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

from provenance_core.errors import InputError
from provenance_core.files.apart import read_apart
from provenance_core.files.formats._scalars import Formula
from provenance_core.files.limits import check_unpacked, file_limits
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.records.tables import column_names
from provenance_core.files.types import Unit

# A cell at the far end of a sheet makes a million empty rows before it.
_EMPTY_ROWS = 20_000


def read_spreadsheet(path: Path) -> Iterator[Entry]:
    """Read the rows of the first sheet under its first row that is not empty, the heading.

    A row, whose ``line`` is the row of the sheet. An empty cell is "", a formula without a result a
    :class:`Formula`. Raises InputError The file is no workbook, two columns have one heading, or a
    limit of :mod:`provenance_core.files.limits` is reached.
    """
    _check_readable(path)
    return read_apart(path, _records, path, limits=None)


def other_sheets(path: Path) -> tuple[str, ...]:
    """Name the sheets that are not read.

    All sheets but the first. Raises InputError As for :func:`read_spreadsheet`.
    """
    _check_readable(path)
    return tuple(read_apart(path, _other_names, path, limits=None))


def _check_readable(path: Path) -> None:
    try:
        with path.open("rb"):
            return
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error


def _other_names(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as file:
            yield from _workbook(path, file, results=True).sheetnames[1:]
    except (InputError, MemoryError):
        raise
    except Exception as error:
        raise _damaged(path, error) from error


def _records(path: Path) -> Iterator[Entry]:
    try:
        yield from _rows(path)
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
    from openpyxl import load_workbook  # takes a while, which only workbooks are worth

    with zipfile.ZipFile(path) as archive:
        check_unpacked(path, sum(e.file_size for e in archive.infolist()), file_limits())
    return load_workbook(file, read_only=True, data_only=results, keep_links=False)


def _rows(path: Path) -> Iterator[Entry]:
    names: list[str] = []
    empty = 0
    both: Iterator[tuple[list[object], list[object]]] = zip_longest(
        _cells(path, results=True), _cells(path, results=False), fillvalue=[]
    )
    for number, (found, formulas) in enumerate(both, 1):
        cells = [
            Formula(str(formula)) if cell == "" and formula != "" else cell
            for cell, formula in zip_longest(found, formulas, fillvalue="")
        ]
        while cells and cells[-1] == "":
            cells.pop()
        if not cells:
            empty += 1
            if empty > _EMPTY_ROWS:
                _refuse_far_rows(path, number - empty, both)
                return
            continue
        empty = 0
        if names:
            # A cell beyond the heading has no name.
            cells += [""] * (len(names) - len(cells))
            row = dict(zip_longest(names, cells, fillvalue=""))
            yield Record(number, row, Unit.ROW)
        else:
            names = column_names(path, [str(cell) for cell in cells])


def _refuse_far_rows(
    path: Path, last: int, rest: Iterator[tuple[list[object], list[object]]]
) -> None:
    """:class:`InputError` where something follows so many empty rows; nothing where nothing
    does."""
    for found, formulas in rest:
        if any(cell != "" for cell in (*found, *formulas)):
            raise InputError(
                f"{path}, row {last}: more than {_EMPTY_ROWS:,} empty rows follow it before the "
                "next cell. Delete the cells far below the table, or save the sheet as .csv"
            )


def _cells(path: Path, *, results: bool) -> Iterator[list[object]]:
    """The cells of the sheet by row, with the results of formulas or the formulas themselves."""
    with path.open("rb") as file:
        sheet = _workbook(path, file, results=results).worksheets[0]
        # What a file says of its own size may be wrong, and is not needed.
        sheet.reset_dimensions()
        for row in sheet.iter_rows():
            yield [_value(cell.value, cell.data_type) for cell in row]


def _value(value: object, kind: str) -> object:
    # An error such as #N/A has no value.
    if value is None or kind == "e":
        return ""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
