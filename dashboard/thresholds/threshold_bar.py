"""The threshold's slider with what it makes of the labelled answers, and the menu that saves it:
they stay in view while the page scrolls."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.thresholds.data import View, figures
from provenance_core.statistics.thresholds.types import Confusion, ThresholdFigures
from reports.colours import OUTCOMES
from reports.glossary import tooltip
from reports.style_sheets import style_sheet

THRESHOLD = "chosen_threshold"
# Where the slider stood before anybody moved it.
_START = "threshold_start"
THRESHOLD_HELP = tooltip("threshold")
_STYLE = style_sheet(__file__)


@dataclass(frozen=True, slots=True)
class ThresholdBar:
    """``figures``: at the chosen threshold. ``menu``: the place of what saves it. ``notes``: of
    what became of that."""

    figures: ThresholdFigures
    menu: DeltaGenerator
    notes: DeltaGenerator


def draw_threshold_bar(view: View, start: float) -> ThresholdBar:
    """The slider, at ``start`` where nobody has moved it, and the four counts. StorageError when
    the scores cannot be read."""
    _follow(start)
    st.html(_STYLE)
    with st.container(key="threshold_bar"):
        threshold = st.slider(
            "Threshold",
            0.0,
            1.0,
            start,
            0.001,
            "%.3f",
            key=THRESHOLD,
            bind="query-params",
            help=THRESHOLD_HELP,
        )
        there = figures(view, threshold)
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        row.html(outcomes_markup(there.confusion), width="stretch")
        return ThresholdBar(there, row.container(width="content"), st.container())


def _follow(start: float) -> None:
    """Before the slider is drawn: other answers may have another ``start``, to which it goes unless
    it was moved, or the address names a threshold."""
    state = st.session_state
    unmoved = THRESHOLD in state and state[THRESHOLD] == state.get(_START)
    if unmoved and THRESHOLD not in st.query_params:
        state[THRESHOLD] = start
    state[_START] = start


def outcomes_markup(confusion: Confusion) -> str:
    """The four counts in words, in the colours of the confusion matrix."""
    counts = (
        ("Hallucinations caught", "caught", confusion.caught),
        ("Hallucinations missed", "missed", confusion.missed),
        ("False alarms", "false alarms", confusion.false_alarms),
        ("Supported answers passed", "passed", confusion.passed),
    )
    chips = "".join(
        f'<span style="background:{OUTCOMES[kind]}">{said}: <b>{count:,}</b></span>'
        for said, kind, count in counts
    )
    return f'<div class="pv-outcomes">{chips}</div>'
