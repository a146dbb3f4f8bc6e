"""The parts of an ROC curve that every page and report draws alike: hallucinated answers are the
positive class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from provenance_core.statistics.types import Curve
from reports.colours import GREY


def add_roc_curve(
    figure: go.Figure,
    false_alarm_rate: Sequence[float],
    recall: Sequence[float],
    name: str,
    line: dict[str, Any],
) -> None:
    """Add a curve. ``false_alarm_rate``: of the supported answers, in [0, 1]. ``recall``: of the
    hallucinated answers, in [0, 1]."""
    figure.add_scatter(
        # Arrays, because Plotly checks the numbers of a tuple one by one.
        x=np.asarray(false_alarm_rate),
        y=np.asarray(recall),
        mode="lines",
        name=name,
        line=line,
        hovertemplate=name + ": false alarm rate %{x:.3f}, recall %{y:.3f}<extra></extra>",
    )


def of_hallucinated(curve: Curve) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Turn a curve of supported answers into that of hallucinated ones, which has the same area.
    False alarm rate and recall, from (0, 0) to (1, 1)."""
    points = list(zip(curve.true_positive_rate, curve.false_positive_rate, strict=True))
    alarms = tuple(1.0 - supported for supported, _ in reversed(points))
    return alarms, tuple(1.0 - passed for _, passed in reversed(points))


def add_chance(figure: go.Figure) -> None:
    """Add the diagonal."""
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", showlegend=False, hoverinfo="skip",
        line={"color": GREY, "width": 1, "dash": "longdash"},
    )  # fmt: skip


def name_roc_axes(figure: go.Figure) -> None:
    """Name the axes and set their ranges."""
    figure.update_xaxes(title="false alarm rate", range=[-0.01, 1.01])
    figure.update_yaxes(title="recall of hallucinated answers", range=[-0.01, 1.02])
