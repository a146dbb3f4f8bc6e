"""What the two imports of the History page share: the button, and what came of the last import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from dashboard.shared.problems import draw_problem
from dashboard.shared.text_table import text_table
from provenance_core.files.types import RejectedRow
from reports.tables import shortened

_SHOWN = 100
R = TypeVar("R")


def draw_import(
    label: str,
    key: str,
    *,
    ready: bool,
    bring_in: Callable[[str], None],
    refused: str,
    draw_result: Callable[[R], None],
) -> None:
    """The button ``label``, which calls ``bring_in`` with ``key``, and what it kept for the page
    by :func:`keep_problem` or :func:`keep_result`. ``refused``: what a problem is headed by."""
    st.button(label, disabled=not ready, key=f"{key}_import", on_click=bring_in, args=(key,))
    if problem := st.session_state.pop(f"{key}_problem", ""):
        draw_problem(st.session_state.pop(f"{key}_refused", "") or refused, problem)
    result: R | None = st.session_state.pop(f"{key}_result", None)
    if result is not None:
        draw_result(result)


def keep_problem(key: str, problem: object, refused: str = "") -> None:
    """Why not everything was imported, for the page, which is drawn after its callbacks.
    ``refused``: what it is headed by, in the place of what the form says."""
    st.session_state[f"{key}_problem"] = str(problem)
    st.session_state[f"{key}_refused"] = refused


def keep_result(key: str, result: object) -> None:
    """What was imported, for the page."""
    st.session_state[f"{key}_result"] = result


def draw_rejected(rows: Sequence[RejectedRow]) -> None:
    """The first of the lines that could not be used, each with the reason."""
    shown = rows[:_SHOWN]
    if shown:
        cells = [(f"{row.line:,}", row.reason, shortened(row.raw)) for row in shown]
        unit = rows[0].unit.capitalize()
        st.html(text_table((unit, "Why it was rejected", "Text"), cells, first_named=True))
    if len(rows) > len(shown):
        st.caption(f"The first {len(shown)} of {len(rows):,}.")
