"""The first sheet of an Excel workbook, as records."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._records import Entry, Record, column_names
from provenance_core.files.formats._scalars import Formula


def read_spreadsheet(path: Path) -> Iterator[Entry]:
    """The rows of the first sheet under its first row that is not empty, the heading; ``line`` is
    the row of the sheet. An empty cell is "", a formula without a result a :class:`Formula`.

    :class:`InputError` when the file is no workbook, or two columns have one heading.
    """
    results = _cells(path, results=True)
    names: list[str] = []
    # The sheet of formulas is the larger one, as empty edges are left out.
    for number, formulas in enumerate(_cells(path, results=False)):
        found = results[number] if number < len(results) else []
        found += [""] * (len(formulas) - len(found))
        cells = [
            Formula(str(formula)) if cell == "" and formula != "" else cell
            for cell, formula in zip(found, formulas, strict=True)
        ]
        if all(cell == "" for cell in cells):
            continue
        if names:
            yield Record(number + 1, dict(zip(names, cells, strict=True)))
        else:
            names = column_names(path, [str(cell) for cell in cells])


def other_sheets(path: Path) -> tuple[str, ...]:
    """The names of the sheets that are not read."""
    import pandas as pd

    with pd.ExcelFile(path, engine="openpyxl") as book:
        return tuple(map(str, book.sheet_names[1:]))


def _cells(path: Path, *, results: bool) -> list[list[object]]:
    """The cells of the sheet by row, with the results of formulas or the formulas themselves."""
    import pandas as pd  # takes a second, which only workbooks are worth

    try:
        table = pd.read_excel(
            path,
            header=None,
            dtype=object,
            na_filter=False,
            engine="openpyxl",
            engine_kwargs={"data_only": results},
        )
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path}: not a whole Excel workbook ({error}); save it again as .xlsx, or as .csv"
        ) from error
    # An error such as #N/A has no value.
    return [["" if pd.isna(cell) else cell for cell in row] for row in table.to_numpy().tolist()]
