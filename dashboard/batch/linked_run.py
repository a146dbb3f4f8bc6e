"""The run that the page's link names (``?run=ID``)."""

from __future__ import annotations

import streamlit as st

from dashboard.batch.rows import draw_run, linked_run
from dashboard.batch.runs import draw_chosen
from dashboard.batch.upload import STARTED
from dashboard.shared.problems import shown_problems
from dashboard.shared.to_top import scroll_to_top


def draw_linked_run() -> bool:
    """The run with its rows; False where no link names one, or it cannot be shown."""
    to_top = st.empty()
    if st.session_state.pop(STARTED, False):
        scroll_to_top(to_top)
    wanted = st.query_params.get("run", "")
    if not wanted:
        return False
    with shown_problems("The run cannot be shown."):
        run = linked_run(wanted)
        draw_chosen(run)
        draw_run(run)
        return True
    return False
