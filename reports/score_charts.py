"""Figures of how a score came about. Labels are ours; no text of the user enters them."""

from __future__ import annotations

from textwrap import wrap

import plotly.graph_objects as go

from provenance_core import Audit, SentenceLabel
from reports.colours import GREY, HALLUCINATED, PAGE, SUPPORTED
from reports.score_steps import SentenceSteps, log_odds
from reports.wording import detector_title, sentence_name

MOST_CLAIMS = 60
_MOST_NUMBERS = 15  # of claims: more numbers would meet
# Characters of a line of a step's name: longer ones leave a telephone no room for the bars.
_NAME_LINE = 20
_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_LABEL_COLOURS = {
    SentenceLabel.SUPPORTED: SUPPORTED,
    SentenceLabel.CONTRADICTED: HALLUCINATED,
    SentenceLabel.NOT_FOUND: "#b07d00",
    SentenceLabel.SET_ASIDE: GREY,
}


def support_waterfall(steps: SentenceSteps, threshold: float, *, dark: bool = False) -> go.Figure:
    """Draw the steps to a sentence's support, from the top down, and the threshold as a line.

    The steps add up in log-odds; the axis names the probability at each place, in [0, 1].

    Parameters
    ----------
    steps : SentenceSteps
        By :func:`reports.score_steps.sentence_steps`.
    threshold : float
        Of the verdict, in [0, 1].
    dark : bool, default False
        Whether the page is dark: a number that meets the line has its ground.

    Returns
    -------
    go.Figure
        The figure.
    """
    names = ["<br>".join(wrap(step.name, _NAME_LINE)) for step in steps.steps]
    # The bar of the support itself starts at even odds, as the first step does.
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            y=[*names, "support"],
            x=[step.points for step in steps.steps] + [0.0],
            measure=["relative"] * len(names) + ["total"],
            customdata=[[step.name, f"{step.share:.0%} of all steps"] for step in steps.steps]
            + [["support", f"support {steps.support:.3f}"]],
            text=[f"{step.points:+.2f}" for step in steps.steps] + [f"{steps.support:.3f}"],
            textposition="none",  # the numbers are notes, which stand over the line
            hovertemplate="%{customdata[0]}: %{text}<br>%{customdata[1]}<extra></extra>",
            increasing={"marker": {"color": SUPPORTED}},
            decreasing={"marker": {"color": HALLUCINATED}},
            totals={"marker": {"color": GREY}},
            connector={"line": {"color": GREY, "width": 1}},
        )
    )
    places, total = [0.0, log_odds(threshold)], 0.0
    for step in steps.steps:
        total += step.points
        places.append(total)
    # For the numbers beside the outermost bars, also on a telephone.
    room = max(0.6, 0.45 * (max(places) - min(places)))
    figure.add_vline(
        x=log_odds(threshold),
        line={"dash": "dash", "color": GREY},
        annotation_text=f"threshold {threshold:.3f}",
        annotation_position="top",
    )
    for row, (step, end) in enumerate(zip(steps.steps, places[2:], strict=True)):
        _note(figure, f"{step.points:+.2f}", end, row, _beside(step.points), dark)
    _note(figure, f"{steps.support:.3f}", total, len(names), _beside(total), dark)
    figure.update_layout(
        height=70 + 38 * (len(names) + 1),
        margin={"l": 10, "r": 10, "t": 25, "b": 10},
        showlegend=False,
    )
    figure.update_yaxes(autorange="reversed", tickfont={"size": 12})
    figure.update_xaxes(
        tickvals=[log_odds(tick) for tick in _TICKS],
        ticktext=[f"{tick:g}" for tick in _TICKS],
        range=[min(places) - room, max(places) + room],
        title="support",
    )
    return figure


# Where a number stands by its place: Plotly's anchor, and pixels to the right and upwards.
_RIGHT, _LEFT, _ABOVE = ("left", "middle", 3, 0), ("right", "middle", -3, 0), (
    "center", "bottom", 0, 2,
)  # fmt: skip


def _beside(points: float) -> tuple[str, str, int, int]:
    """The side of a bar's end on which its number stands."""
    return _RIGHT if points >= 0 else _LEFT


def _note(
    figure: go.Figure,
    text: str,
    x: float,
    y: int | float,
    side: tuple[str, str, int, int],
    dark: bool,
) -> None:
    """A number over all else, on the ground of the page: a line behind it does not cross it."""
    xanchor, yanchor, right, up = side
    figure.add_annotation(
        text=text,
        x=x,
        y=y,
        xanchor=xanchor,
        yanchor=yanchor,
        xshift=right,
        yshift=up,
        showarrow=False,
        borderpad=1,
        bgcolor=PAGE[dark],
        font={"size": 12},
    )


def score_bars(audit: Audit, *, dark: bool = False) -> go.Figure:
    """Draw the score of each claim and of the answer, against the threshold.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    go.Figure
        At most 60 claims, each in [0, 1].
    """
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
    figure = go.Figure(
        go.Bar(
            x=[*names, "answer"],
            y=[*scores, audit.score],
            marker_color=[*colours, GREY],
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        )
    )
    if len(shown) <= _MOST_NUMBERS:
        for place, score in enumerate([*scores, audit.score]):
            _note(figure, f"{score:.3f}", place, score, _ABOVE, dark)
    threshold = audit.parameters.threshold
    figure.add_hline(
        y=threshold,
        line={"dash": "dash", "color": GREY},
        annotation_text=f"threshold {threshold:.3f}",
        annotation_position="right",
    )
    # At the right, beside the bars: a grey bar would hide the threshold.
    figure.update_layout(height=260, margin={"l": 10, "r": 105, "t": 20, "b": 10}, showlegend=False)
    figure.update_yaxes(
        range=[0, 1.12], title=f"score by {detector_title(audit.parameters.detector)}"
    )
    figure.update_xaxes(type="category")
    return figure
