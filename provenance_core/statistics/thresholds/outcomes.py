"""Counts of right and wrong verdicts at many thresholds, of the answers and of every draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provenance_core.statistics.bootstrap import group_counts, group_draws, resamples_for
from provenance_core.statistics.thresholds.types import Figure, LabelledScores
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
    """Count right and wrong verdicts at each threshold. ``thresholds``: Ascending, shape (T,). Four
    counts, of shape (T,) each."""
    together = np.zeros(sample.n, dtype=np.intp)
    found = _Rows(sample, thresholds, together, 1).outcomes(np.ones((1, 1), dtype=np.int64))
    return Outcomes(found.caught[0], found.missed[0], found.false_alarms[0], found.passed[0])


def drawn_outcomes(
    sample: LabelledScores, thresholds: Floats, *, resamples: int | None = None, seed: int = 0
) -> Iterator[Outcomes]:
    """Count right and wrong verdicts at each of T rising thresholds in each draw of whole groups,
    in batches of shape (draws, T). The same groups and seed give the same draws, whatever the
    thresholds. There are none from a single group, whose draws are all the same."""
    drawn = resamples_for(sample.n) if resamples is None else resamples
    names, members = np.unique(np.asarray(sample.groups), return_inverse=True)
    if len(names) < 2:
        return
    rows = _Rows(sample, thresholds, members, len(names))
    for times in group_draws(len(names), resamples=drawn, seed=seed):
        yield rows.outcomes(times)


def figure_values(figure: Figure, outcomes: Outcomes) -> Floats:
    """Compute a figure of counts of any shape. NaN where it is undefined: where one label does not
    occur, and for precision where no answer is called hallucinated."""
    caught, false_alarms = outcomes.caught, outcomes.false_alarms
    hallucinated = caught + outcomes.missed
    supported = false_alarms + outcomes.passed
    match figure:
        case Figure.F1:
            values = share(2 * caught, caught + false_alarms + hallucinated)
        case Figure.PRECISION:
            values = share(caught, caught + false_alarms)
        case Figure.RECALL:
            values = share(caught, hallucinated)
        case Figure.FALSE_ALARM_RATE:
            values = share(false_alarms, supported)
        case Figure.BALANCED_ACCURACY:
            recall, rate = share(caught, hallucinated), share(false_alarms, supported)
            values = (recall + 1.0 - rate) / 2.0
        case Figure.ACCURACY:
            values = share(caught + outcomes.passed, hallucinated + supported)
    return np.where((hallucinated > 0) & (supported > 0), values, np.nan)


def mean_cost(outcomes: Outcomes, cost_ratio: float) -> Floats:
    """Compute the mean cost of an answer, in false alarms, of counts of any shape. NaN where one
    label does not occur."""
    hallucinated = outcomes.caught + outcomes.missed
    supported = outcomes.false_alarms + outcomes.passed
    cost = cost_ratio * outcomes.missed + outcomes.false_alarms
    both = (hallucinated > 0) & (supported > 0)
    return np.where(both, share(cost, hallucinated + supported), np.nan)


class _Rows:
    """The answers of each label by the first threshold that calls them hallucinated, and by
    group."""

    def __init__(
        self, sample: LabelledScores, thresholds: Floats, members: NDArray[np.intp], groups: int
    ) -> None:
        # Position T: no threshold does.
        first = np.searchsorted(thresholds, np.asarray(sample.scores), side="right")
        supported = np.asarray(sample.labels, dtype=bool)
        shape = (len(thresholds) + 1, groups)
        self._hallucinated = group_counts(first[~supported], members[~supported], shape)
        self._supported = group_counts(first[supported], members[supported], shape)

    def outcomes(self, times: NDArray[np.intp]) -> Outcomes:
        """``times``: how often each group is in each draw. Shape (draws, groups)."""
        caught, hallucinated = _below(self._hallucinated @ times.T)
        false_alarms, supported = _below(self._supported @ times.T)
        return Outcomes(caught, hallucinated - caught, false_alarms, supported - false_alarms)


def _below(binned: Ints) -> tuple[Ints, Ints]:
    """How many score below each threshold, (draws, T), and in all, (draws, 1). ``binned``: by the
    first threshold above them, (T + 1, draws)."""
    below = np.empty(binned.T.shape, dtype=np.int64)
    np.cumsum(binned.T, axis=1, out=below)
    return below[:, :-1], below[:, -1:]


def share(part: NDArray[Any], whole: Ints) -> Floats:
    """Divide two arrays of one shape, element by element. NaN where both are 0."""
    with np.errstate(invalid="ignore"):
        return np.asarray(part / whole, dtype=np.float64)
