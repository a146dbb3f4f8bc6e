"""The threshold's slider with what it makes of the labelled answers, and the menu that saves it:
they stay in view while the page scrolls."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.thresholds.data import View, figures
from provenance_core.statistics.thresholds.types import Confusion, ThresholdFigures
from reports.colours import OUTCOMES, PAGE
from reports.glossary import tooltip

THRESHOLD = "chosen_threshold"
# Where the slider stood before anybody moved it.
_START = "threshold_start"
THRESHOLD_HELP = tooltip("threshold")
# The page may turn dark or light without being drawn again.
_GROUND = f"light-dark({PAGE[False]},{PAGE[True]})"
# Streamlit's header takes 3.75rem above, and is transparent: what scrolls would show above the bar.
# Where the window is narrow, figures stand two in a row.
_STYLE = """<style>
[data-testid=stHeader]{background:{page}}
[data-testid=stLayoutWrapper]:has(>.st-key-threshold_bar),.st-key-threshold_bar_outer{
 position:sticky;top:3.7rem;z-index:90}
.st-key-threshold_bar{background:{page};padding:.4rem 0 .5rem;
 border-bottom:1px solid rgba(128,128,128,.4);gap:.4rem}
.pv-outcomes{display:flex;flex-wrap:wrap;gap:.3rem .4rem;margin:0;font-size:.9rem}
.pv-outcomes span{color:#fff;border-radius:.3rem;padding:.05rem .5rem}
.pv-cell::before{display:none;content:attr(data-name) ": ";opacity:.86}
.pv-cell small{display:block}
@media (max-width:640px){
 .st-key-threshold_sample [data-testid=stColumn],.st-key-threshold_figures [data-testid=stColumn],
 .st-key-best_thresholds [data-testid=stColumn]:not(:first-child){
  min-width:calc(50% - 1rem);flex:1 1 calc(50% - 1rem);width:calc(50% - 1rem)}
 .pv-cell::before{display:inline}
 .pv-outcomes{font-size:.8rem}
 .st-key-best_thresholds_head{display:none}}
</style>"""


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
    st.html(_STYLE.replace("{page}", _GROUND))
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
