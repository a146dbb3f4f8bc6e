"""The filter bar of every page that lists items; its state is in the URL."""

from __future__ import annotations

from datetime import date

import streamlit as st

from provenance_core import Verdict
from storage import (
    SEARCH_LIMIT,
    AuditFilter,
    ItemColumn,
    ItemFilter,
    ItemStore,
    Reviewed,
    RunStore,
)

from .wording import VERDICTS

_ALL = "all"
REVIEWED = {
    Reviewed.ANY: _ALL,
    Reviewed.UNREVIEWED: "not reviewed",
    Reviewed.REVIEWED: "reviewed",
    Reviewed.DISPUTED: "reviewers disagree",
    Reviewed.OVERRULED: "a reviewer disagrees with the machine",
}
LABELS = {None: _ALL, 1: "supported", 0: "hallucinated"}
_COLUMNS = (
    (ItemColumn.SUBSET, "Subset"),
    (ItemColumn.TASK, "Task"),
    (ItemColumn.SOURCE_MODEL, "Source model"),
)


def item_filter() -> ItemFilter:
    """Draw the bar; the filter that it shows.

    Every widget's key is the name of its query parameter, the same on all pages, so that a
    filter goes along from page to page and with a copied link. StorageError when the runs or
    the values to choose from cannot be read.
    """
    names = {run.name: run.id for run in RunStore.open().runs()}
    first = st.columns([2, 2, 1, 1])
    chosen = first[0].multiselect(
        "Runs", list(names), key="runs", bind="query-params", placeholder="all audits"
    )
    runs = tuple(names[name] for name in chosen)
    text = first[1].text_input(
        "Text in query, answer or context", key="text", max_chars=SEARCH_LIMIT, bind="query-params"
    )
    verdict = first[2].selectbox(
        "Verdict",
        [None, *Verdict],
        format_func=lambda v: _ALL if v is None else VERDICTS[v][1],
        key="verdict",
        bind="query-params",
    )
    reviewed: Reviewed = first[3].selectbox(
        "Reviewed",
        [*Reviewed],
        format_func=REVIEWED.__getitem__,
        key="reviewed",
        bind="query-params",
    )
    with st.expander("More filters", icon=":material/filter_list:"):
        second = st.columns(5)
        label = second[0].selectbox(
            "Label",
            list(LABELS),
            format_func=LABELS.__getitem__,
            key="label",
            bind="query-params",
            help="What the data set says of the answer.",
        )
        values = [
            place.selectbox(
                title,
                ["", *ItemStore.open().values(column, ItemFilter(runs=runs))],
                format_func=lambda value: value or _ALL,
                key=column.value,
                bind="query-params",
            )
            for place, (column, title) in zip(second[1:4], _COLUMNS, strict=True)
        ]
        low, high = second[4].slider(
            "Score", 0.0, 1.0, (0.0, 1.0), 0.01, key="score", bind="query-params"
        )
        third = st.columns(5)
        since: date | None = third[0].date_input(
            "From", value=None, key="since", bind="query-params"
        )
        until: date | None = third[1].date_input("To", value=None, key="until", bind="query-params")
    return ItemFilter(
        runs=runs,
        audits=AuditFilter(text, verdict, since, until),
        label=label,
        subset=values[0],
        task=values[1],
        source_model=values[2],
        score_from=low if low > 0 else None,
        score_to=high if high < 1 else None,
        reviewed=reviewed,
    )
