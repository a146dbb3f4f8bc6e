"""Figures of how a score came about. Labels are ours; no text of the user enters them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import plotly.graph_objects as go

from provenance_core import Audit, SentenceLabel
from provenance_core.explain.names import detector_title, sentence_name
from reports.colours import AMBER, GREY, HALLUCINATED, PAGE, SUPPORTED
from reports.score_steps import SentenceSteps, log_odds

MOST_CLAIMS = 60
_SCORE_FRAME, _SCORE_ROW = 85, 26  # pixels around the bars of the scores, and of one
# Characters of a line of a step's name: longer ones leave a telephone no room for the bars.
_NAME_LINE = 20
_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_LABEL_COLOURS = {
    SentenceLabel.SUPPORTED: SUPPORTED,
    SentenceLabel.CONTRADICTED: HALLUCINATED,
    SentenceLabel.NOT_FOUND: AMBER,
    SentenceLabel.SET_ASIDE: GREY,
}


def support_waterfall(steps: SentenceSteps, threshold: float, *, dark: bool = False) -> go.Figure:
    """Draw the steps to a sentence's support, from the top down, and the threshold, in [0, 1], as a
    line. The steps add up in log-odds; the axis names the probability at each place."""
    names = ["<br>".join(wrap(step.name, _NAME_LINE)) for step in steps.steps]
    # The bar of the support itself starts at even odds, as the first step does.
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            y=[*names, "support"],
            # A step that is written as 0 has no bar: the smallest would have its colour.
            x=[0.0 if _is_nothing(step.points) else step.points for step in steps.steps] + [0.0],
            measure=["relative"] * len(names) + ["total"],
            customdata=[[step.name, f"{step.share:.0%} of all steps"] for step in steps.steps]
            + [["support", f"support {steps.support:.3f}"]],
            text=[f"{step.points:+z.2f}" for step in steps.steps] + [f"{steps.support:.3f}"],
            textposition="none",  # the numbers are notes, which stand over the line
            hovertemplate="%{customdata[0]}: %{text}<br>%{customdata[1]}<extra></extra>",
            increasing={"marker": {"color": SUPPORTED}},
            decreasing={"marker": {"color": HALLUCINATED}},
            totals={"marker": {"color": GREY}},
            connector={"line": {"color": GREY, "width": 1}},
        )
    )
    places, total = [0.0], 0.0
    for step in steps.steps:
        total += step.points
        places.append(total)
    ends = places[1:]
    placed = 0.0 < threshold < 1.0  # those of 0 and 1 have no place in log-odds
    if placed:
        places.append(log_odds(threshold))
    # For the numbers beside the outermost bars, also on a telephone.
    room = max(0.6, 0.45 * (max(places) - min(places)))
    axis = min(places) - room, max(places) + room
    edge, side = (axis[1], "top left") if threshold else (axis[0], "top right")
    figure.add_vline(
        x=places[-1] if placed else edge,
        line={"dash": "dash", "color": GREY},
        annotation_text=f"threshold {threshold:.3f}",
        annotation_position="top" if placed else side,
        annotation_yanchor="bottom",  # above the bars, also at the edge
    )
    for row, (step, end) in enumerate(zip(steps.steps, ends, strict=True)):
        _note(figure, f"{step.points:+z.2f}", end, row, _beside(step.points), dark)
    _note(figure, f"{steps.support:.3f}", total, len(names), _beside(total), dark)
    figure.update_layout(
        height=70 + _row_height(names) * (len(names) + 1),
        margin={"l": 10, "r": 10, "t": 25, "b": 10},
        showlegend=False,
    )
    figure.update_yaxes(autorange="reversed", tickfont={"size": 12})
    figure.update_xaxes(
        tickvals=[log_odds(tick) for tick in _TICKS],
        ticktext=[f"{tick:g}" for tick in _TICKS],
        range=axis,
        title="support",
    )
    return figure


def _is_nothing(points: float) -> bool:
    """Whether a step's points are written as 0."""
    return f"{points:+z.2f}" == "+0.00"


def _row_height(names: Sequence[str]) -> int:
    """Pixels of a row whose name may take several lines: more between names than within one."""
    return max(38, 14 + 16 * max((name.count("<br>") + 1 for name in names), default=1))


# The side of its place where a number stands: Plotly's anchor, and pixels to the right.
_RIGHT, _LEFT = ("left", 3), ("right", -3)


def _beside(points: float) -> tuple[str, int]:
    """The side of a bar's end on which its number stands."""
    return _RIGHT if points >= 0 else _LEFT


def _note(
    figure: go.Figure, text: str, x: float, y: int, side: tuple[str, int], dark: bool
) -> None:
    """A number over all else, on the ground of the page: a line behind it does not cross it."""
    xanchor, right = side
    figure.add_annotation(
        text=text,
        x=x,
        y=y,
        xanchor=xanchor,
        yanchor="middle",
        xshift=right,
        showarrow=False,
        borderpad=1,
        bgcolor=PAGE[dark],
        font={"size": 12},
    )


def score_bars(audit: Audit, *, dark: bool = False) -> go.Figure:
    """Draw the scores of at most 60 claims and of the answer, in [0, 1], against the threshold."""
    shown = audit.claims[:MOST_CLAIMS]
    as_sentences = len(audit.claims) == len(audit.sentences)
    names = [
        sentence_name(result.claim.index) if as_sentences else f"claim {result.claim.index + 1}"
        for result in shown
    ]
    colours = [
        _LABEL_COLOURS[audit.sentences[result.claim.index].label] if as_sentences else GREY
        for result in shown
    ]
    scores = [result.score for result in shown]
    # Lying bars, whose names stand level beside each other in a narrow window too.
    figure = go.Figure(
        go.Bar(
            orientation="h",
            y=[*names, "answer"],
            x=[*scores, audit.score],
            marker_color=[*colours, GREY],
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    threshold = audit.parameters.threshold
    figure.add_vline(
        x=threshold,
        line={"dash": "dash", "color": GREY},
        annotation_text=f"threshold {threshold:.3f}",
        annotation_position="top",
    )
    for row, score in enumerate([*scores, audit.score]):
        _note(figure, f"{score:.3f}", score, row, _RIGHT, dark)
    figure.update_layout(
        height=_SCORE_FRAME + _SCORE_ROW * (len(names) + 1),
        margin={"l": 10, "r": 10, "t": 25, "b": 10},
        showlegend=False,
    )
    figure.update_xaxes(
        range=[0, 1.15],
        tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1],
        title=f"score by {detector_title(audit.parameters.detector)}",
    )
    figure.update_yaxes(type="category", autorange="reversed", dtick=1)
    return figure
