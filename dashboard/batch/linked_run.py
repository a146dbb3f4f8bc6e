"""The run that the page's link names (``?run=ID``)."""

from __future__ import annotations

import streamlit as st

from dashboard.batch.rows import draw_rejects_and_log, draw_rows, draw_summary, linked_run
from dashboard.batch.runs import POLL_SECONDS, any_active, draw_listed
from dashboard.batch.shares import draw_review_ways
from dashboard.batch.upload import STARTED
from dashboard.shared.problems import shown_problems
from dashboard.shared.scrolling import scroll_to_top
from storage import Run, RunStore, snapshot

# Every row that has come in means other figures, which take their time where there are many rows.
_MANY_ROWS, _POLL_MANY_SECONDS = 1_000, 10.0


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
        polled = any_active([run])
        st.fragment(_draw_run, run_every=_poll_seconds(run) if polled else None)(run.id, polled)
        draw_rejects_and_log(run)
        return True
    return False


def _poll_seconds(run: Run) -> float:
    return POLL_SECONDS if run.progress.total <= _MANY_ROWS else _POLL_MANY_SECONDS


def _draw_run(number: int, polled: bool) -> None:
    """Progress, figures and rows, kept up to date while the run is worked on. They are read in one
    moment: read one after the other, the progress would count other rows than the list."""
    if st.query_params.get("run") != str(number):
        st.rerun()  # It was deleted here: its figures and rows go from the page too.
    # Here, since a fragment is drawn again without its page.
    with shown_problems("The run cannot be shown."), snapshot():
        run = RunStore.open().get(number)
        # Drawn after its figures, which take seconds: the old ones would stand below the new head.
        head = st.container()
        with shown_problems("The run cannot be summarised."):
            draw_summary(run)
        with head:
            draw_listed([run], polled)
        with shown_problems("The run cannot be summarised."):
            draw_review_ways(run)
        with shown_problems("The rows cannot be listed."):
            draw_rows(run)
