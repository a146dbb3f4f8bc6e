"""Figures of the Thresholds page. Hatching, symbols and dashes say what the colours say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from provenance_core.statistics.thresholds.types import (
    Band,
    CalibrationBin,
    Confusion,
    Figure,
    Part,
    PrecisionRecallCurve,
    RocCurve,
    ScoreHistogram,
    ThresholdFigures,
)
from reports.colours import GREY, HALLUCINATED, OUTCOMES, SUPPORTED
from reports.plot_text import plot_text
from reports.roc import add_chance, add_roc_curve, name_roc_axes

_CURVE, _BAND, _POINT = SUPPORTED, "rgba(0,114,178,.35)", "#e69f00"
_NAME_LENGTH = 40
# Of the confusion matrix, by label and verdict.
_OUTCOMES = (("caught", "missed"), ("false alarms", "passed"))
_COLOUR_NUMBERS = [[list(OUTCOMES).index(name) for name in row] for row in _OUTCOMES]
# Of the three figures in a row: room for three lines of legend, so that their axes are level.
_BESIDE, _LEGEND = 390, 80


def histogram_figure(histogram: ScoreHistogram, threshold: float) -> go.Figure:
    """Answers by score and label, with the threshold: left of it is called hallucinated."""
    figure = go.Figure()
    width = histogram.edges[1] - histogram.edges[0]
    centres = [low + width / 2 for low in histogram.edges[:-1]]
    for name, colour, shape, counts in (
        ("label: hallucinated", HALLUCINATED, "/", histogram.hallucinated),
        ("label: supported", SUPPORTED, "", histogram.supported),
    ):
        figure.add_bar(
            name=name,
            x=centres,
            y=counts,
            width=width,
            marker={"color": colour, "pattern": {"shape": shape}},
            customdata=[
                f"{a:.3f} to {b:.3f}"
                for a, b in zip(histogram.edges, histogram.edges[1:], strict=False)
            ],
            hovertemplate="score %{customdata}: %{y} with " + name + "<extra></extra>",
        )
    figure.add_vline(
        x=threshold,
        line={"color": _POINT, "width": 3},
        annotation={"text": f"threshold {threshold:.3f}", "yanchor": "bottom"},
        annotation_position="top",
    )
    _lay_out(figure, 340)
    # Above the name of the threshold's line.
    figure.update_layout(barmode="stack", margin_t=60, legend_y=1.12)
    figure.update_xaxes(title="score", range=[-0.01, 1.01])
    figure.update_yaxes(title="answers")
    return figure


def roc_figure(curve: RocCurve, point: ThresholdFigures) -> go.Figure:
    """The ROC curve, hallucinated as the positive class, with its band and the point of the
    threshold."""
    figure = go.Figure()
    _add_band(figure, curve.band)
    add_chance(figure)
    line = {"color": _CURVE, "width": 3}
    add_roc_curve(figure, curve.false_alarm_rate, curve.recall, "ROC", line)
    _add_point(figure, point, Figure.FALSE_ALARM_RATE, Figure.RECALL)
    _lay_out(figure, _BESIDE, top=_LEGEND)
    name_roc_axes(figure)
    return figure


def precision_recall_figure(
    curve: PrecisionRecallCurve, point: ThresholdFigures, hallucinated: float
) -> go.Figure:
    """Precision by recall with its band and the point of the threshold; ``hallucinated`` is
    the share of the answers, which calling by chance would have as its precision."""
    figure = go.Figure()
    _add_band(figure, curve.band)
    figure.add_hline(y=hallucinated, line={"color": GREY, "width": 1, "dash": "longdash"})
    figure.add_scatter(
        x=np.asarray(curve.recall),
        y=np.asarray(curve.precision),
        mode="lines+markers" if len(curve.recall) < 50 else "lines",
        name="precision",
        line={"color": _CURVE, "width": 3},
        hovertemplate="recall %{x:.3f}, precision %{y:.3f}<extra></extra>",
    )
    _add_point(figure, point, Figure.RECALL, Figure.PRECISION)
    _lay_out(figure, _BESIDE, top=_LEGEND)
    figure.update_xaxes(title="recall of hallucinated answers", range=[-0.01, 1.01])
    figure.update_yaxes(title="precision", range=[-0.01, 1.02])
    return figure


def calibration_figure(bins: Sequence[CalibrationBin]) -> go.Figure:
    """Share of supported answers by mean score of each bin, with intervals."""
    figure = go.Figure()
    add_chance(figure)
    highs = [(b.interval.high if b.interval else b.share_supported) for b in bins]
    lows = [(b.interval.low if b.interval else b.share_supported) for b in bins]
    shares = [b.share_supported for b in bins]
    figure.add_scatter(
        x=[b.mean_score for b in bins],
        y=shares,
        mode="lines+markers",
        name="share supported",
        line={"color": _CURVE, "width": 2},
        marker={"size": 9},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [high - share for high, share in zip(highs, shares, strict=True)],
            "arrayminus": [share - low for low, share in zip(lows, shares, strict=True)],
            "color": _CURVE,
        },
        customdata=[b.n for b in bins],
        hovertemplate="mean score %{x:.3f}, share supported %{y:.3f}, "
        "%{customdata} answers<extra></extra>",
    )
    _lay_out(figure, _BESIDE, top=_LEGEND)
    figure.update_xaxes(title="mean score", range=[-0.01, 1.01])
    figure.update_yaxes(title="share labelled supported", range=[-0.01, 1.02])
    return figure


def confusion_figure(confusion: Confusion) -> go.Figure:
    """Labels x verdicts: counts, with the share of the label. Each outcome has a colour."""
    rows = [[confusion.caught, confusion.missed], [confusion.false_alarms, confusion.passed]]
    shares = [[count / (sum(row) or 1) for count in row] for row in rows]
    figure = go.Figure(
        go.Heatmap(
            # In two lines: a narrow window would turn them.
            x=["verdict:<br>hallucinated", "verdict:<br>supported"],
            y=["label:<br>hallucinated", "label:<br>supported"],
            z=_COLOUR_NUMBERS,
            text=[
                [
                    f"{name}<br>{count:,} · {100 * share:.1f} %"
                    for name, count, share in zip(names, row, share_row, strict=True)
                ]
                for names, row, share_row in zip(_OUTCOMES, rows, shares, strict=True)
            ],
            texttemplate="%{text}",
            zmin=0,
            zmax=len(OUTCOMES) - 1,
            colorscale=list(OUTCOMES.values()),
            textfont={"color": "white", "size": 15},
            showscale=False,
            xgap=3,
            ygap=3,
            hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
        )
    )
    _lay_out(figure, 260)
    figure.update_xaxes(side="top", showgrid=False)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure


def parts_figure(parts: Sequence[Part], threshold: float) -> go.Figure:
    """The own best threshold of each part with its interval, beside the common threshold."""
    figure = go.Figure()
    # The place goes first, so that two names that are cut to the same text stay two lines.
    names = [f"{i + 1}. {_short(part.name)} ({part.n:,})" for i, part in enumerate(parts)]
    for fits, label, symbol, colour in (
        (True, "common threshold within the interval", "circle", SUPPORTED),
        (False, "common threshold outside the interval", "x", HALLUCINATED),
        (None, "no interval", "circle-open", GREY),
    ):
        shown = [
            (name, part)
            for name, part in zip(names, parts, strict=True)
            if part.fits is fits and part.best.threshold.value is not None
        ]
        if not shown:
            continue
        values = [part.best.threshold.value or 0.0 for _, part in shown]
        intervals = [part.best.threshold.interval for _, part in shown]
        figure.add_scatter(
            x=values,
            y=[name for name, _ in shown],
            mode="markers",
            name=label,
            marker={"size": 12, "symbol": symbol, "color": colour},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [i.high - v if i else 0.0 for i, v in zip(intervals, values, strict=True)],
                "arrayminus": [
                    v - i.low if i else 0.0 for i, v in zip(intervals, values, strict=True)
                ],
                "color": colour,
            },
            hovertemplate="%{y}: best threshold %{x:.3f}<extra></extra>",
        )
    figure.add_vline(x=threshold, line={"color": _POINT, "width": 3})
    _lay_out(figure, 120 + 34 * len(parts))
    figure.update_xaxes(title="threshold", range=[-0.01, 1.01])
    figure.update_yaxes(
        type="category", categoryorder="array", categoryarray=names, range=[len(parts) - 0.5, -0.5]
    )
    return figure


def _short(name: str) -> str:
    # Plotly reads tags in labels.
    line = " ".join(name.split()) or "(none)"
    return plot_text(line if len(line) <= _NAME_LENGTH else line[: _NAME_LENGTH - 1] + "…")


def _add_band(figure: go.Figure, band: Band | None) -> None:
    if band is None:
        return
    figure.add_scatter(
        x=[*band.at, *reversed(band.at)],
        y=[*band.high, *reversed(band.low)],
        fill="toself",
        fillcolor=_BAND,
        line={"width": 0},
        mode="lines",
        name="95 % interval",
        hoverinfo="skip",
    )


def _add_point(figure: go.Figure, point: ThresholdFigures, x: Figure, y: Figure) -> None:
    at, height = point.of(x).value, point.of(y).value
    if at is None or height is None:
        return
    figure.add_scatter(
        x=[at],
        y=[height],
        mode="markers",
        name=f"threshold {point.threshold:.3f}",
        marker={
            "size": 14,
            "symbol": "diamond",
            "color": _POINT,
            "line": {"width": 2, "color": "#000000"},
        },
        cliponaxis=False,
        hovertemplate="threshold " + f"{point.threshold:.3f}" + ": %{x:.3f}, %{y:.3f}"
        "<extra></extra>",
    )


def _lay_out(figure: go.Figure, height: int, top: int = 10) -> None:
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": top, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    figure.update_xaxes(zeroline=False)
    figure.update_yaxes(zeroline=False)
