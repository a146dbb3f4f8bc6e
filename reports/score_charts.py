"""Figures of how a score came about. Labels are ours; no text of the user enters them."""

from __future__ import annotations

from textwrap import wrap

import plotly.graph_objects as go

from provenance_core import Audit, SentenceLabel
from reports.colours import GREY, HALLUCINATED, SUPPORTED
from reports.score_steps import SentenceSteps, log_odds
from reports.wording import detector_title, sentence_name

MOST_CLAIMS = 60
# Characters of a line of a step's name: longer ones leave a telephone no room for the bars.
_NAME_LINE = 20
_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_LABEL_COLOURS = {
    SentenceLabel.SUPPORTED: SUPPORTED,
    SentenceLabel.CONTRADICTED: HALLUCINATED,
    SentenceLabel.NOT_FOUND: "#b07d00",
    SentenceLabel.SET_ASIDE: GREY,
}


def support_waterfall(steps: SentenceSteps, threshold: float) -> go.Figure:
    """Draw the steps to a sentence's support, from the top down, and the threshold as a line.

    The steps add up in log-odds; the axis names the probability at each place, in [0, 1].

    Parameters
    ----------
    steps : SentenceSteps
        By :func:`reports.score_steps.sentence_steps`.
    threshold : float
        Of the verdict, in [0, 1].

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
            textposition="outside",
            textfont={"size": 11},
            cliponaxis=False,
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
    figure.update_layout(
        height=70 + 38 * (len(names) + 1),
        margin={"l": 10, "r": 10, "t": 25, "b": 10},
        showlegend=False,
    )
    figure.update_yaxes(autorange="reversed", tickfont={"size": 11})
    figure.update_xaxes(
        tickvals=[log_odds(tick) for tick in _TICKS],
        ticktext=[f"{tick:g}" for tick in _TICKS],
        range=[min(places) - room, max(places) + room],
        title="support",
    )
    return figure


def score_bars(audit: Audit) -> go.Figure:
    """Draw the score of each claim and of the answer, against the threshold.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.

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
            text=[f"{score:.3f}" for score in [*scores, audit.score]] if len(shown) <= 15 else None,
            textposition="outside",
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        )
    )
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
