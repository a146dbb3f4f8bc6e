"""A table as HTML: no column is cut, and on a narrow screen each row is a block of a few lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from numbers import Integral

import pandas as pd

from reports.directions import shown_turns
from reports.style_sheets import style_sheet

_STYLE = style_sheet(__file__)
EMPTY = "–"  # what a cell without anything shows
_NOTHING = ' class="pv-nothing"'


def text_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, first_named: bool = False
) -> str:
    """HTML of a table; every cell is text and is escaped. Each row is as long as ``head``.
    ``first_named``: whether the first cell of a row says nothing without the name of its column,
    as a number does: on a narrow screen it has that too."""
    titles = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = "".join(
        "<tr>"
        + "".join(
            f'<td data-name="{escape(name)}"{_NOTHING if cell == EMPTY else ""}>'
            f"{escape(shown_turns(cell))}</td>"
            for name, cell in zip(head, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    named = " pv-named" if first_named else ""
    return (
        f'{_STYLE}<table class="pv-table{named}"><thead><tr>{titles}</tr></thead>'
        f"<tbody>{lines}</tbody></table>"
    )


def frame_table(frame: pd.DataFrame, decimals: int) -> str:
    """HTML of a table: its floats with ``decimals``, "–" where a cell has nothing; an empty column
    called ``note`` is left out."""
    if "note" in frame and not frame["note"].any():
        frame = frame.drop(columns="note")
    rows = frame.itertuples(index=False, name=None)
    return text_table([*frame], [[_cell(value, decimals) for value in row] for row in rows])


def _cell(value: object, decimals: int) -> str:
    if isinstance(value, float):
        return EMPTY if math.isnan(value) else f"{value:z.{decimals}f}"  # z: no "-0.000"
    if isinstance(value, Integral):
        return f"{int(value):,}"
    return str(value or EMPTY)
