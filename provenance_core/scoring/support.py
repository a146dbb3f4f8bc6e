"""Calibrated support of a claim by a chunk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provenance_core.text.coverage import claim_coverage
from provenance_core.types import Entailment, Floats, ModelInfo

_CLIP = 1e-7


def probabilities(rows: Sequence[Sequence[Entailment]], chunks: int) -> Floats:
    """Entailment, neutral and contradiction of each pair. Shape (len(rows), chunks, 3)."""
    cells = [[(c.entailment, c.neutral, c.contradiction) for c in row] for row in rows]
    return np.array(cells, dtype=np.float64).reshape(len(rows), chunks, 3)


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
    rows: Sequence[Sequence[Entailment]],
    texts: Sequence[str],
    chunks: Sequence[str],
    model: ModelInfo,
) -> Floats:
    """Calibrated support of each of ``texts``, whose scores are ``rows``, by each chunk.

    Shape (len(texts), len(chunks)).
    """
    scores = probabilities(rows, len(chunks))
    return calibrated_support(scores[..., 0], scores[..., 2], claim_coverage(texts, chunks), model)
