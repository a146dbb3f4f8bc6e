"""The table of every list of audits: sorted by a click on a heading, coloured by the verdict, and
with the chosen row's answer and evidence in a panel beside it.

The address names the row that is open (``?open=NUMBER``), so that a reload and a link keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from dashboard.shared.audit_columns import (
    Columns,
    audits_frame,
    column_widths,
    narrow_configuration,
    narrow_frame,
    narrow_legend,
    narrow_row,
    table_configuration,
    wide_row,
    with_threshold,
)
from dashboard.shared.audit_panel import draw_panel
from dashboard.shared.components import script
from dashboard.shared.seen_audits import note_seen
from provenance_core.types import VerdictState
from reports.listed_audits import ListedAudit, VerdictChange

OPEN = "open"
_CHOSEN = "audit_chosen"
_ROOM, _PANEL = "audits_", 420  # the name of what holds both; pixels
_WIDE, _NARROW = "wide_audits_", "narrow_audits_"
_HEIGHT, _HEAD = 525, 35  # pixels of the rows that are seen at once, and of the headings
# As in the banner of a verdict, so that they hold on a light and on a dark page.
_COLOURS = {
    VerdictState.SUPPORTED: "rgba(0,114,178,.16)",
    VerdictState.FLAGGED: "rgba(183,121,31,.20)",
    VerdictState.HALLUCINATED: "rgba(213,94,0,.20)",
    VerdictState.NOTHING_TO_CHECK: "rgba(128,128,128,.16)",
}
_UNREAD = "background-color:rgba(120,80,200,.20)"
_OPENED = "background-color:rgba(128,128,128,.28)"


@dataclass(frozen=True, slots=True)
class _Table:
    """One of the two forms of a table. ``room``: the name of its container, which the style of all
    pages shows or hides by the width of the window. ``row``: pixels of one row. ``legend``: what
    stands below it."""

    key: str
    room: str
    frame: pd.DataFrame
    configuration: dict[str, ColumnConfig]
    row: int
    legend: str = ""


def draw_audits(
    rows: Sequence[ListedAudit],
    key: str,
    what: str,
    columns: Columns | None = None,
    actions: Callable[[int], object] | None = None,
    parameter: str = OPEN,
) -> None:
    """The table of ``rows``, and the panel of the audit that the address names. ``key``: unique on
    the page, another for other rows, such as the next page of a list. ``what``: names the table to
    a screen reader. ``actions``: draws in the panel what can be done with the audit of a number.
    ``parameter``: of the address, another for a second table of the page."""
    named = with_threshold(rows, columns or Columns())
    note_seen(row.item.audit_id for row in rows)
    opened = _opened(parameter)
    # The table stays where it is when the panel opens: moved, it would forget how it is sorted.
    room = st.container(horizontal=True, gap="medium", key=f"{_ROOM}{parameter}")
    with room.container():
        _draw_table(rows, key, what, named, parameter)
        if rows and opened is None:
            st.caption(
                "Click a row to read its answer and evidence. Click a heading to sort the rows "
                "that are shown."
            )
    if opened is None:
        return
    with room.container(border=True, width=_PANEL, key=f"panel_{parameter}"):
        _draw_walk([row.item.audit_id for row in rows], opened, key, parameter)
        row = next((row for row in rows if row.item.audit_id == opened), None)
        if row is None:
            st.caption("This audit is not among the rows that are shown.")
        draw_panel(opened, row, (named.verdict, named.change), actions)
    if st.session_state.pop(_CHOSEN, None) == parameter:
        st.html(
            script(__file__, "show_panel", panel=f"panel_{parameter}", number=opened),
            unsafe_allow_javascript=True,
        )


def _draw_walk(numbers: Sequence[int], opened: int, key: str, parameter: str) -> None:
    """The ways from the open audit to the rows before and after it, and out of the panel."""
    place = numbers.index(opened) if opened in numbers else None
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for name, step, arrow in (("Previous", -1, "Left"), ("Next", 1, "Right")):
            to = None if place is None else place + step
            there = to is not None and 0 <= to < len(numbers)
            st.button(
                name,
                key=f"{name.lower()}_{parameter}",
                # Where a page has two tables, the keys are those of the first.
                shortcut=arrow if parameter == OPEN else None,
                disabled=not there,
                on_click=_walk,
                args=(numbers[to] if there and to is not None else opened, key, parameter),
            )
        if place is not None:
            st.text(f"{place + 1} of {len(numbers)}", width="content")
        st.button("Close", key=f"close_{parameter}", on_click=close_panel, args=(key, parameter))


def _walk(number: int, key: str, parameter: str) -> None:
    st.query_params[parameter] = str(number)
    _forget_choice(key)
    st.session_state[_CHOSEN] = parameter


def _opened(parameter: str) -> int | None:
    """The number of the audit that the address names."""
    given = st.query_params.get(parameter, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def _open(key: str, numbers: Sequence[int], parameter: str) -> None:
    cells = st.session_state[key]["selection"]["cells"]
    if cells and cells[0][0] < len(numbers):
        st.query_params[parameter] = str(numbers[cells[0][0]])
        st.session_state[_CHOSEN] = parameter


def close_panel(key: str, parameter: str = OPEN) -> None:
    """Have no audit open; called before the table ``key`` is drawn."""
    st.query_params.pop(parameter, None)
    _forget_choice(key)


def _forget_choice(key: str) -> None:
    # Else a click on the same cell would choose nothing new.
    for name in (key, _narrow_key(key)):
        if name in st.session_state:
            st.session_state[name] = {"selection": {"rows": [], "columns": [], "cells": []}}


def _narrow_key(key: str) -> str:
    return f"{key} narrow"


def _colour(given: ListedAudit | VerdictChange) -> str:
    return _UNREAD if given.unread else f"background-color:{_COLOURS[given.state]}"


def _draw_table(
    rows: Sequence[ListedAudit], key: str, what: str, columns: Columns, parameter: str
) -> None:
    if not rows:
        return
    opened = _opened(parameter)
    changes = [row.change for row in rows]
    numbers = [row.item.audit_id for row in rows]
    widths = column_widths(rows, columns)

    def colours(column: pd.Series) -> list[str]:
        found = rows if column.name == columns.verdict else changes
        if column.name not in (columns.verdict, columns.change):
            return [_OPENED if number == opened else "" for number in numbers]
        return [_colour(each) if each else "" for each in found]

    for table in (
        _Table(
            key,
            f"{_WIDE}{parameter}",
            audits_frame(rows, columns, widths),
            table_configuration(rows, columns, widths),
            wide_row(columns),
        ),
        _Table(
            _narrow_key(key),
            f"{_NARROW}{parameter}",
            narrow_frame(rows, columns),
            narrow_configuration(columns),
            narrow_row(columns),
            narrow_legend(rows, columns),
        ),
    ):
        with st.container(key=table.room):
            st.dataframe(
                table.frame.style.apply(colours),
                key=table.key,
                alt=what,
                hide_index=True,
                row_height=table.row,
                height=_HEAD + table.row * min(len(rows), _HEIGHT // table.row) + 3,
                placeholder="",
                column_config=table.configuration,
                on_select=lambda table=table: _open(table.key, numbers, parameter),
                selection_mode="single-cell",
            )
            if table.legend:
                st.caption(table.legend)
