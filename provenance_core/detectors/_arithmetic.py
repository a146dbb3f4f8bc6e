"""Arithmetic that several detectors share."""

from __future__ import annotations

import numpy as np

from provenance_core.detectors._interface import AnswerScore
from provenance_core.errors import InputError
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD
from provenance_core.types import Bools, Evidence, Floats, ModelInfo


def every_chunk_alike(
    evidence: Evidence,
    factuality: Floats,
    claims: Floats,
    decided_by: tuple[int | None, ...],
    shares: Floats,
) -> AnswerScore:
    """A score for which every chunk is a source and none weighs more; arguments as there."""
    n = len(evidence.chunks)
    even = np.full(n, 1.0 / n)
    score = float(np.clip(shares @ claims, 0.0, 1.0))
    return AnswerScore(factuality, even, tuple(range(n)), even, claims, decided_by, shares, score)


def even_shares(counted: Bools) -> Floats:
    """The shares under which the answer's score is the mean of its claims that count, (M,), at
    least one. Shape (M,)."""
    return counted / counted.sum()


def lowest_decides(claims: Floats, counted: Bools) -> Floats:
    """The shares under which the answer's score is that of its lowest claim that counts, (M,), at
    least one. Shape (M,)."""
    lowest = int(np.argmin(np.where(counted, claims, np.inf)))
    return (np.arange(len(claims)) == lowest).astype(np.float64)


def lacks_contradiction(title: str, nli: ModelInfo) -> str:
    """Why the method called ``title``, which counts contradictions, cannot be used with ``nli``;
    "" when it can."""
    if nli.tells_contradiction:
        return ""
    return (
        f"{title} counts contradictions, and {nli.model_id} measures none: it tells how likely a "
        "claim is supported, not whether it is contradicted or merely not found. Choose a profile "
        "whose NLI model has entailment, neutral and contradiction apart (embedded, nli-deberta, "
        "vitaminc), or another method."
    )


def contradictions(title: str, evidence: Evidence) -> Floats:
    """P(contradiction) of each claim by each chunk, shape (M, N); InputError where the model
    measured none."""
    if reason := lacks_contradiction(title, evidence.nli_model):
        raise InputError(reason)
    return evidence.claim_scores.contradiction


def is_contradicted(evidence: Evidence, start: int, end: int) -> bool:
    """Whether a chunk contradicts a sentence that ``answer[start:end]`` lies in."""
    contradiction = evidence.sentence_scores.contradiction
    return any(
        bool((contradiction[sentence.index] >= CONTRADICTION_THRESHOLD).any())
        for sentence in evidence.sentences
        if sentence.start < end and start < sentence.end
    )
