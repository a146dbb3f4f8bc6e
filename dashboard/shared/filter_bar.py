"""The filter bar of every page that lists items; its state is in the URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.shared.filter_state import bring_along, keep
from provenance_core import DETECTORS, Verdict
from provenance_core.explain.names import detector_title
from provenance_core.types import VerdictState
from reports.glossary import tooltip
from reports.listed_audits import filter_lines
from reports.wording import STATES
from storage import SEARCH_LIMIT, AuditFilter, ItemFilter, ItemOrder, ItemStore, Reviewed, RunStore

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)
ValueT = TypeVar("ValueT")

_ALL = "all"
_DAY = "YYYY-MM-DD"  # as the lists and the address write it
REVIEWED = {
    Reviewed.ANY: _ALL,
    Reviewed.UNREVIEWED: "not reviewed",
    Reviewed.REVIEWED: "reviewed",
    Reviewed.DISPUTED: "reviewers disagree",
    Reviewed.UNSETTLED: "reviewers disagree, not settled",
    Reviewed.SETTLED: "settled by a gold label",
    Reviewed.OVERRULED: "a reviewer disagrees with the machine",
}
LABELS = {None: _ALL, 1: "supported", 0: "hallucinated"}
# Every widget of the bar, by its key.
_KEYS = (
    *("runs", "text", "verdict", "reviewed", "label", "score", "since", "until"),
    *("subset", "task", "source_model", "detector_is"),
)


def _choice(
    place: DeltaGenerator,
    title: str,
    key: str,
    words: Mapping[ValueT, str],
    explained: str | None = None,
) -> ValueT:
    """A box of the bar with the words of its values. "All", that is None, is a choice like the
    others: Streamlit's button would clear nothing."""
    chosen: ValueT = place.selectbox(
        title,
        list(words),
        format_func=words.__getitem__,
        key=key,
        bind="query-params",
        placeholder=_ALL if None in words else None,
        required=None in words,
        help=explained,
    )
    return chosen


def named_value(key: str, words: Mapping[ChoiceT, str]) -> None:
    """Before a box of ``words`` is drawn: where the address names one of its values as the command
    line and the exports do (``supported_flagged``), put the box's words in their place."""
    given = st.query_params.get(key)
    for value, said in words.items():
        if str(value) == given != said:
            st.query_params[key] = said
            # The box reads the address as it is when a run begins.
            st.rerun()


def text_box(place: DeltaGenerator) -> str:
    """The text to look for."""
    return place.text_input(
        "Text in query, answer or context", key="text", max_chars=SEARCH_LIMIT, bind="query-params"
    )


def label_text(label: int | None) -> str:
    """What the data set says of an answer, the same in every list."""
    return "no label" if label is None else f"label: {LABELS[label]}"


def verdict_box(place: DeltaGenerator) -> VerdictState | None:
    """The machine's verdict, and whether it holds for every sentence; None for all."""
    named_value("verdict", {state: name for state, (_, name) in STATES.items()})
    words: dict[VerdictState | None, str] = {
        None: _ALL,
        **{state: STATES[state][1] for state in VerdictState},
    }
    return _choice(place, "Verdict", "verdict", words)


def of_state(state: VerdictState | None, chosen: AuditFilter) -> AuditFilter:
    """``chosen`` with the condition of :func:`verdict_box`."""
    if state is None:
        return chosen
    if state in (VerdictState.HALLUCINATED, VerdictState.NOTHING_TO_CHECK):
        return replace(chosen, verdict=Verdict(str(state)))
    return replace(chosen, verdict=Verdict.SUPPORTED, flagged=state is VerdictState.FLAGGED)


def order_box(
    place: DeltaGenerator, orders: Mapping[ItemOrder, str], key: str, explained: str | None = None
) -> ItemOrder:
    """Which comes first, of ``orders`` with their words; the first of them at the start.
    ``explained``: on hover."""
    named_value(key, orders)
    return _choice(place, "Order", key, orders, explained)


def detector_box(place: DeltaGenerator) -> str | None:
    """What scored the answer; None for all. ``detector`` is the key of the sidebar's choice."""
    words: dict[str | None, str] = {
        None: _ALL,
        **{str(name): detector_title(name) for name in DETECTORS},
    }
    return _choice(place, "Detector", "detector_is", words)


def label_box(place: DeltaGenerator) -> int | None:
    """The data set's label; None for all."""
    return _choice(place, "Label", "label", LABELS, tooltip("label of the data set"))


