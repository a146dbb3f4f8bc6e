"""How well the embedded models do on public data sets, beside published figures."""

from pathlib import Path

import streamlit as st

from dashboard.benchmarks.results import (
    draw_commands,
    draw_curve,
    draw_differences,
    draw_downloads,
    draw_opening,
    draw_sets,
    draw_tables,
    kept_results,
)
from dashboard.shared.navigation import require_app

FOLDER = Path(__file__).parents[1] / "benchmarks"

require_app()
st.title("Benchmarks")
results = kept_results(FOLDER)
if results is None:
    st.stop()
draw_opening(results)
st.header("ROC AUC on every set")
draw_sets(results)
draw_tables(results)
st.header("ROC curve")
draw_curve(results)
st.header("Where our figures differ from the paper's, and why")
draw_differences()
st.header("How the figures were made")
st.caption(
    "The commands below measured these figures on public labelled sets. Nothing was trained, "
    "tuned or chosen on these sets. Figures of others come from their publications."
)
draw_commands(results)
draw_downloads(FOLDER)
