"""Audit one answer, look at a saved audit (``?audit=ID``), or at the demonstration
(``?demo=1``)."""

import streamlit as st

from dashboard.audit.form import start_form
from dashboard.audit.shown import (
    draw_folding_form,
    draw_head,
    draw_link_problem,
    draw_shown,
    has_result,
    open_linked,
    result_under,
    run_audit,
)
from dashboard.demo.view import draw_demo, wanted_step
from dashboard.shared.navigation import require_app
from dashboard.shared.settings import start_settings
from dashboard.shared.sidebar import draw_settings

require_app()
step = wanted_step()
if step is not None:
    draw_demo(step)
    st.stop()
start_form()
start_settings()
saved, problem = open_linked()
parameters = draw_settings(with_threshold=not has_result(saved))
shown = result_under(saved, parameters)
draw_head(saved, shown)
draw_link_problem(problem)
pressed = draw_folding_form(saved, parameters)
if pressed is not None:
    run_audit(parameters, pressed)
else:
    draw_shown(saved, shown, parameters)
