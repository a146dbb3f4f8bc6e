"""Metrics of a ranking, and a bootstrap interval for the area under the ROC curve.

Point figures come from scikit-learn. The bootstrap is our own because a thousand calls of
``roc_auc_score`` take minutes on a large set, while one sort serves every resample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DEFAULT_RESAMPLES = 1000
_RESAMPLES_AT_ONCE = 50  # bounds memory: 50 x rows counts of 8 bytes


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval; both ends in [0, 1]."""

    low: float
    high: float


def has_both_classes(labels: Sequence[int]) -> bool:
    """Whether ``labels`` holds a 0 and a 1, without which no ranking can be judged."""
    return 0 in labels and 1 in labels


def roc_auc(labels: Sequence[int], scores: Sequence[float]) -> float | None:
    """Area under the ROC curve in [0, 1]; None with one class only."""
    if not has_both_classes(labels):
        return None
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels, scores))


def average_precision(labels: Sequence[int], scores: Sequence[float]) -> float | None:
    """Average precision of the supported class in [0, 1]; None with one class only."""
    if not has_both_classes(labels):
        return None
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(labels, scores))


def balanced_accuracy(
    labels: Sequence[int], scores: Sequence[float], threshold: float
) -> float | None:
    """Mean recall of the two classes when ``score >= threshold`` says supported, in [0, 1]."""
    if not has_both_classes(labels):
        return None
    from sklearn.metrics import balanced_accuracy_score

    return float(balanced_accuracy_score(labels, [int(score >= threshold) for score in scores]))


def bootstrap_auc(
    labels: Sequence[int],
    scores: Sequence[float],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Interval | None:
    """Percentile bootstrap interval of the AUC over rows drawn with replacement.

    A resample that holds one class only has no AUC and is left out. None when the data hold
    one class, or no resample held both. A perfect ranking gives [1, 1]: the bootstrap cannot
    see errors that the sample does not contain.
    """
    if not has_both_classes(labels):
        return None
    truth = np.asarray(labels, dtype=bool)
    groups = _tie_groups(np.asarray(scores, dtype=float))
    order = np.argsort(groups, kind="stable")
    truth, groups = truth[order], groups[order]
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    generator = np.random.default_rng(seed)
    areas: list[NDArray[np.float64]] = []
    remaining = resamples
    while remaining:
        batch = min(remaining, _RESAMPLES_AT_ONCE)
        areas.append(_resampled_areas(truth, starts, batch, generator))
        remaining -= batch
    found = np.concatenate(areas)
    found = found[~np.isnan(found)]
    if not found.size:
        return None
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(found, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def _tie_groups(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """The rank of each score among the distinct scores; ties share a rank."""
    return np.unique(scores, return_inverse=True)[1].reshape(-1)


def _resampled_areas(
    truth: NDArray[np.bool_],
    starts: NDArray[np.intp],
    resamples: int,
    generator: np.random.Generator,
) -> NDArray[np.float64]:
    """AUC of each of ``resamples`` draws; ``truth`` is sorted by score, NaN marks one class.

    The AUC is the chance that a supported row outranks a hallucinated one, ties counting half,
    so the counts of each class at each distinct score are enough.
    """
    rows = truth.size
    drawn = generator.integers(0, rows, size=(resamples, rows))
    offsets = np.arange(resamples)[:, None] * rows
    counts = np.bincount((drawn + offsets).ravel(), minlength=resamples * rows)
    counts = counts.reshape(resamples, rows)
    positives = np.add.reduceat(counts * truth, starts, axis=1)
    negatives = np.add.reduceat(counts * ~truth, starts, axis=1)
    outranked = np.cumsum(negatives, axis=1) - negatives / 2.0
    wins = (positives * outranked).sum(axis=1)
    pairs = positives.sum(axis=1) * negatives.sum(axis=1)
    return np.divide(wins, pairs, out=np.full(resamples, np.nan), where=pairs > 0)
