"""Calibrated support of a claim by a chunk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provenance_core.text.coverage import claim_coverage
from provenance_core.types import Floats, ModelInfo, PairScores

_CLIP = 1e-7


def calibrated_support(
    entailment: Floats, contradiction: Floats, coverage: Floats, model: ModelInfo
) -> Floats:
    """Probability that a pair is supported, in [0, 1]:
    sigmoid(a * logit(P(entailment)) + b + c * (1 - P(contradiction)) * coverage).

    The Platt map of the entailment probability (c = 0) with word coverage
    (:func:`claim_coverage`, in [0, 1]) as a second term, which counts only so far as the chunk
    does not contradict. a, b and c are fitted on held-out training data and kept with the
    model. Arguments of equal shape.
    """
    p = np.clip(entailment, _CLIP, 1 - _CLIP)
    z = np.log(p) - np.log1p(-p)
    return 1.0 / (
        1.0
        + np.exp(
            -(
                model.calibration_slope * z
                + model.calibration_intercept
                + model.calibration_coverage * (1 - contradiction) * coverage
            )
        )
    )


def support_matrix(
    scores: PairScores,
    texts: Sequence[str],
    chunks: Sequence[str],
    model: ModelInfo,
) -> Floats:
    """Calibrated support of each of ``texts``, by each chunk; ``scores`` are theirs.

    Shape (len(texts), len(chunks)).
    """
    coverage = claim_coverage(texts, chunks)
    return calibrated_support(scores.entailment, scores.contradiction, coverage, model)
