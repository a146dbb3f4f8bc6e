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

from dashboard.shared.audit_panel import draw_panel
from provenance_core.types import VerdictState
from reports.directions import shown_turns
from reports.glossary import tooltip
from reports.listed_audits import ListedAudit, state_text
from reports.tables import shortened
from reports.wording import STATES, detector_title
from storage import Item

OPEN = "open"
_CHOSEN = "audit_chosen"
_ROOM, _PANEL = "audits_", 420  # the name of what holds both; pixels
_WIDE, _NARROW = "wide_audits_", "narrow_audits_"
_HEIGHT, _ROW = 15, 35  # rows that are seen at once, pixels of one
_NARROW_ROW = 84  # pixels: four lines of an answer
_NARROW_CHARACTERS, _NARROWER_CHARACTERS = 52, 40  # what four lines hold, and beside two verdicts
# Pixels of the columns of texts, of one letter, and of what is beside a text in its cell.
_ANSWER, _ANSWER_BESIDE, _ANSWER_CHANGED, _QUERY, _LETTER, _AROUND = 320, 250, 200, 220, 6.3, 18
_REVIEWERS, _DATE = "reviewers", "date (UTC)"
_LABEL_SYMBOLS = {
    1: STATES[VerdictState.SUPPORTED][0],
    0: STATES[VerdictState.HALLUCINATED][0],
    None: "",
}
# As in the banner of a verdict, so that they hold on a light and on a dark page.
_COLOURS = {
    VerdictState.SUPPORTED: "rgba(0,114,178,.16)",
    VerdictState.FLAGGED: "rgba(183,121,31,.20)",
    VerdictState.HALLUCINATED: "rgba(213,94,0,.20)",
    VerdictState.NOTHING_TO_CHECK: "rgba(128,128,128,.16)",
}
# Pixels that the words of a verdict need.
_VERDICT_WIDTHS = {VerdictState.FLAGGED: 226, VerdictState.NOTHING_TO_CHECK: 136}
_OPENED = "background-color:rgba(128,128,128,.28)"


