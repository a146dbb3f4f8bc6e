"""Figures and tables of the Benchmarks page."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard.benchmarks.opening import COUNTED
from provenance_core.evaluation import published
from provenance_core.evaluation.tables import best_baseline, ends, hundred
from provenance_core.evaluation.types import EvaluationResult
from provenance_core.explain.names import detector_title
from reports.colours import AMBER, GREY, PINK, TEAL
from reports.roc import add_chance, add_roc_curve, name_roc_axes, of_hallucinated

_OURS, _PAPER, _OTHER, _BASELINE = TEAL, AMBER, PINK, GREY


def forest(sets: Sequence[EvaluationResult]) -> go.Figure:
    """AUC x 100 of each set with its interval, beside the published figures and the best
    baseline."""
    shown = [r for r in sets if r.figures and r.figures[0].auc is not None]
    names = [r.dataset + (" *" if r.training_overlap else "") for r in shown]
    points = [hundred(r.figures[0].auc) or 0.0 for r in shown]
    bounds = [ends(r.figures[0].interval) for r in shown]
    baselines = [best_baseline(r) for r in shown]
    figure = go.Figure()
    figure.add_scatter(
        x=[value for _, value in baselines],
        y=names,
        customdata=[COUNTED[method] for method, _ in baselines],
        mode="markers",
        name="best trivial baseline",
        marker={"symbol": "line-ns", "size": 14, "line": {"width": 2, "color": _BASELINE}},
        hovertemplate="%{y}: %{customdata} %{x:.1f}<extra></extra>",
    )
    for label, colour, symbol, values in (
        ("the paper (300M)", _PAPER, "diamond", published.PROVENANCE),
        ("AlignScore-large (355M)", _OTHER, "square", published.ALIGNSCORE),
    ):
        figure.add_scatter(
            x=[values.get(r.dataset) for r in shown],
            y=names,
            mode="markers",
            name=label,
            marker={"symbol": symbol, "size": 10, "color": colour},
            hovertemplate="%{y}: " + label + " %{x:.1f}<extra></extra>",
        )
    figure.add_scatter(
        x=points,
        y=names,
        mode="markers",
        name="ours",
        marker={"size": 12, "color": _OURS},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [(high or p) - p for p, (_, high) in zip(points, bounds, strict=True)],
            "arrayminus": [p - (low or p) for p, (low, _) in zip(points, bounds, strict=True)],
            "color": _OURS,
        },
        hovertemplate="%{y}: ours %{x:.1f}<extra></extra>",
    )
    figure.add_vline(x=50, line_dash="dot", line_color=_BASELINE)
    figure.update_layout(
        height=110 + 36 * len(shown),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    figure.update_xaxes(title="ROC AUC x 100", zeroline=False)
    figure.update_yaxes(autorange="reversed", type="category", showgrid=True)
    return figure


def roc_figure(result: EvaluationResult) -> go.Figure:
    """ROC curves of the method and the best trivial baseline on one set."""
    figure = go.Figure()
    baseline, _ = best_baseline(result)
    for figures in reversed(result.figures):
        own = figures is result.figures[0]
        if figures.curve is None or figures.auc is None or not (own or figures.column == baseline):
            continue
        line = {
            "color": _OURS if own else _BASELINE,
            "width": 3 if own else 1.5,
            "dash": "solid" if own else "dash",
        }
        title = detector_title(figures.column) if own else figures.column
        name = f"{title} {100 * figures.auc:.1f}"
        add_roc_curve(figure, *of_hallucinated(figures.curve), name, line)
    add_chance(figure)
    figure.update_layout(
        height=420,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "reversed"},
    )
    name_roc_axes(figure)
    return figure
