"""Fixtures shared by the tests: the shipped models, and evidence built by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from provenance_core import Provenance
from provenance_core.types import (
    Chunk,
    Claim,
    ClaimForm,
    ContextItem,
    Entailment,
    Evidence,
    EvidenceSentence,
    ModelInfo,
    Sentence,
)


@pytest.fixture(scope="session")
def provenance() -> Provenance:
    """The shipped models, loaded once."""
    return Provenance.load()


def count_words(texts: Sequence[str]) -> list[int]:
    """A token counter whose tokens are white-space words: numbers a person can check."""
    return [len(text.split()) for text in texts]


def hand_evidence(
    relevance: Sequence[float],
    entailment: Sequence[Sequence[float]],
    contradiction: Sequence[Sequence[float]] | None = None,
) -> Evidence:
    """Evidence of M one-sentence claims over N one-sentence chunks with the given numbers."""
    against = contradiction or [[0.0] * len(relevance) for _ in entailment]
    context = tuple(ContextItem(i, f"Chunk number {i}.") for i in range(len(relevance)))
    chunks = tuple(Chunk(c.index, c.index, 0, len(c.text), c.text, 4) for c in context)
    texts = [f"Claim number {i}. " for i in range(len(entailment))]
    sentences, position = [], 0
    for i, text in enumerate(texts):
        sentences.append(Sentence(i, position, position + len(text), text))
        position += len(text)
    claims = tuple(
        Claim(s.index, s.start, s.end - 1, s.text.strip(), ClaimForm.SENTENCES, 4)
        for s in sentences
    )
    scores = tuple(
        tuple(Entailment(e, 1 - e - c, c) for e, c in zip(row, other, strict=True))
        for row, other in zip(entailment, against, strict=True)
    )
    model = ModelInfo("nli", "hand", "1", "0" * 64, 256)
    return Evidence(
        query="",
        answer="".join(texts),
        context=context,
        chunks=chunks,
        relevance_query="".join(texts),
        relevance=tuple(relevance),
        claims=claims,
        claim_scores=scores,
        sentences=tuple(sentences),
        sentence_scores=scores,
        evidence_sentences=(EvidenceSentence(0, 0, 0, 5, scores[0][0]),),
        missing_details=(),
        relevance_model=model,
        nli_model=model,
    )
