"""Figures of two ways to score the same rows, and of their difference, from one bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provenance_core.statistics.bootstrap import (
    interval_of,
    resampled_areas,
    resampled_calibration_errors,
)
from provenance_core.statistics.metrics import calibration, roc_auc
from provenance_core.statistics.own_fit.types import FitComparison, FitFigure
from provenance_core.statistics.thresholds.types import Estimate
from provenance_core.types import Bools, Floats


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores in [0, 1], (R,), and whether each answer was called supported, (R,)."""

    scores: Floats
    supported: Bools


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A figure and what it is in each draw of the bootstrap."""

    value: float
    draws: Floats


@dataclass(frozen=True, slots=True)
class UnseenRows:
    """R rows, each scored by a map of its fold. ``labels``: 1 = supported, both occur. No source
    document is in two ``folds``."""

    labels: NDArray[np.intp]
    groups: Sequence[str]
    folds: NDArray[np.intp]

    def compared(
        self, before: Scored, after: Scored, *, seed: int = 0
    ) -> tuple[FitComparison, ...]:
        """Compare two scorings by every :class:`FitFigure`, with 95 % intervals over source
        documents. Both are drawn together: the interval of the gain is of the difference within
        each draw. One of each figure."""
        yes_before, yes_after = (each.supported.astype(np.float64) for each in (before, after))
        return (
            _comparison(
                FitFigure.AUC,
                self._area_within_folds(before.scores, seed),
                self._area_within_folds(after.scores, seed),
            ),
            # The AUC of a yes or no is the mean of the shares that are right of either label.
            _comparison(
                FitFigure.BALANCED_ACCURACY,
                self._area(yes_before, seed),
                self._area(yes_after, seed),
            ),
            _comparison(
                FitFigure.CALIBRATION_ERROR,
                self._error(before.scores, seed),
                self._error(after.scores, seed),
                sign=-1,
            ),
        )

    def _area(self, values: Floats, seed: int) -> _Drawn:
        labels, found = self.labels.tolist(), values.tolist()
        draws = resampled_areas(labels, found, self.groups, seed=seed)
        return _Drawn(roc_auc(labels, found) or 0.0, draws)

    def _area_within_folds(self, values: Floats, seed: int) -> _Drawn:
        """The AUC of pairs of one fold: scores of two folds are by two maps, and a fold with more
        supported rows leaves fewer for its map, which would count against it."""
        total, weight = 0.0, 0.0
        totals, weights = np.zeros(1), np.zeros(1)
        for fold in np.unique(self.folds):
            there = self.folds == fold
            labels, found = self.labels[there].tolist(), values[there].tolist()
            area = roc_auc(labels, found)
            if area is None:
                continue
            pairs = float(sum(labels) * (len(labels) - sum(labels)))
            total, weight = total + pairs * area, weight + pairs
            groups = [self.groups[at] for at in np.flatnonzero(there).tolist()]
            draws = resampled_areas(labels, found, groups, seed=seed + int(fold))
            known = ~np.isnan(draws)
            totals = totals + pairs * np.where(known, draws, 0.0)
            weights = weights + pairs * known
        draws = np.divide(totals, weights, out=np.full(len(weights), np.nan), where=weights > 0)
        return _Drawn(total / weight if weight else 0.0, draws)

    def _error(self, values: Floats, seed: int) -> _Drawn:
        labels, found = self.labels.tolist(), values.tolist()
        error = calibration(labels, found)
        draws = resampled_calibration_errors(labels, found, self.groups, seed=seed)
        return _Drawn(error.ece if error else 0.0, draws)


def _comparison(figure: FitFigure, before: _Drawn, after: _Drawn, sign: int = 1) -> FitComparison:
    gain = _Drawn(sign * (after.value - before.value), sign * (after.draws - before.draws))
    found = (Estimate(each.value, interval_of(each.draws)) for each in (before, after, gain))
    return FitComparison(figure, *found)
