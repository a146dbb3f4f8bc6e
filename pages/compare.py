"""Runs over the same items side by side, and the best of several answers to one query."""

import streamlit as st

from dashboard.compare_candidates import draw_candidates
from dashboard.compare_runs import draw_runs
from dashboard.item_filter import item_filter
from dashboard.navigation import require_app
from storage import StorageError

require_app()
st.title("Compare")
try:
    chosen = item_filter()
    runs_tab, candidates_tab = st.tabs(
        ["Runs", "Candidate answers"], key="tab", on_change="rerun", bind="query-params"
    )
    # Only the open tab is computed.
    if candidates_tab.open:
        with candidates_tab:
            draw_candidates(chosen)
    else:
        with runs_tab:
            draw_runs(chosen)
except StorageError as error:
    st.error("The comparison cannot be made.")
    st.text(str(error))
