"""Calibrated support of a claim by a chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from provenance_core.text.coverage import claim_coverage
from provenance_core.types import Evidence, Floats, ModelInfo, PairScores, SupportMap, SupportTerm

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


def mapped_support(found: Mapping[SupportTerm, Floats], support: SupportMap) -> Floats:
    """Support of each claim by each chunk, in [0, 1]: sigmoid(intercept + sum of weight x term).

    ``found``: the terms, each of shape (R, N). KeyError for a term that the map weighs and that
    was not measured.
    """
    total = support.intercept + sum(each.weight * found[each.term] for each in support.weights)
    return np.asarray(1.0 / (1.0 + np.exp(-total)), dtype=np.float64)


def sentence_support(evidence: Evidence) -> Floats:
    """Support of each sentence by each chunk, in [0, 1], (S, N): as it was measured, or by the
    Platt map of a model that has no support map."""
    if evidence.support:
        return np.array(evidence.support, dtype=np.float64)
    return support_matrix(
        evidence.sentence_scores,
        [sentence.text for sentence in evidence.sentences],
        [chunk.text for chunk in evidence.chunks],
        evidence.nli_model,
    )


def claims_are_sentences(evidence: Evidence) -> bool:
    """Whether each sentence of the answer has a claim of its own."""
    return len(evidence.claims) == len(evidence.sentences)


def claim_support(evidence: Evidence) -> Floats:
    """Support of each claim by each chunk, in [0, 1], (M, N). Where each sentence is a claim it is
    :func:`sentence_support`, so that a sentence has one support wherever it is shown."""
    if evidence.support and claims_are_sentences(evidence):
        return sentence_support(evidence)
    # The claim's own part of the answer: the claim prompt's words are the query's, not its.
    return support_matrix(
        evidence.claim_scores,
        [evidence.answer[claim.start : claim.end] for claim in evidence.claims],
        [chunk.text for chunk in evidence.chunks],
        evidence.nli_model,
    )
