"""Calibration of one pair and aggregation over sources and claims (paper section 3.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .types import Aggregation, ClaimAggregation, ModelInfo

Floats = NDArray[np.float64]
_CLIP = 1e-7


def calibrated_support(entailment: Floats, coverage: Floats, model: ModelInfo) -> Floats:
    """Probability that a pair is supported: sigmoid(a * logit(P(entailment)) + b + c * coverage).

    The Platt map of the entailment probability (c = 0), with the share of the claim's content
    words that the premise and its context hold (:func:`claim_coverage`, in [0, 1]) as a second
    term. a, b and c are fitted on held-out training data and kept with the model. Arguments of equal shape.
    """
    p = np.clip(entailment, _CLIP, 1 - _CLIP)
    z = np.log(p) - np.log1p(-p)
    return 1.0 / (
        1.0
        + np.exp(
            -(
                model.calibration_slope * z
                + model.calibration_intercept
                + model.calibration_coverage * coverage
            )
        )
    )


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
