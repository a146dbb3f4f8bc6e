"""Calibrated support of a claim by a chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from provenance_core.findings.coverage import claim_coverage
from provenance_core.types import Evidence, Floats, ModelInfo, PairScores, SupportMap, SupportTerm

_CLIP = 1e-7


def calibrated_support(
    entailment: Floats, contradiction: Floats, coverage: Floats, model: ModelInfo
) -> Floats:
    """Compute the probability that a pair is supported.

    sigmoid(a * logit(P(entailment)) + b + c * (1 - P(contradiction)) * coverage).

    This is the Platt map of the entailment probability (c = 0) with word coverage as a second term,
    which counts only so far as the chunk does not contradict. a, b and c are fitted on held-out
    training data and kept with the model. Our own calibration after paper section 3.3.

    ``entailment``: P(entailment), any shape. ``contradiction``: P(contradiction), of the same
    shape. ``coverage``: As of :func:`claim_coverage`, in [0, 1], of the same shape. Of the same
    shape, in (0, 1)."""
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
    scores: PairScores, texts: Sequence[str], chunks: Sequence[str], model: ModelInfo
) -> Floats:
    """Compute the calibrated support of texts by chunks. ``scores``: P(entailment) and
    P(contradiction), shape (len(texts), len(chunks)) each. Shape (len(texts), len(chunks)), in (0,
    1)."""
    coverage = claim_coverage(texts, chunks)
    return calibrated_support(scores.entailment, scores.contradiction, coverage, model)


def mapped_support(found: Mapping[SupportTerm, Floats], support: SupportMap) -> Floats:
    """Compute support by a support map: sigmoid(intercept + sum of weight x term). ``found``: the
    terms, shape (R, N) each. Shape (R, N), in (0, 1). Raises KeyError where the map weighs a term
    that was not measured."""
    total = support.intercept + sum(each.weight * found[each.term] for each in support.weights)
    return np.asarray(1.0 / (1.0 + np.exp(-total)), dtype=np.float64)


def sentence_support(evidence: Evidence) -> Floats:
    """How well each chunk supports each sentence. Shape (S, N), in [0, 1]: as it was measured, or
    by the Platt map of a model that has no support map. NaN by a chunk that was not read."""
    if evidence.support:
        return evidence.support.values
    return support_matrix(
        evidence.sentence_scores,
        [sentence.text for sentence in evidence.sentences],
        [chunk.text for chunk in evidence.chunks],
        evidence.nli_model,
    )


def claims_are_sentences(evidence: Evidence) -> bool:
    """Whether each sentence of the answer has a claim of its own. False where one claim holds
    several sentences, or a sentence is cut into several claims."""
    return len(evidence.claims) == len(evidence.sentences)


def claim_support(evidence: Evidence) -> Floats:
    """How well each chunk supports each claim. Where each sentence is a claim it is
    :func:`sentence_support`, so that a sentence has one support wherever it is shown. Shape (M, N),
    in [0, 1]; NaN by a chunk that was not read."""
    if evidence.support and claims_are_sentences(evidence):
        return sentence_support(evidence)
    # The claim's own part of the answer: the claim prompt's words are the query's, not its.
    return support_matrix(
        evidence.claim_scores,
        [evidence.answer[claim.start : claim.end] for claim in evidence.claims],
        [chunk.text for chunk in evidence.chunks],
        evidence.nli_model,
    )


def last_entailment(evidence: Evidence) -> Floats:
    """P(entailment) of each sentence by each chunk, by the model that read it last, (S, N)."""
    first = evidence.sentence_scores.entailment
    if evidence.second is None:
        return first
    again = evidence.second.scores
    return np.where(again.read, again.entailment, first)
