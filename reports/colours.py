"""Colours of figures: of Okabe and Ito's set, which colour-blind people tell apart and which hold
on a light and on a dark page."""

from __future__ import annotations

SUPPORTED, HALLUCINATED, GREY = "#0072b2", "#d55e00", "#8a8a8a"
# By the label of an answer; None: it has none.
LABEL_COLOURS = {1: SUPPORTED, 0: HALLUCINATED, None: GREY}
# Of a verdict beside its label: hits are blue, misses orange, false alarms brown. White text can be
# read on each.
OUTCOMES = {
    "caught": "#005a8d",
    "passed": "#3f6f8a",
    "missed": "#b34700",
    "false alarms": "#785c00",
}
