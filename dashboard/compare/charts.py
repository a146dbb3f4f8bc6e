"""Score against score of two runs."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from provenance_core.statistics.comparison import ComparedItem
from reports.colours import GREY, LABEL_COLOURS
from reports.plot_text import plot_text

# A browser draws this many points as shapes; more are drawn by WebGL.
_SHAPES = 2_000
_LINE = 40  # characters
_KINDS = (
    (1, "label: supported", "circle"),
    (0, "label: hallucinated", "x"),
    (None, "no label", "diamond-open"),
)


def audits_text(item: ComparedItem, first: int, second: int) -> str:
    """The numbers of an item's audits in the runs at those places, as text: "3 and 7"."""
    return f"{item.rows[first].audit_id} and {item.rows[second].audit_id}"


def score_scatter(
    items: Sequence[ComparedItem], first: int, second: int, names: tuple[str, str]
) -> go.Figure:
    """A point for each item: its factuality score in the runs at those places. ``customdata`` of a
    point is :func:`audits_text`. The label is that of the second run's answer."""
    trace = go.Scatter if len(items) <= _SHAPES else go.Scattergl
    figure = go.Figure()
    figure.add_shape(
        type="line", x0=0, y0=0, x1=1, y1=1, line={"dash": "dot", "width": 1, "color": GREY}
    )
    for kind, name, symbol in _KINDS:
        shown = [item for item in items if item.labels[second] == kind]
        if not shown:
            continue
        figure.add_trace(
            trace(
                # Arrays: Plotly checks and copies a list value by value.
                x=np.array([item.rows[first].score for item in shown]),
                y=np.array([item.rows[second].score for item in shown]),
                customdata=np.array([audits_text(item, first, second) for item in shown]),
                mode="markers",
                name=f"{name} ({len(shown):,})",
                marker={"color": LABEL_COLOURS[kind], "symbol": symbol, "size": 8},
                hovertemplate="%{x:.3f} → %{y:.3f}<br>audits %{customdata}<extra></extra>",
            )
        )
    # The threshold of a run, where all of its rows share one.
    for place, draw in ((first, figure.add_vline), (second, figure.add_hline)):
        thresholds = {item.rows[place].threshold for item in items}
        if len(thresholds) == 1:
            at = {"x" if place == first else "y": thresholds.pop()}
            draw(**at, line={"dash": "dash", "width": 1, "color": GREY})
    figure.update_layout(
        height=460,
        # Two lines of the legend above the plot, where it is narrow.
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
        clickmode="event+select",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    figure.update_xaxes(title=_title(names[0]), range=[-0.02, 1.02])
    figure.update_yaxes(title=_title(names[1]), range=[-0.02, 1.02])
    return figure


def _title(name: str) -> str:
    # Plotly reads some HTML in titles, and breaks no line by itself.
    return "<br>".join(plot_text(line) for line in wrap(f"score in {name}", _LINE))
