"""Colours of figures: of Okabe and Ito's set, which colour-blind people tell apart and which hold
on a light and on a dark page."""

from __future__ import annotations

SUPPORTED, HALLUCINATED, GREY = "#0072b2", "#d55e00", "#8a8a8a"
# Further series of a figure. Each colour here has a contrast of 3 or more with both pages.
TEAL, AMBER, PINK = "#2a93b5", "#b07d00", "#cc79a7"
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

Rgb = tuple[int, int, int]
# What a cell has that speaks neither for a sentence nor against it, on a light and a dark page.
NOTHING: dict[bool, Rgb] = {False: (236, 235, 230), True: (58, 62, 70)}
# The ground of a light and of a dark page.
PAGE = {False: "#ffffff", True: "#171614"}
# What is written on it, axes and legends too.
PAGE_INK = {False: "#31333f", True: "#e6e6e6"}
# Of these, one has a contrast of 4.5 or more with any colour.
INKS = ("#000000", "#ffffff")


def rgb_of(colour: str) -> Rgb:
    """Read a colour. Red, green and blue, each from 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    """Mix two colours, as a scale between them does. ``share``: of the second, in [0, 1]."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def contrast(first: Rgb, second: Rgb) -> float:
    """Measure how well one colour can be read on another, as WCAG 2 defines it. From 1, the same,
    to 21, black on white."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def ink_on(ground: Rgb) -> str:
    """Choose the ink that is read best on a colour. One of ``INKS``."""
    return max(INKS, key=lambda ink: contrast(rgb_of(ink), ground))


def _luminance(colour: Rgb) -> float:
    parts = (channel / 255 for channel in colour)
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
