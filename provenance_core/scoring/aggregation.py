"""Aggregation over sources and claims (paper section 3.3)."""

from __future__ import annotations

import numpy as np

from provenance_core.types import Aggregation, Bools, ClaimAggregation, Floats

# Below it claims weigh alike, so that a score of 0 divides nothing.
_LEAST_SCORE = 1e-6


def aggregate_sources(
    factuality: Floats, weights: Floats, selected: list[int], aggregation: Aggregation
) -> tuple[float, int | None]:
    """Aggregate the support of one claim over its sources (paper section 3.3). ``factuality``:
    FScore_i, the support of the claim by each chunk in [0, 1], shape (N,); NaN by a chunk that was
    not read, which must not be selected. ``weights``: Weight w_i of each chunk, shape (N,), sum 1,
    0 where the query does not select it. FScore of the claim in [0, 1], and the chunk that decided
    it: None under the weighted average.

    >>> support, weights = np.array([0.9, 0.2, 0.6]), np.array([0.5, 0.0, 0.5])
    >>> aggregate_sources(support, weights, [0, 2], Aggregation.MIN)
    (0.6, 2)
    >>> aggregate_sources(support, weights, [0, 2], Aggregation.WEIGHTED_AVERAGE)
    (0.75, None)
    """
    if aggregation is Aggregation.WEIGHTED_AVERAGE:
        return float(np.dot(weights, np.where(weights > 0, factuality, 0.0))), None
    values = factuality[selected]
    at = int(np.argmin(values) if aggregation is Aggregation.MIN else np.argmax(values))
    return float(values[at]), selected[at]


def claim_shares(
    scores: Floats, aggregation: ClaimAggregation, counted: Bools | None = None
) -> Floats:
    """How much each of M claims counts in the answer's score. The score is the weighted sum of the
    claims. Weights that are proportional to 1 / score make it the harmonic mean, and to 1 /
    score**2 the inverse square mean (the Lehmer mean of order -1), in which one claim that is not
    supported outweighs many that are. ``scores``: FScore of each claim in [0, 1], shape (M,).
    ``counted``: Which claims count, shape (M,), at least one; the others have 0. All count where it
    is None. Shape (M,), in [0, 1], sum 1.

    >>> scores = np.array([0.9, 0.3])
    >>> shares = claim_shares(scores, ClaimAggregation.HARMONIC_MEAN)
    >>> shares.round(2).tolist(), round(float(shares @ scores), 2)
    ([0.25, 0.75], 0.45)
    >>> shares = claim_shares(scores, ClaimAggregation.INVERSE_SQUARE_MEAN)
    >>> shares.round(2).tolist(), round(float(shares @ scores), 2)
    ([0.1, 0.9], 0.36)
    """
    if counted is not None:
        shares = np.zeros(len(scores))
        shares[counted] = claim_shares(scores[counted], aggregation)
        return shares
    if aggregation is ClaimAggregation.MIN:
        weights = (np.arange(len(scores)) == np.argmin(scores)).astype(np.float64)
    elif aggregation is ClaimAggregation.HARMONIC_MEAN:
        weights = 1.0 / np.maximum(scores, _LEAST_SCORE)
    elif aggregation is ClaimAggregation.INVERSE_SQUARE_MEAN:
        weights = 1.0 / np.maximum(scores, _LEAST_SCORE) ** 2
    else:
        weights = np.ones_like(scores)
    return weights / weights.sum()
