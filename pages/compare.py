"""Runs over the same items side by side, and the best of several answers to one query."""

import streamlit as st

from dashboard.compare.candidates import draw_candidates
from dashboard.compare.first_choice import choose_two_runs
from dashboard.compare.runs import draw_runs
from dashboard.shared.cache import item_total
from dashboard.shared.export_menu import draw_found
from dashboard.shared.filter_bar import draw_hidden, item_filter
from dashboard.shared.navigation import require_app
from dashboard.shared.problems import shown_problems

require_app()
st.session_state.pop("shown_audit", None)  # Opening an audit from here fills the form again.
st.title("Compare")
st.caption("Compare runs over the same rows, or several answers to one query ranked by score.")
with shown_problems("The comparison cannot be made."):
    choose_two_runs()
    bar, menus = st.container(), st.container(horizontal=True, vertical_alignment="center")
    with bar:
        chosen = item_filter("tab", "match", "first", "second", "flips", rest=menus)
    draw_hidden(chosen, menus)
    draw_found(item_total(chosen), chosen, "compare")
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
