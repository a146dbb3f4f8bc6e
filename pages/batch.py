"""Audit every row of a file; the runs, and the rows of one (``?run=ID``)."""

import streamlit as st

from dashboard.batch.rows import draw_run, linked_run
from dashboard.batch.runs import draw_chosen, draw_runs
from dashboard.batch.upload import draw_upload
from dashboard.shared.navigation import require_app
from dashboard.shared.sidebar import draw_settings, start_settings
from provenance_core import InputError
from storage import StorageError

require_app()
st.session_state.pop("shown_audit", None)  # Opening an audit from here fills its form.
start_settings()
st.title("Batch")
st.caption(
    "Audits every row of a file. It goes on when this page is closed, and can be resumed after "
    "any interruption; no row is audited twice."
)
parameters = draw_settings()
draw_upload(parameters, st.session_state.profile)

if wanted := st.query_params.get("run", ""):
    try:
        run = linked_run(wanted)
        draw_chosen(run)
        draw_run(run)
    except (InputError, StorageError) as error:
        st.error("The run cannot be shown.")
        st.text(str(error))
    else:
        st.stop()

st.subheader("Runs")
try:
    draw_runs()
except StorageError as error:
    st.error("The runs cannot be listed.")
    st.text(str(error))
