"""The agreement section of the review page."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.review.agreement_tables import Unit, machine_table, pairs_table, spans_table
from dashboard.shared.cache import database_key
from dashboard.shared.resources import reviews
from provenance_core.statistics.agreement import AgreementReport, agreement_report
from storage import ItemFilter

_HELP = (
    "Kappa is Cohen's: 1 is full agreement, 0 what chance gives. Intervals are 95 % by a "
    "bootstrap over audits. Between reviewers “cannot tell” is a verdict of its own; against the "
    "machine, which always decides, such judgements are left out and counted. The majority is "
    "what more reviewers of an answer say, supported or hallucinated. The last judgement of each "
    "reviewer counts."
)


def draw_agreement(chosen: ItemFilter) -> None:
    """Everything about the judgements of the audits that pass. StorageError when they cannot be
    read."""
    report = _report(database_key(chosen), chosen)
    if not report.reviews:
        st.info("No audit that passes these filters has been judged yet.")
        return
    st.caption(
        f"Judgements: {report.reviews:,} · audits: {report.audits:,} · reviewers: "
        f"{len(report.machine) - 1:,}. {_HELP}"
    )
    unit = st.segmented_control(
        "Compare", list(Unit), default=Unit.ANSWERS, required=True, key="unit", bind="query-params"
    )
    unit = Unit(unit)
    st.header("Reviewers against the machine")
    if unit is Unit.SENTENCES:
        st.caption(
            "The machine's sentences are hallucinated where it calls them contradicted or not "
            "found, else supported, those that it set aside included."
        )
    _draw(machine_table(report, unit), "machine_table")
    st.header("Reviewers against each other")
    if not report.pairs:
        st.caption("Agreement needs two reviewers.")
        return
    _draw(pairs_table(report, unit), "pairs_table")
    st.header("Spans that two reviewers marked")
    st.caption(
        "Characters over all answers together. Precision: share of the other reviewer's that the "
        "reviewer marked too; recall: share of the reviewer's that the other marked too. Spans "
        "of abstention or with nothing to check are left out."
    )
    _draw(spans_table(report), "spans_table")


@st.cache_resource(max_entries=8, show_spinner="Comparing the judgements…")
def _report(key: str, _chosen: ItemFilter) -> AgreementReport:
    """Kept by the state of the database. A resource: it is frozen, and needs no copy a reading."""
    return agreement_report(reviews().each(_chosen))


def _draw(table: pd.DataFrame, key: str) -> None:
    figures = table.select_dtypes("float").columns
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        placeholder="–",
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in figures},
    )