# Where the window is narrow, the panel lies below the table.
_SHOW_PANEL = """<script>
if (window.innerWidth < 640) {{
  document.querySelector(".st-key-{panel}")?.scrollIntoView({{ behavior: "smooth" }});
}}
</script>"""


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a verdict and of its change are called, which others are left out, and
    which come before the rest, beside the verdict: a narrow window shows those alone.
    ``narrow_verdict`` and ``narrow_change``: what a narrow window, which has room for about eight
    characters, calls the two; "" as a wide one does."""

    verdict: str = "verdict"
    change: str = ""
    narrow_verdict: str = ""
    narrow_change: str = ""
    without: tuple[str, ...] = ()
    beside: tuple[str, ...] = ("answer",)


@dataclass(frozen=True, slots=True)
class _Table:
    """One of the two forms of a table. ``room``: the name of its container, which the style of all
    pages shows or hides by the width of the window."""

    key: str
    room: str
    frame: pd.DataFrame
    configuration: dict[str, ColumnConfig]
    row: int


def draw_audits(
    rows: Sequence[ListedAudit],
    key: str,
    what: str,
    columns: Columns | None = None,
    actions: Callable[[int], object] | None = None,
    parameter: str = OPEN,
) -> None:
    """The table of ``rows``, and the panel of the audit that the address names.

    ``key``: unique on the page, another for other rows, such as the next page of a list. ``what``:
    names the table to a screen reader. ``actions``: draws in the panel what can be done with the
    audit of a number. ``parameter``: of the address, another for a second table of the page.
    """
    named = columns or Columns()
    opened = _opened(parameter)
    # The table stays where it is when the panel opens: moved, it would forget how it is sorted.
    room = st.container(horizontal=True, gap="medium", key=f"{_ROOM}{parameter}")
    with room.container():
        _draw_table(rows, key, what, named, parameter)
        if rows and opened is None:
            st.caption(
                "Choose a row to read its answer and evidence. A click on a heading sorts the rows "
                "that are shown."
            )
    if opened is None:
        return
    with room.container(border=True, width=_PANEL, key=f"panel_{parameter}"):
        st.button("Close", key=f"close_{parameter}", on_click=close_panel, args=(key, parameter))
        row = next((row for row in rows if row.item.audit_id == opened), None)
        if row is None:
            st.caption("This audit is not among the rows that are shown.")
        draw_panel(opened, row, (named.verdict, named.change), actions)
    if st.session_state.pop(_CHOSEN, None) == parameter:
        st.html(_SHOW_PANEL.format(panel=f"panel_{parameter}"), unsafe_allow_javascript=True)


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
    # Else a click on the same cell would choose nothing new.
    for name in (key, _narrow_key(key)):
        if name in st.session_state:
            st.session_state[name] = {"selection": {"rows": [], "columns": [], "cells": []}}


def _narrow_key(key: str) -> str:
    return f"{key} narrow"


def _draw_table(
    rows: Sequence[ListedAudit], key: str, what: str, columns: Columns, parameter: str
) -> None:
    if not rows:
        return
    opened = _opened(parameter)
    states = [row.state for row in rows]
    changes = [row.change.state if row.change else None for row in rows]
    numbers = [row.item.audit_id for row in rows]

    def colours(column: pd.Series) -> list[str]:
        found = states if column.name == columns.verdict else changes
        if column.name not in (columns.verdict, columns.change):
            return [_OPENED if number == opened else "" for number in numbers]
        return [f"background-color:{_COLOURS[state]}" if state else "" for state in found]

    for table in (
        _Table(
            key,
            f"{_WIDE}{parameter}",
            audits_frame(rows, columns),
            table_configuration(rows, columns),
            _ROW,
        ),
        _Table(
            _narrow_key(key),
            f"{_NARROW}{parameter}",
            narrow_frame(rows, columns),
            narrow_configuration(columns),
            _NARROW_ROW,
        ),
    ):
        with st.container(key=table.room):
            st.dataframe(
                table.frame.style.apply(colours),
                key=table.key,
                alt=what,
                hide_index=True,
                row_height=table.row,
                height=_ROW + table.row * min(len(rows), _HEIGHT * _ROW // table.row) + 3,
                placeholder="",
                column_config=table.configuration,
                on_select=lambda table=table: _open(table.key, numbers, parameter),
                selection_mode="single-cell",
            )
            if table.row == _NARROW_ROW:
                st.caption(narrow_legend(rows, columns))


def narrow_legend(rows: Sequence[ListedAudit], columns: Columns) -> str:
    """What the symbols and numbers of the narrow form of these rows mean."""
    shown = {row.state for row in rows} | {row.change.state for row in rows if row.change}
    said = [
        f"{symbol} {name.lower()}" for state, (symbol, name) in STATES.items() if state in shown
    ]
    reviewers = any(row.item.label is None and _label_symbol(row.item) for row in rows)
    brackets = " A label in brackets is what most reviewers say." if reviewers else ""
    counted = " “✗ 2”: two reviewers say so." if _REVIEWERS in columns.beside else ""
    return f"{', '.join(said)}. “1 of 2”: one of two sentences is flagged.{counted}{brackets}"


def _label_symbol(item: Item) -> str:
    """Of the data set; without one that of the reviewers, in brackets."""
    if item.label is None and item.opinion is not None:
        return f"({_LABEL_SYMBOLS[item.opinion]})"
    return _LABEL_SYMBOLS[item.label]


def narrow_frame(rows: Sequence[ListedAudit], columns: Columns) -> pd.DataFrame:
    """What matters most of each row, for a window that has room for no more: the verdict with the
    flagged sentences, the score, the answer's beginning and the label; in place of the score what
    the verdict is compared with, another verdict or the reviewers'. Verdicts and labels are symbols
    alone. The panel has the rest."""
    cells: dict[str, list[object]] = {
        columns.verdict: [f"{STATES[row.state][0]} {row.flagged}".strip() for row in rows]
    }
    if columns.change:
        cells[columns.change] = [STATES[row.change.state][0] if row.change else "" for row in rows]
    elif _REVIEWERS in columns.beside:
        cells[_REVIEWERS] = [row.reviewer_counts for row in rows]
    else:
        cells["score"] = [row.shown_score for row in rows]
    room = _NARROWER_CHARACTERS if columns.change else _NARROW_CHARACTERS
    cells["answer"] = [shortened(row.item.answer, room) for row in rows]
    cells["label"] = [_label_symbol(row.item) for row in rows]
    return _shown_frame(cells, columns)


def _in_one_line(text: str, width: int) -> str:
    """``text`` to its end, or with an ellipsis where a column of ``width`` pixels has no more room:
    the cell would cut it without one. The panel has all of it."""
    return shortened(text, int((width - _AROUND) / _LETTER))


def _answer_width(rows: Sequence[ListedAudit], columns: Columns) -> int:
    """Pixels: a longer answer would push mistake or change out of a window of 1280."""
    if _DATE in columns.beside or any(row.change and row.change.score is not None for row in rows):
        return _ANSWER_CHANGED
    return _ANSWER_BESIDE if _REVIEWERS in columns.beside else _ANSWER


def audits_frame(rows: Sequence[ListedAudit], columns: Columns) -> pd.DataFrame:
    """A line for each row; columns in which no row has anything are left out."""
    cells: dict[str, list[object]] = {columns.verdict: [row.verdict for row in rows]}
    changes = [row.change for row in rows]
    if columns.change:
        cells[columns.change] = [state_text(each.state) if each else "" for each in changes]
    cells |= {name: [] for name in columns.beside}  # their places; the cells follow below
    cells |= {
        "flagged": [row.flagged for row in rows],
        "score": [row.shown_score for row in rows],
    }
    if columns.change:
        cells |= {
            "other score": [each.score if each else None for each in changes],
            "change": [each.said if each else "" for each in changes],
        }
    cells |= {
        "answer": [_in_one_line(row.item.answer, _answer_width(rows, columns)) for row in rows],
        "other answer": [_other_answer(row) for row in rows],
        "label": [row.label for row in rows],
        "mistake": [str(row.mistake or "") for row in rows],
        "also by": [row.also_by for row in rows],
        "query": [_in_one_line(row.item.query, _QUERY) for row in rows],
        "task": [row.item.task for row in rows],
        "reviewers": [row.reviewers for row in rows],
        _DATE: [row.date for row in rows],
        "audit": [row.item.audit_id for row in rows],
        "line": [row.item.line for row in rows],
        "row id": [row.item.row_id for row in rows],
        "run": [row.item.run for row in rows],
        "detector": [detector_title(row.item.detector) for row in rows],
        "corrected from": [row.item.corrected_from for row in rows],
    }
    return _shown_frame(cells, columns)


def _shown_frame(cells: dict[str, list[object]], columns: Columns) -> pd.DataFrame:
    """Columns in which no row has anything, and those that the table is without, are left out."""
    shown = {
        name: values
        for name, values in cells.items()
        if name not in columns.without and any(value not in (None, "") for value in values)
    }
    return pd.DataFrame(
        {
            name: pd.array(values, dtype="Int64") if name in _NUMBERS else _turns_shown(values)
            for name, values in shown.items()
        }
    )


def _turns_shown(values: Sequence[object]) -> list[object]:
    return [shown_turns(value) if isinstance(value, str) else value for value in values]


def _other_answer(row: ListedAudit) -> str:
    other = row.change.answer if row.change else ""
    return "" if other == row.item.answer else _in_one_line(other, _ANSWER)


_LINE_HELP = "Line of a text file, row of a sheet, or number of the record in a list."
_NUMBERS = ("audit", "line", "corrected from")


def table_configuration(rows: Sequence[ListedAudit], columns: Columns) -> dict[str, ColumnConfig]:
    """How the columns of the wide form of these rows are drawn."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    # Streamlit takes a width from the first rows alone, and cuts a longer verdict below them.
    wide = max((_VERDICT_WIDTHS.get(row.state, 0) for row in rows), default=0) or None
    changed = [row.change.state for row in rows if row.change]
    other = max((_VERDICT_WIDTHS.get(state, 0) for state in changed), default=0) or None
    changes = {columns.change: text(width=other)} if columns.change else {}
    return changes | {
        columns.verdict: text(width=wide, help=tooltip("verdict")),
        "score": number(format="%.3f", width=70, help=tooltip("factuality score")),
        "other score": number(format="%.3f", width=100, help=tooltip("factuality score")),
        "mistake": text(width=96, help=tooltip("mistake")),
        "flagged": text(width=70, help=tooltip("flagged")),
        "label": text(width=96, help=tooltip("label")),
        "answer": text(width=_answer_width(rows, columns)),
        "other answer": text(width=_ANSWER),
        "query": text(width=_QUERY),
        "reviewers": text(width=230, help=tooltip("judgement")),
        _DATE: text(width=130),
        "audit": number(format="%d", width=60),
        "line": number(format="%d", width=60, help=_LINE_HELP),
        "also by": text(
            width=150, help="Other audits of the same answer, each with the symbol of its verdict."
        ),
        "corrected from": number(format="%d", help="The audit whose answer this one corrects."),
    }


def narrow_configuration(columns: Columns) -> dict[str, ColumnConfig]:
    """How the columns of the narrow form are drawn."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        columns.verdict: text(columns.narrow_verdict or None, width=74, help=tooltip("verdict")),
        columns.change: text(columns.narrow_change or None, width=80, help=tooltip("verdict")),
        "score": number(format="%.3f", width=58, help=tooltip("factuality score")),
        _REVIEWERS: text(width=58, help=tooltip("judgement")),
        "answer": text(width=102 if columns.change else 124),
        "label": text(width=50, help=tooltip("label")),
    }
