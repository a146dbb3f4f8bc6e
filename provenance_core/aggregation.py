"""Aggregation over sources and claims (paper section 3.3)."""

from __future__ import annotations

import numpy as np

from .types import Aggregation, ClaimAggregation, Floats


def aggregate_sources(
    factuality: Floats, weights: Floats, selected: list[int], aggregation: Aggregation
) -> tuple[float, int | None]:
    """FScore of one claim over its sources, and the chunk that decided it.

    ``factuality`` and ``weights`` have shape (N,). min and max run over the selected sources
    and name the deciding one; the weighted average is sum_i w_i * FScore_i (decided by none).
    """
    if aggregation is Aggregation.WEIGHTED_AVERAGE:
        return float(np.dot(weights, factuality)), None
    values = factuality[selected]
    at = int(np.argmin(values) if aggregation is Aggregation.MIN else np.argmax(values))
    return float(values[at]), selected[at]


def claim_shares(scores: Floats, aggregation: ClaimAggregation) -> Floats:
    """How much each of M claims counts in the answer's score. Shape (M,), sum 1."""
    shares = np.zeros_like(scores)
    if aggregation is ClaimAggregation.MIN:
        shares[int(np.argmin(scores))] = 1.0
    else:
        shares[:] = 1.0 / len(scores)
    return shares
