"""Arithmetic that several detectors share."""

from __future__ import annotations

import numpy as np

from ..support import probabilities
from ..types import Entailment, Evidence, Floats
from ._interface import AnswerScore


def cells(evidence: Evidence, rows: tuple[tuple[Entailment, ...], ...]) -> Floats:
    """Entailment, neutral and contradiction of ``rows``. Shape (len(rows), N, 3)."""
    return probabilities(rows, len(evidence.chunks))


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


def even_shares(claims: Floats) -> Floats:
    """The shares under which the answer's score is the mean of its claims. Shape (M,)."""
    return np.full(len(claims), 1.0 / len(claims))


def lowest_decides(claims: Floats) -> Floats:
    """The shares under which the answer's score is that of its lowest claim. Shape (M,)."""
    return (np.arange(len(claims)) == int(np.argmin(claims))).astype(np.float64)
