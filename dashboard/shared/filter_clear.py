"""Where nothing passes the filters that are set: what each of them asks for, and a button that
clears it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from dashboard.shared.links import page_links
from reports.listed_audits import filter_lines
from storage import AuditFilter, ItemFilter, Reviewed, RunStore

_NO_TEXT = ""
# What a widget of the bar, by its key, shows where it does not filter.
_CLEARED: dict[str, object] = {
    "runs": [],
    "text": _NO_TEXT,
    "verdict": None,
    "detector_is": None,
    "since": None,
    "until": None,
    "label": None,
    "subset": _NO_TEXT,
    "task": _NO_TEXT,
    "source_model": _NO_TEXT,
    "score": (0.0, 1.0),
    "reviewed": Reviewed.ANY,
}
_NAMES = {
    "detector_is": "detector",
    "since": "first day",
    "until": "last day",
    "source_model": "source model",
    "reviewed": "reviews",
}


def draw_nothing_found(chosen: ItemFilter, key: str) -> None:
    """Say that nothing passes ``chosen``, and offer to clear each condition that a widget of the
    page sets. ``key``: unique on the page. StorageError when the runs cannot be read."""
    conditions = [each for each in _conditions(chosen) if each[0] in st.session_state]
    if not conditions:
        return
    st.info(
        "Nothing passes this filter, so there is nothing to show and nothing to export. Clear it:"
        if len(conditions) == 1
        else "Nothing passes all of these filters together, so there is nothing to show and "
        "nothing to export. Clear one of them:"
    )
    for name, said in conditions:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button(
                f"Clear {_NAMES.get(name, name)}",
                icon=":material/filter_alt_off:",
                key=f"{key}_clear_{name}",
                on_click=_clear,
                args=(name,),
            )
            st.text(said, width="content")


def draw_no_items(chosen: ItemFilter, key: str) -> None:
    """What to do where a page of items has none: clear a filter, or audit something first. ``key``:
    unique on the page. StorageError when the runs cannot be read."""
    if chosen == ItemFilter(seed=chosen.seed):
        st.info("There is no audit yet. Audit an answer, or a file of answers.")
        page_links("audit", "batch")
    else:
        draw_nothing_found(chosen, key)


def _clear(name: str) -> None:
    st.session_state[name] = _CLEARED[name]


def _conditions(chosen: ItemFilter) -> Iterator[tuple[str, str]]:
    """The key of each widget that sets a condition, with what it asks for in words."""
    audits = chosen.audits
    alone = {
        "text": AuditFilter(text=audits.text),
        "verdict": AuditFilter(verdict=audits.verdict, flagged=audits.flagged),
        "detector_is": AuditFilter(detector=audits.detector),
        "since": AuditFilter(since=audits.since),
        "until": AuditFilter(until=audits.until),
    }
    nothing = ItemFilter()
    each_alone = {
        "runs": replace(nothing, runs=chosen.runs),
        **{name: replace(nothing, audits=condition) for name, condition in alone.items()},
        "label": replace(nothing, label=chosen.label),
        "subset": replace(nothing, subset=chosen.subset),
        "task": replace(nothing, task=chosen.task),
        "source_model": replace(nothing, source_model=chosen.source_model),
        "score": replace(nothing, score_from=chosen.score_from, score_to=chosen.score_to),
        "reviewed": replace(nothing, reviewed=chosen.reviewed),
    }
    runs = {run.id: run.name for run in RunStore.open().names()} if chosen.runs else {}
    names = [runs[number] for number in chosen.runs if number in runs]
    for key, condition in each_alone.items():
        if condition != nothing:
            yield key, ", ".join(filter_lines(condition, names if key == "runs" else ()))
