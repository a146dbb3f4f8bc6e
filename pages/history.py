"""All saved audits, newest first."""

import streamlit as st

from dashboard.history.audit_import import draw_audit_import
from dashboard.history.label_import import draw_label_import
from dashboard.history.rows import draw_delete_problem, draw_rows
from dashboard.shared.filter_bar import audit_filter
from dashboard.shared.navigation import require_app
from dashboard.shared.problems import shown_problems

require_app()
st.session_state.pop("shown_audit", None)  # Opening it from here fills the form again.
st.title("History")
draw_delete_problem()
chosen = audit_filter()
with shown_problems("The history cannot be read."):
    draw_rows(chosen)
st.header("Import")
draw_audit_import("audits")
draw_label_import("labels")
