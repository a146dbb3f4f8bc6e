"""The kept results of the public data sets: figures, tables, curves and files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

import streamlit as st

from dashboard.benchmarks.charts import forest, frame, roc_figure
from provenance_core import InputError
from provenance_core.evaluation.report import DIFFERENCES, RESULTS, TABLES, notes, read_results
from provenance_core.evaluation.tables import Table, all_tables, auc_of, of_method
from provenance_core.evaluation.types import EvaluationResult, Method, Results
from provenance_core.types import DEFAULT_DETECTOR

_NO_BAR = {"displayModeBar": False}


def kept_results(folder: Path) -> Results | None:
    """The results in ``folder``; None, and a word about it, where there are none."""
    try:
        return read_results(folder)
    except InputError as problem:
        st.info("No results are kept here yet.")
        st.text(str(problem))
        return None


def draw_commands(results: Results) -> None:
    """How the figures were made and are to be read."""
    st.code("\n".join(results.commands), language=None, wrap_lines=True)
    with st.expander("Models, parameters and how to read the figures"):
        st.text("\n".join(results.made_with))
        st.text(notes(results))


def summary_text(results: Results) -> str:
    """What the results say, in two sentences: how often the default detector ranks a supported
    answer above a hallucinated one, beside the words that answer and context share."""
    known = [r for r in _ours(results) if not r.training_overlap] or _ours(results)
    if not known:
        return ""
    ranked = sorted(known, key=lambda result: result.figures[0].auc or 0.0)
    worst, best = ranked[0], ranked[-1]
    kind = "that no training data is related to" if not best.training_overlap else "of the report"
    text = (
        f"On {sum(r.n for r in known):,} answers of {len(known)} public set"
        f"{'' if len(known) == 1 else 's'} {kind}, a supported answer gets a higher score than a "
        f"hallucinated one in {_of_100(r.figures[0].auc for r in known)} of 100 pairs"
    )
    if worst is not best:
        text += (
            f" (the median set; {100 * (worst.figures[0].auc or 0):.0f} on {worst.dataset}, "
            f"{100 * (best.figures[0].auc or 0):.0f} on {best.dataset})"
        )
    words = [auc_of(r, Method.WORD_OVERLAP) for r in known]
    if counted := [each / 100 for each in words if each is not None]:
        text += f". Counting the shared words alone does so in {_of_100(counted)}"
    return f"{text}. 50 would be chance."


def _of_100(values: Iterable[float | None]) -> str:
    return f"{100 * median(value or 0.0 for value in values):.0f}"


def draw_sets(results: Results) -> None:
    """The AUC of every set."""
    st.plotly_chart(forest(_ours(results)), config=_NO_BAR, key="forest")
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
    ours = _ours(results)
    picked = st.selectbox("Set", [r.dataset for r in ours], key="set", bind="query-params")
    for result in ours:
        if result.dataset == picked:
            st.plotly_chart(roc_figure(result), config=_NO_BAR, key="roc")
            st.caption(
                f"{result.n:,} rows from {result.groups:,} sources, "
                f"{100 * (result.base_rate or 0):.1f} % supported. Area x 100 beside each name."
            )


def draw_differences() -> None:
    """Where our figures differ from the paper's."""
    st.markdown(DIFFERENCES)


def draw_downloads(folder: Path) -> None:
    """A button for each file of the results."""
    for name, kind in ((TABLES, "text/markdown"), (RESULTS, "application/json")):
        st.download_button(f"Download {name}", (folder / name).read_bytes(), name, kind)


def _ours(results: Results) -> Sequence[EvaluationResult]:
    """Those of the paper's detector that have an AUC."""
    return [r for r in of_method(results, DEFAULT_DETECTOR) if r.figures[0].auc is not None]


def _draw_table(table: Table) -> None:
    if table.caption:
        st.text(table.caption)
    if not table.rows:
        st.info("Not measured: no data at hand.")
        return
    data = frame(table)
    numbers = data.select_dtypes("float").columns
    st.dataframe(
        data,
        hide_index=True,
        placeholder="–",
        column_config={name: st.column_config.NumberColumn(format="%.1f") for name in numbers},
    )
