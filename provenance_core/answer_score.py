"""From calibrated support and relevance to the score of an answer (paper section 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .aggregation import aggregate_sources, claim_shares
from .selection import relevance_probabilities, select, source_weights
from .types import Floats, Parameters


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """An answer's score and the steps to it, for M claims and N chunks.

    ``probabilities``: softmax of the relevance, (N,). ``selected``: indices of the sources, in
    original order. ``weights``: (N,), 0 for what is not selected. ``claims``: the score of each
    claim, (M,), with the chunk that decided it (or None) in ``decided_by``. ``shares``: how much
    each claim counts, (M,), sum 1. ``score`` is in [0, 1].
    """

    probabilities: Floats
    selected: tuple[int, ...]
    weights: Floats
    claims: Floats
    decided_by: tuple[int | None, ...]
    shares: Floats
    score: float


def score_answer(factuality: Floats, relevance: Floats, parameters: Parameters) -> AnswerScore:
    """The score under ``parameters`` of an answer whose claims are supported by the chunks as
    ``factuality`` says, shape (M, N), in [0, 1]. ``relevance``: logits, (N,)."""
    probabilities = relevance_probabilities(relevance)
    selected = select(probabilities, parameters)
    weights = source_weights(probabilities, selected)
    found = [
        aggregate_sources(row, weights, selected, parameters.aggregation) for row in factuality
    ]
    claims = np.array([score for score, _ in found])
    shares = claim_shares(claims, parameters.claim_aggregation)
    return AnswerScore(
        probabilities=probabilities,
        selected=tuple(selected),
        weights=weights,
        claims=claims,
        decided_by=tuple(decided_by for _, decided_by in found),
        shares=shares,
        score=min(1.0, max(0.0, float(shares @ claims))),
    )
