"""Bootstrap intervals of the AUC and of means, drawn over groups of rows.

Our own because a thousand calls of ``roc_auc_score`` take minutes on a large set, while one sort
serves every resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provenance_core.statistics.metrics import bin_edges, calibration_bins, has_both_classes
from provenance_core.statistics.types import Interval

DEFAULT_RESAMPLES = 1000
# With more rows than this, draws are fewer (:func:`resamples_for`).
_MANY_ROWS, _LEAST_RESAMPLES = 5_000, 200
_RESAMPLES_AT_ONCE = 50  # bounds memory: 50 x rows counts of 8 bytes
_LEVEL = 0.95


def resamples_for(rows: int) -> int:
    """How many draws a page makes for an interval. It makes 1,000 draws, and fewer for over 5,000
    rows, down to 200. Intervals are narrow there, and a person waits. How many draws, 200 to 1,000.

    >>> resamples_for(400), resamples_for(10_000), resamples_for(100_000)
    (1000, 500, 200)
    """
    return max(_LEAST_RESAMPLES, DEFAULT_RESAMPLES * _MANY_ROWS // max(rows, _MANY_ROWS))


def resampled_areas(
    labels: Sequence[int],
    scores: Sequence[float],
    groups: Sequence[str],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Draw whole groups with replacement, and measure the AUC of each draw, shape (resamples,), in
    [0, 1]. Rows of one source document are not independent, so a group comes with all of its rows.
    The same groups and seed give the same draws, so that two columns can be compared draw by draw.
    NaN marks a draw that holds one class only, and every draw of a single group, which are all the
    same sample."""
    truth = np.asarray(labels, dtype=bool)
    distinct, ranks = np.unique(np.asarray(scores, dtype=float), return_inverse=True)
    names, members = np.unique(np.asarray(groups), return_inverse=True)
    if len(names) < 2:
        return np.full(resamples, np.nan)
    shape = (len(distinct), len(names))
    positives, negatives = (group_counts(ranks[c], members[c], shape) for c in (truth, ~truth))
    draws = group_draws(len(names), resamples=resamples, seed=seed)
    return np.concatenate([_areas(positives @ times.T, negatives @ times.T) for times in draws])


def group_draws(
    groups: int, *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0
) -> Iterator[NDArray[np.intp]]:
    """Draw groups with replacement, as many as there are. How often each group is in each draw:
    batches of shape (at most 50, groups)."""
    generator = np.random.default_rng(seed)
    for first in range(0, resamples, _RESAMPLES_AT_ONCE):
        batch = min(_RESAMPLES_AT_ONCE, resamples - first)
        drawn = generator.integers(0, groups, size=(batch, groups))
        offsets = np.arange(batch)[:, None] * groups
        times = np.bincount((drawn + offsets).ravel(), minlength=batch * groups)
        yield times.reshape(batch, groups)


def group_counts(
    places: NDArray[np.intp], members: NDArray[np.intp], shape: tuple[int, int]
) -> Any:
    """Count how many rows are at each place (a rank, a bin), by group: a sparse matrix of shape
    (places, groups). Times a batch of :func:`group_draws`, turned to (groups, draws), it is how
    many rows at each place each draw holds."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(places), dtype=np.int64), (places, members)), shape=shape)


def resampled_means(
    values: Sequence[float], groups: Sequence[str], *, resamples: int = DEFAULT_RESAMPLES
) -> NDArray[np.float64]:
    """Draw whole groups with replacement, and measure the mean of each draw, shape (resamples,).
    Every draw of a single group is NaN."""
    names, members = np.unique(np.asarray(groups), return_inverse=True)
    if len(names) < 2:
        return np.full(resamples, np.nan)
    sizes = np.bincount(members)
    sums = np.bincount(members, weights=np.asarray(values, dtype=float))
    draws = group_draws(len(names), resamples=resamples)
    return np.concatenate([(times @ sums) / (times @ sizes) for times in draws])


def resampled_calibration_errors(
    labels: Sequence[int], probabilities: Sequence[float], groups: Sequence[str], *, seed: int = 0
) -> NDArray[np.float64]:
    """Draw whole groups with replacement, and measure the expected calibration error
    (:func:`provenance_core.statistics.metrics.calibration`) of each draw, shape
    (DEFAULT_RESAMPLES,), in [0, 1]. Every draw of a single group is NaN."""
    names, members = np.unique(np.asarray(groups), return_inverse=True)
    if len(names) < 2:
        return np.full(DEFAULT_RESAMPLES, np.nan)
    scores = np.asarray(probabilities, dtype=float)
    away = np.zeros((len(bin_edges()) - 1, len(names)))
    np.add.at(away, (calibration_bins(scores), members), scores - np.asarray(labels, dtype=float))
    sizes = np.bincount(members)
    return np.concatenate(
        [
            np.abs(away @ times.T).sum(axis=0) / (times @ sizes)
            for times in group_draws(len(names), seed=seed)
        ]
    )


def interval_of(values: NDArray[np.float64]) -> Interval | None:
    """Take the 95 % percentile interval of draws. A perfect ranking gives [1, 1]: the bootstrap
    cannot see errors that the sample lacks. None when nothing is left."""
    found = values[~np.isnan(values)]
    if not found.size:
        return None
    tail = (1.0 - _LEVEL) / 2.0
    low, high = np.quantile(found, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def bootstrap_auc(
    labels: Sequence[int],
    scores: Sequence[float],
    groups: Sequence[str] | None = None,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """Measure the interval of an AUC. The 95 % interval; None with one class."""
    if not has_both_classes(labels):
        return None
    each = [str(index) for index in range(len(labels))] if groups is None else groups
    return interval_of(resampled_areas(labels, scores, each, resamples=resamples, seed=seed))


def _areas(positives: NDArray[np.int64], negatives: NDArray[np.int64]) -> NDArray[np.float64]:
    """AUC of each draw; how often each holds a row of either class at each distinct score, from the
    lowest. Shape (scores, draws). The AUC is the chance that a supported row outranks a
    hallucinated one, ties counting half."""
    twice_outranked = 2 * np.cumsum(negatives, axis=0) - negatives
    wins = np.einsum("sd,sd->d", positives, twice_outranked) / 2.0
    pairs = positives.sum(axis=0) * negatives.sum(axis=0)
    return np.divide(wins, pairs, out=np.full(len(wins), np.nan), where=pairs > 0)
