"""Arithmetic that several detectors share."""

from __future__ import annotations

import numpy as np

from provenance_core.detectors._interface import AnswerScore
from provenance_core.errors import InputError
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD, evidence_span
from provenance_core.types import (
    Bools,
    Evidence,
    Floats,
    JoinedPremise,
    ModelInfo,
    Sentence,
    SentenceLabel,
    TracedSentence,
)


def every_chunk_alike(
    evidence: Evidence,
    factuality: Floats,
    claims: Floats,
    decided_by: tuple[int | None, ...],
    shares: Floats,
) -> AnswerScore:
    """Make a score for which every chunk is a source and none weighs more: the claims' scores
    weighted by their shares. ``factuality``: what each chunk says of each claim, in [0, 1], shape
    (M, N). ``claims``: the score of each claim, in [0, 1], shape (M,). ``shares``: how much each
    claim counts, sum 1, shape (M,)."""
    n = len(evidence.chunks)
    even = np.full(n, 1.0 / n)
    score = float(np.clip(shares @ claims, 0.0, 1.0))
    return AnswerScore(factuality, even, tuple(range(n)), even, claims, decided_by, shares, score)


def even_shares(counted: Bools) -> Floats:
    """Let the answer's score be the mean of its claims that count. ``counted``: Which claims count,
    at least one, shape (M,). Shares, sum 1, shape (M,).

    >>> even_shares(np.array([True, False, True])).tolist()
    [0.5, 0.0, 0.5]
    """
    return counted / counted.sum()


def lowest_decides(claims: Floats, counted: Bools) -> Floats:
    """Let the answer's score be that of its lowest claim that counts. ``claims``: The score of each
    claim, shape (M,). ``counted``: Which claims count, at least one, shape (M,). Shares, sum 1,
    shape (M,); the first of several lowest has it all.

    >>> lowest_decides(np.array([0.9, 0.2, 0.1]), np.array([True, True, False])).tolist()
    [0.0, 1.0, 0.0]
    """
    lowest = int(np.argmin(np.where(counted, claims, np.inf)))
    return (np.arange(len(claims)) == lowest).astype(np.float64)


def lacks_contradiction(title: str, nli: ModelInfo) -> str:
    """Why a method that counts contradictions cannot use a model; "" when it can."""
    if nli.tells_contradiction:
        return ""
    return (
        f"{title} counts contradictions, and {nli.model_id} measures none: it tells how likely a "
        "claim is supported, not whether it is contradicted or merely not found. Choose a profile "
        "whose NLI model has entailment, neutral and contradiction apart (embedded, nli-deberta, "
        "vitaminc), or another method."
    )


def contradictions(title: str, evidence: Evidence) -> Floats:
    """Find P(contradiction) of each claim by each chunk. Probabilities, shape (M, N). Raises
    InputError where the model measured none."""
    if reason := lacks_contradiction(title, evidence.nli_model):
        raise InputError(reason)
    return evidence.claim_scores.contradiction


def is_contradicted(evidence: Evidence, start: int, end: int) -> bool:
    """Whether a chunk contradicts a sentence that a part of the answer lies in. ``start``: where
    the part begins, in characters. True from P(contradiction) = ``CONTRADICTION_THRESHOLD`` on."""
    contradiction = evidence.sentence_scores.contradiction
    return any(
        bool((contradiction[sentence.index] >= CONTRADICTION_THRESHOLD).any())
        for sentence in evidence.sentences
        if sentence.start < end and start < sentence.end
    )


def trace_joined(
    evidence: Evidence,
    sentence: Sentence,
    joined: JoinedPremise,
    support: float,
    threshold: float,
    *,
    counted: bool = True,
) -> TracedSentence:
    """Label a sentence by what several chunks say of it together. It is supported from the
    threshold on, else contradicted when their contradiction reaches 0.5, else not found. Its
    evidence is the joined chunk that alone most entails (or contradicts) it. Where a chunk that was
    left out reaches the threshold, the sentence is supported only by a chunk that was not selected.
    ``support``: What they say of it together, in [0, 1]. ``threshold``: in [0, 1]."""
    entailment = evidence.sentence_scores.entailment[sentence.index]
    contradiction = evidence.sentence_scores.contradiction[sentence.index]
    label = SentenceLabel.SUPPORTED
    if not counted:
        label = SentenceLabel.SET_ASIDE
    elif support < threshold:
        against = joined.scores.contradiction >= CONTRADICTION_THRESHOLD
        label = SentenceLabel.CONTRADICTED if against else SentenceLabel.NOT_FOUND
    contradicted = label is SentenceLabel.CONTRADICTED
    unsupported = contradicted or label is SentenceLabel.NOT_FOUND
    left_out = [index for index in range(len(evidence.chunks)) if index not in joined.chunks]
    elsewhere = max(left_out, key=lambda index: entailment[index], default=None)
    miss = unsupported and elsewhere is not None and bool(entailment[elsewhere] >= threshold)
    if miss and elsewhere is not None:
        chunk = elsewhere
    elif contradicted:
        chunk = max(joined.chunks, key=lambda index: contradiction[index])
    else:
        chunk = max(joined.chunks, key=lambda index: entailment[index])
    start, end = evidence_span(
        evidence, sentence.index, chunk, contradiction=contradicted and not miss
    )
    details = tuple(
        detail
        for detail in evidence.missing_details
        if unsupported and sentence.start <= detail.start and detail.end <= sentence.end
    )
    return TracedSentence(
        sentence=sentence,
        label=label,
        support=support,
        contradiction=joined.scores.contradiction,
        evidence_chunk=chunk,
        evidence_start=start,
        evidence_end=end,
        selection_miss=miss,
        missing_details=details,
    )
