"""The first sheet of an Excel workbook, as records."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.evaluation.formats._fields import record_text
from provenance_core.evaluation.formats._records import Entry, Record
from provenance_core.evaluation.types import RejectedRow


def read_spreadsheet(path: Path) -> Iterator[Entry]:
    """The rows of the first sheet under its first row that is not empty, the heading; ``line`` is
    the row of the sheet. An empty cell is "". A row with a formula whose result the file does not
    hold is given back as one that cannot be used.

    :class:`InputError` when the file is no workbook, or two columns have one name.
    """
    cells = _cells(path, results=True)
    filled = [number for number, row in enumerate(cells) if any(cell != "" for cell in row)]
    if not filled:
        return
    formulas = _cells(path, results=False)
    names = [str(cell).strip() for cell in cells[filled[0]]]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(
            f"{path}: {len(twice)} name(s) head more than one column ({', '.join(twice)}); give "
            "each column a name of its own"
        )
    for number in range(filled[0] + 1, len(cells)):
        fields = dict(zip(names, cells[number], strict=True))
        lost = [
            name
            for name, value, formula in zip(names, cells[number], formulas[number], strict=True)
            if value == "" and str(formula).startswith("=")
        ]
        record = Record(number + 1, fields)
        if lost:
            yield RejectedRow(
                number + 1,
                f"{', '.join(lost)}: a formula whose result the file does not hold; open it in a "
                "spreadsheet program and save it, or put the value in the formula's place",
                record_text(record),
            )
        elif number in filled:
            yield record


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