def date_boxes(first: DeltaGenerator, last: DeltaGenerator) -> tuple[date | None, date | None]:
    """The days, in UTC, of the first and last audits; None for no end."""
    since = first.date_input("From", value=None, key="since", bind="query-params", format=_DAY)
    until = last.date_input("To", value=None, key="until", bind="query-params", format=_DAY)
    if since and until and until < since:
        last.caption("This day is before the first one.")
    return since, until


def audit_filter() -> AuditFilter:
    """Draw the bar of a list that knows audits only; state as that of :func:`item_filter`."""
    names = ("text", "verdict", "since", "until", "detector_is")
    bring_along(names)
    boxes = st.container(key="filter_boxes").columns([9, 5, 5, 6, 6])
    text, state = text_box(boxes[0]), verdict_box(boxes[1])
    detector = detector_box(boxes[2])
    chosen = of_state(state, AuditFilter(text, None, *date_boxes(*boxes[3:]), detector))
    keep(names)
    return chosen


def item_filter(*others: str, rest: DeltaGenerator | None = None) -> ItemFilter:
    """Draw the bar, and return the filter that it shows. ``others``: keys of more widgets of the
    page, which show what they showed when a visitor comes back. ``rest``: a row of menus, one of
    which takes all but the runs, so that little of the page goes to the bar.

    Every widget's key is the name of its query parameter, the same on all pages, so that a
    filter goes along from page to page and with a copied link. StorageError when the runs or
    the values to choose from cannot be read."""
    keys = (*_KEYS, *others)
    bring_along(keys)
    if rest is None:
        first = st.container(key="filter_boxes").columns([2, 2, 1, 1])
        runs = _runs_box(first[0])
        boxes: Sequence[DeltaGenerator] = first[1:]
        more: DeltaGenerator = st.expander("More filters", icon=":material/filter_list:")
    else:
        runs = _runs_box(st.container())
        more = rest.popover("Filters", icon=":material/filter_list:")
        boxes = more.container(key="filter_boxes").columns([2, 1, 1])
    text, verdict_state = text_box(boxes[0]), verdict_box(boxes[1])
    reviewed = _reviewed_box(boxes[2])
    with more:
        place = st.container(key="more_filter_boxes")
        # A menu is not as wide as the page.
        in_a_row = 5 if rest is None else 3
        cells = [cell for _ in range(0, 8, in_a_row) for cell in place.columns(in_a_row)]
        label = label_box(cells[0])
        values = ItemStore.open().filter_values(runs)
        subset = _value_box(cells[1], "Subset", "subset", values.subset)
        task = _value_box(cells[2], "Task", "task", values.task)
        source_model = _value_box(cells[3], "Source model", "source_model", values.source_model)
        low, high = cells[4].slider(
            "Score", 0.0, 1.0, (0.0, 1.0), 0.01, "%.3f", key="score", bind="query-params"
        )
        since, until = date_boxes(*cells[5:7])
        detector = detector_box(cells[7])
    keep(keys)
    return ItemFilter(
        runs=runs,
        audits=of_state(verdict_state, AuditFilter(text, None, since, until, detector)),
        label=label,
        subset=subset,
        task=task,
        source_model=source_model,
        score_from=low if low > 0 else None,
        score_to=high if high < 1 else None,
        reviewed=reviewed,
    )


def draw_hidden(chosen: ItemFilter, place: DeltaGenerator) -> None:
    """What the menu of :func:`item_filter` lets pass, in words, where that is not everything."""
    hidden = replace(chosen, runs=())
    if hidden != ItemFilter():
        place.text("; ".join(filter_lines(hidden, ())), width="content")


def _reviewed_box(place: DeltaGenerator) -> Reviewed:
    """What people have said."""
    named_value("reviewed", REVIEWED)
    return _choice(place, "Reviewed", "reviewed", REVIEWED)


def _runs_box(place: DeltaGenerator) -> tuple[int, ...]:
    """Numbers of the chosen runs; none stands for all audits."""
    state = st.session_state
    names = {run.name: run.id for run in RunStore.open().names()}
    if not set(state.get("runs", ())) <= names.keys():  # One was deleted meanwhile.
        state.runs = [name for name in state.runs if name in names]
    chosen = place.multiselect(
        "Runs", list(names), key="runs", bind="query-params", placeholder="all audits"
    )
    return tuple(names[name] for name in chosen)


def _value_box(place: DeltaGenerator, title: str, key: str, values: tuple[str, ...]) -> str:
    """One of ``values``; '' for all."""
    words: dict[str, str] = {"": _ALL, **{value: value for value in values}}
    state = st.session_state
    if state.get(key, "") not in words:  # The chosen runs have no such value.
        state[key] = ""
    return _choice(place, title, key, words)
