"""The kept results of the public data sets: figures, tables, curves and files."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.benchmarks.charts import forest, roc_figure
from dashboard.benchmarks.opening import measured_sets, opening_text, profile_text, set_rows
from dashboard.shared.charts import draw_chart
from dashboard.shared.text_table import text_table
from provenance_core import InputError
from provenance_core.evaluation.report import DIFFERENCES, RESULTS, TABLES, notes, read_results
from provenance_core.evaluation.tables import Cell, Table, all_tables
from provenance_core.evaluation.types import Results


def kept_results(folder: Path) -> Results | None:
    """The results in ``folder``; None, and a word about it, where there are none."""
    try:
        return read_results(folder)
    except InputError as problem:
        st.info("No results are stored here yet.")
        st.text(str(problem))
        return None


def draw_commands(results: Results) -> None:
    """How the figures were made and are to be read."""
    st.code("\n".join(results.commands), language=None, wrap_lines=True)
    with st.expander("Models, parameters and how to read the figures"):
        st.text("\n".join(results.made_with))
        st.text(notes(results))


def draw_opening(results: Results) -> None:
    """What the results say in a sentence, and each set in a line."""
    st.markdown(f"{opening_text(results)}\n\n{profile_text(results)}")
    head = ("Answers", "Supported ranked first (of 100)", "Best trivial baseline", "Better")
    st.html(text_table(head, set_rows(results)))
    if any(result.training_overlap for result in measured_sets(results)):
        st.caption("\\* The training data has rows related to this set.")


def draw_sets(results: Results) -> None:
    """The AUC of every set."""
    draw_chart(forest(measured_sets(results)), "forest")
    st.caption(
        "Bars: 95 % interval over source documents. * The training data has rows related to this "
        "set."
    )


def draw_tables(results: Results) -> None:
    """The table that is chosen."""
    tables = all_tables(results)
    titles = [table.title for table in tables]
    chosen = st.selectbox("Table", titles, key="table", bind="query-params")
    for table in tables:
        if table.title == chosen:
            _draw_table(table)


def draw_curve(results: Results) -> None:
    """The ROC curve of the set that is chosen."""
    ours = measured_sets(results)
    picked = st.selectbox("Set", [r.dataset for r in ours], key="set", bind="query-params")
    for result in ours:
        if result.dataset == picked:
            draw_chart(roc_figure(result), "roc")
            st.caption(
                f"{result.n:,} rows from {result.groups:,} sources, "
                f"{100 * (result.base_rate or 0):.1f} % supported. Area x 100 next to each name."
            )


def draw_differences() -> None:
    """Where our figures differ from the paper's."""
    st.markdown(DIFFERENCES)


def draw_downloads(folder: Path) -> None:
    """A button for each file of the results."""
    for name, kind in ((TABLES, "text/markdown"), (RESULTS, "application/json")):
        st.download_button(f"Download {name}", (folder / name).read_bytes(), name, kind)


def _draw_table(table: Table) -> None:
    if table.caption:
        st.text(table.caption)
    if not table.rows:
        st.info("Not measured: the data was not available.")
        return
    st.html(text_table(table.head, [[_cell(value) for value in row] for row in table.rows]))


def _cell(value: Cell) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if isinstance(value, float) else str(value)
