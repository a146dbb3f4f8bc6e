"""The best threshold for a goal, and the interval of the choice itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core.statistics.bootstrap import interval_of
from provenance_core.statistics.thresholds.figures import cost_at, figures_at, no_interval
from provenance_core.statistics.thresholds.outcomes import (
    Outcomes,
    drawn_outcomes,
    figure_values,
    mean_cost,
    outcomes_at,
)
from provenance_core.statistics.thresholds.types import (
    BestThreshold,
    Estimate,
    Figure,
    Goal,
    LabelledScores,
    Objective,
    Part,
    ThresholdFigures,
)
from provenance_core.statistics.types import Interval
from provenance_core.types import Floats

# Thresholds that are tried: as fine as anyone sets one, and as many whatever the answers.
THRESHOLDS: Floats = np.arange(1001) / 1000
_ROUNDING = 1e-12
_FIGURES = {
    Objective.F1: Figure.F1,
    Objective.BALANCED_ACCURACY: Figure.BALANCED_ACCURACY,
    Objective.PRECISION: Figure.PRECISION,
}


def best_thresholds(sample: LabelledScores, goals: Sequence[Goal]) -> tuple[BestThreshold, ...]:
    """Choose the best of the thresholds 0, 0.001, ... 1 for each goal, in order, from one
    bootstrap. Where several in a row are best, the middle of the lowest such row is taken: as far
    as can be from the answers on either side. The interval of the choice runs from the 2.5 %
    quantile of the lowest to the 97.5 % quantile of the highest of the row that each draw finds
    best, so that thresholds which nothing tells apart are all in it. The figures are of the answers
    that the threshold was chosen from, so that new answers will do a little worse."""
    if sample.one_class:
        nothing = Estimate(None, None, sample.one_class)
        return tuple(BestThreshold(goal, nothing, nothing, None) for goal in goals)
    drawn: list[list[_BestRows]] = [[] for _ in goals]
    for outcomes in drawn_outcomes(sample, THRESHOLDS):
        for rows, goal in zip(drawn, goals, strict=True):
            rows.append(_best(outcomes, goal))
    values = best_values(sample, goals)
    known = [value for value in values if not np.isnan(value)]
    figures = iter(figures_at(sample, known))
    found = []
    for goal, value, rows in zip(goals, values, drawn, strict=True):
        if np.isnan(value):
            why = f"No threshold up to 1 reaches a recall of {goal.recall:g}."
            nothing = Estimate(None, None, why)
            found.append(BestThreshold(goal, nothing, nothing, None))
            continue
        interval = _interval(rows)
        chosen_one = Estimate(value, interval, "" if interval else no_interval(sample))
        there = next(figures)
        found.append(BestThreshold(goal, chosen_one, _reached(sample, goal, there), there))
    return tuple(found)


def best_values(sample: LabelledScores, goals: Sequence[Goal]) -> list[float]:
    """Choose the best threshold, in [0, 1], for each goal, as :func:`best_thresholds` without a
    bootstrap; NaN where none reaches the goal."""
    point = outcomes_at(sample, THRESHOLDS)
    row = Outcomes(*(getattr(point, name)[None] for name in Outcomes.__slots__))
    return [float(_best(row, goal).middle[0]) for goal in goals]


def parts_of(
    sample: LabelledScores,
    names: Sequence[str],
    threshold: float,
    goal: Goal,
    *,
    most: int | None = None,
) -> tuple[Part, ...]:
    """Cut the answers into parts that share a name, each at the common threshold and at its own
    best. ``threshold``: the common one, in [0, 1]. The largest part first."""
    members: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        members.setdefault(name, []).append(index)
    largest = sorted(members, key=lambda name: (-len(members[name]), name))[:most]
    found = []
    for name in largest:
        part = LabelledScores(
            tuple(sample.scores[i] for i in members[name]),
            tuple(sample.labels[i] for i in members[name]),
            tuple(sample.groups[i] for i in members[name]),
        )
        (common,) = figures_at(part, [threshold])
        (best,) = best_thresholds(part, [goal])
        found.append(Part(name, part.n, part.hallucinated, common, best))
    return tuple(found)


def _reached(sample: LabelledScores, goal: Goal, there: ThresholdFigures) -> Estimate:
    if goal.objective is Objective.COST:
        return cost_at(sample, there.threshold, goal.cost_ratio)
    return there.of(_FIGURES[goal.objective])


@dataclass(frozen=True, slots=True)
class _BestRows:
    """The lowest, middle and highest of the first row of best thresholds of each draw, NaN where
    there is none. Shape (draws,)."""

    low: Floats
    middle: Floats
    high: Floats


def _interval(rows: Sequence[_BestRows]) -> Interval | None:
    if not rows:
        return None
    lows = interval_of(np.concatenate([each.low for each in rows]))
    highs = interval_of(np.concatenate([each.high for each in rows]))
    return Interval(lows.low, highs.high) if lows and highs else None


def _best(outcomes: Outcomes, goal: Goal) -> _BestRows:
    values = _worth(outcomes, goal)
    values = np.where(np.isnan(values), -np.inf, values)
    most = values.max(axis=1)
    held = values >= most[:, None] - _ROUNDING
    first = held.argmax(axis=1)
    ended = ~held & (np.arange(held.shape[1]) > first[:, None])
    last = np.where(ended.any(axis=1), ended.argmax(axis=1), held.shape[1]) - 1
    none = np.isinf(most)
    return _BestRows(
        *(np.where(none, np.nan, THRESHOLDS[at]) for at in (first, (first + last) // 2, last))
    )


def _worth(outcomes: Outcomes, goal: Goal) -> Floats:
    """What ``goal`` wants the most of, NaN or minus infinity where it cannot be had."""
    if goal.objective is Objective.COST:
        return -mean_cost(outcomes, goal.cost_ratio)
    values = figure_values(_FIGURES[goal.objective], outcomes)
    if goal.objective is Objective.PRECISION:
        recall = figure_values(Figure.RECALL, outcomes)
        return np.where(recall >= goal.recall - _ROUNDING, values, -np.inf)
    return values
