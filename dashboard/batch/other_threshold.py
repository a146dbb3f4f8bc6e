"""A run under another threshold: new verdicts on the same scores, as a run of their own."""

from __future__ import annotations

import streamlit as st

from dashboard.batch.upload import STARTED
from dashboard.shared.access import Role, allowed
from dashboard.shared.problems import draw_outcome, kept_problems
from storage import Run, RunNotFound, RunStore
from storage.worker.process import start_worker

_OUTCOME = "other_threshold"


def draw_other_threshold(run: Run) -> None:
    """The form that makes the new run, and the way to compare both. StorageError when the run that
    this one has the rows of cannot be read."""
    draw_outcome(_OUTCOME, "The run was not made under another threshold.")
    if run.verdicts_of is not None:
        _draw_comparison(run, run.verdicts_of)
    key = f"other_threshold_{run.id}"
    with st.popover("Another threshold", icon=":material/tune:"):
        st.caption(
            "Makes a run of the same rows under another threshold. It takes the scores of this "
            "run: no model reads a text again. This run keeps its verdicts."
        )
        st.number_input(
            "Threshold", 0.0, 1.0, run.parameters.threshold, 0.01, format="%.3f", key=key
        )
        st.button(
            "Make the run", type="primary", key=f"make_{key}", on_click=_make, args=(run.id, key)
        )


def _draw_comparison(run: Run, other: int) -> None:
    try:
        names = [RunStore.open().get(other).name, run.name]
    except RunNotFound:
        return  # It was deleted since the run was read.
    st.page_link(
        "pages/compare.py",
        label=f"Compare with run {other}",
        icon=":material/compare_arrows:",
        query_params={"runs": names},
        width="content",
    )


@allowed(Role.REVIEWER, "give a run another threshold")
def _make(number: int, key: str) -> None:
    state = st.session_state
    with kept_problems(_OUTCOME):
        made = RunStore.open().under_threshold(number, state[key])
        start_worker(made)
        state[STARTED] = True
        st.query_params.from_dict({"run": str(made)})
