"""What a threshold gives, on all answers and between two thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provenance_core.statistics.bootstrap import interval_of
from provenance_core.statistics.thresholds.outcomes import (
    Outcomes,
    drawn_outcomes,
    figure_values,
    mean_cost,
    outcomes_at,
)
from provenance_core.statistics.thresholds.types import (
    Confusion,
    Estimate,
    Figure,
    FigureEstimate,
    LabelledScores,
    ThresholdFigures,
    ThresholdFlip,
)
from provenance_core.types import Floats

_NOTHING_CALLED = "No answer is called hallucinated at this threshold."


def figures_at(sample: LabelledScores, thresholds: Sequence[float]) -> tuple[ThresholdFigures, ...]:
    """Compute the figures at several thresholds, from one bootstrap. ``thresholds``: in [0, 1], in
    any order. As many as thresholds, in their order."""
    ascending, places = np.unique(np.asarray(thresholds, dtype=np.float64), return_inverse=True)
    found = outcomes_at(sample, ascending)
    drawn = joined(list(drawn_outcomes(sample, ascending)), len(ascending))
    estimates = {
        figure: _estimates(sample, figure_values(figure, found), figure_values(figure, drawn))
        for figure in Figure
    }
    return tuple(
        ThresholdFigures(
            float(threshold),
            Confusion(
                int(found.caught[at]),
                int(found.missed[at]),
                int(found.false_alarms[at]),
                int(found.passed[at]),
            ),
            tuple(FigureEstimate(figure, each[at]) for figure, each in estimates.items()),
        )
        for threshold, at in zip(thresholds, places.reshape(-1), strict=True)
    )


def cost_at(sample: LabelledScores, threshold: float, cost_ratio: float) -> Estimate:
    """Compute the mean cost of an answer at a threshold, in false alarms (see :class:`Goal`).
    ``threshold``: in [0, 1]. The cost with its interval."""
    at = np.array([threshold])
    drawn = joined(list(drawn_outcomes(sample, at)), 1)
    costs = mean_cost(outcomes_at(sample, at), cost_ratio), mean_cost(drawn, cost_ratio)
    return _estimates(sample, *costs)[0]


def flips(sample: LabelledScores, first: float, second: float) -> tuple[ThresholdFlip, ...]:
    """List the answers whose verdict differs between two thresholds. ``first``: the one threshold,
    in [0, 1]. The lowest score first."""
    low, high = sorted((first, second))
    between = [i for i, score in enumerate(sample.scores) if low <= score < high]
    between.sort(key=lambda i: (sample.scores[i], i))
    return tuple(
        ThresholdFlip(i, sample.scores[i], sample.labels[i], sample.scores[i] >= first)
        for i in between
    )


def estimate(sample: LabelledScores, value: float, drawn: Floats, reason: str) -> Estimate:
    """Put the interval of its draws beside a value. Value and interval, or why there are none."""
    if np.isnan(value):
        return Estimate(None, None, sample.one_class or reason)
    interval = interval_of(drawn)
    return Estimate(float(value), interval, "" if interval else no_interval(sample))


def no_interval(sample: LabelledScores) -> str:
    """Why draws gave no interval."""
    return sample.no_interval or "No interval: no draw holds both labels."


def joined(parts: Sequence[Outcomes], thresholds: int) -> Outcomes:
    """Join batches of draws, each of shape (draws, T), into one; (0, T) without any."""
    empty = np.empty((0, thresholds), dtype=np.int64)
    return Outcomes(
        *(
            np.concatenate([empty, *(getattr(part, name) for part in parts)])
            for name in Outcomes.__slots__
        )
    )


def _estimates(sample: LabelledScores, values: Floats, drawn: Floats) -> list[Estimate]:
    """One estimate a threshold; ``values`` (T,), ``drawn`` (draws, T)."""
    return [
        estimate(sample, value, drawn[:, at], _NOTHING_CALLED) for at, value in enumerate(values)
    ]
