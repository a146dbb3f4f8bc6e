"""Audit one answer, or look at a saved audit (``?audit=ID``)."""

import streamlit as st

from dashboard.audit.form import draw_form, start_form
from dashboard.audit.shown import (
    draw_link_problem,
    draw_shown,
    open_linked,
    run_audit,
    where_it_runs,
)
from dashboard.shared.navigation import require_app
from dashboard.shared.sidebar import draw_settings, start_settings

require_app()
start_form()
start_settings()
saved, problem = open_linked()
st.title("Audit an answer")
st.caption(f"Is the answer supported by its context? {where_it_runs()}")
draw_link_problem(problem)
parameters = draw_settings()
if draw_form(parameters):
    run_audit(parameters)
else:
    draw_shown(saved, parameters)
