"""How well the embedded models do on public data sets, beside published figures."""

from pathlib import Path

import streamlit as st

from dashboard.benchmarks.charts import forest, frame, roc_figure
from dashboard.shared.navigation import require_app
from provenance_core import InputError
from provenance_core.evaluation.report import DIFFERENCES, RESULTS, TABLES, notes, read_results
from provenance_core.evaluation.tables import all_tables, of_method
from provenance_core.evaluation.types import Method

FOLDER = Path(__file__).parents[1] / "benchmarks"

require_app()
st.title("Benchmarks")
try:
    results = read_results(FOLDER)
except InputError as problem:
    st.info("No results are kept here yet.")
    st.text(str(problem))
    st.stop()

ours = [r for r in of_method(results, Method.PROVENANCE) if r.figures[0].auc is not None]
st.caption(
    "Measured on public labelled sets that nothing was trained, tuned or chosen on, by the "
    "commands below. Figures of others are copied from their publications."
)
st.code("\n".join(results.commands), language="bash", wrap_lines=True)
with st.expander("Models, parameters and how to read the figures"):
    st.text("\n".join(results.made_with))
    st.text(notes(results))

st.subheader("ROC AUC on every set")
st.plotly_chart(forest(ours), config={"displayModeBar": False}, key="forest")
st.caption(
    "Bars: 95 % interval over source documents. * kin of the set was among the training pairs."
)

tables = all_tables(results)
chosen = st.selectbox("Table", [table.title for table in tables], key="table", bind="query-params")
for table in tables:
    if table.title != chosen:
        continue
    if table.caption:
        st.text(table.caption)
    if table.rows:
        data = frame(table)
        numbers = data.select_dtypes("float").columns
        st.dataframe(
            data,
            hide_index=True,
            placeholder="–",
            column_config={name: st.column_config.NumberColumn(format="%.1f") for name in numbers},
        )
    else:
        st.info("Not measured: no data at hand.")

st.subheader("ROC curve")
names = [r.dataset for r in ours]
picked = st.selectbox("Set", names, key="set", bind="query-params")
for result in ours:
    if result.dataset == picked:
        st.plotly_chart(roc_figure(result), config={"displayModeBar": False}, key="roc")
        st.caption(
            f"{result.n:,} rows from {result.groups:,} sources, "
            f"{100 * (result.base_rate or 0):.1f} % supported. Area x 100 beside each name."
        )

st.subheader("Where our figures differ from the paper's, and why")
st.markdown(DIFFERENCES)
for name, kind in ((TABLES, "text/markdown"), (RESULTS, "application/json")):
    st.download_button(f"Download {name}", (FOLDER / name).read_bytes(), name, kind)
