"""Audit every row of a file; the runs, and the rows of one (``?run=ID``)."""

import streamlit as st

from dashboard.batch.linked_run import draw_linked_run
from dashboard.batch.runs import draw_runs
from dashboard.batch.upload import draw_upload
from dashboard.shared.access import Role
from dashboard.shared.navigation import require_app
from dashboard.shared.problems import shown_problems
from dashboard.shared.settings import leave_audit, start_settings
from dashboard.shared.sidebar import draw_settings

require_app(Role.REVIEWER)
st.session_state.pop("shown_audit", None)  # Opening an audit from here fills its form.
start_settings()
leave_audit()
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    st.title("Batch", width="content")
    if "run" in st.query_params:
        st.page_link(
            "pages/batch.py",
            label="All runs and new files",
            icon=":material/arrow_back:",
            width="content",
        )
# Beside a run, the settings of the next one would be a second detector and threshold on the page.
if not draw_linked_run():
    parameters = draw_settings()
    st.caption(
        "Audits every row of a file. A run continues when you close this page and can be resumed "
        "after any interruption. No row is audited twice."
    )
    draw_upload(parameters, st.session_state.profile)
    st.header("Runs")
    with shown_problems("The runs cannot be listed."):
        draw_runs()
