"""Counts of right and wrong verdicts at many thresholds, of the answers and of every draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provenance_core.evaluation.bootstrap import group_draws, resamples_for
from provenance_core.evaluation.thresholds.types import Figure, LabelledScores
from provenance_core.types import Floats

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Counts at T thresholds, as in :class:`Confusion`; arrays of one shape, (T,) or
    (draws, T)."""

    caught: Ints
    missed: Ints
    false_alarms: Ints
    passed: Ints


def outcomes_at(sample: LabelledScores, thresholds: Floats) -> Outcomes:
    """Counts at each of ``thresholds``, which ascend. Shape (T,)."""
    rows = _Rows(sample, thresholds)
    found = rows.outcomes(np.ones((1, sample.n), dtype=np.int64))
    return Outcomes(found.caught[0], found.missed[0], found.false_alarms[0], found.passed[0])


def drawn_outcomes(
    sample: LabelledScores,
    thresholds: Floats,
    *,
    resamples: int | None = None,
    seed: int = 0,
) -> Iterator[Outcomes]:
    """Counts at each of ``thresholds``, which ascend, in each draw of whole groups.

    Batches of shape (draws, T); none from a single group, whose draws are all the same.
    The same groups and seed give the same draws, whatever the thresholds. ``resamples``: by
    default :func:`resamples_for` the sample.
    """
    drawn = resamples_for(sample.n) if resamples is None else resamples
    names, members = np.unique(np.asarray(sample.groups), return_inverse=True)
    if len(names) < 2:
        return
    rows = _Rows(sample, thresholds)
    members = members.reshape(-1)[rows.order]
    for times in group_draws(len(names), resamples=drawn, seed=seed):
        yield rows.outcomes(times[:, members].astype(np.int64))


def figure_values(figure: Figure, outcomes: Outcomes) -> Floats:
    """``figure`` of each count, NaN where it is undefined: where one label does not occur, and
    for precision where no answer is called hallucinated. Same shape."""
    caught, false_alarms = outcomes.caught, outcomes.false_alarms
    hallucinated = caught + outcomes.missed
    supported = false_alarms + outcomes.passed
    recall = share(caught, hallucinated)
    rate = share(false_alarms, supported)
    match figure:
        case Figure.F1:
            values = share(2 * caught, caught + false_alarms + hallucinated)
        case Figure.PRECISION:
            values = share(caught, caught + false_alarms)
        case Figure.RECALL:
            values = recall
        case Figure.FALSE_ALARM_RATE:
            values = rate
        case Figure.BALANCED_ACCURACY:
            values = (recall + 1.0 - rate) / 2.0
        case Figure.ACCURACY:
            values = share(caught + outcomes.passed, hallucinated + supported)
    return np.where((hallucinated > 0) & (supported > 0), values, np.nan)


def mean_cost(outcomes: Outcomes, cost_ratio: float) -> Floats:
    """Mean cost of an answer, in false alarms: a missed hallucination costs ``cost_ratio``.

    NaN where one label does not occur. Same shape.
    """
    hallucinated = outcomes.caught + outcomes.missed
    supported = outcomes.false_alarms + outcomes.passed
    cost = cost_ratio * outcomes.missed + outcomes.false_alarms
    both = (hallucinated > 0) & (supported > 0)
    return np.where(both, share(cost, hallucinated + supported), np.nan)


class _Rows:
    """The answers in the order of the first threshold that calls them hallucinated."""

    def __init__(self, sample: LabelledScores, thresholds: Floats) -> None:
        # Position T: no threshold does.
        first = np.searchsorted(thresholds, np.asarray(sample.scores), side="right")
        self.order = np.argsort(first, kind="stable")
        first = first[self.order]
        self._supported = np.asarray(sample.labels, dtype=bool)[self.order]
        self._starts = np.flatnonzero(np.r_[True, first[1:] != first[:-1]])[: len(first)]
        self._at = first[self._starts]
        self._thresholds = len(thresholds)

    def outcomes(self, counts: Ints) -> Outcomes:
        """``counts``: how often each answer, in this order, is in each draw. (draws, n)."""
        caught, hallucinated = self._below(counts * ~self._supported)
        false_alarms, supported = self._below(counts * self._supported)
        return Outcomes(caught, hallucinated - caught, false_alarms, supported - false_alarms)

    def _below(self, counts: Ints) -> tuple[Ints, Ints]:
        """How many score below each threshold, (draws, T), and in all, (draws, 1)."""
        binned = np.zeros((len(counts), self._thresholds + 1), dtype=np.int64)
        if len(self._starts):
            binned[:, self._at] = np.add.reduceat(counts, self._starts, axis=1)
        below = np.cumsum(binned, axis=1)
        return below[:, :-1], below[:, -1:]


def share(part: NDArray[Any], whole: Ints) -> Floats:
    """``part`` of ``whole``, NaN where ``whole`` is 0. Same shape."""
    out = np.full(np.shape(whole), np.nan)
    return np.divide(part, whole, out=out, where=whole > 0)
