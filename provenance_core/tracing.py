"""Sentences of the answer traced to chunks."""

from __future__ import annotations

import numpy as np

from .aggregation import Floats, calibrated_support
from .types import Evidence, EvidenceSentence, SentenceLabel, TracedSentence
from .word_coverage import claim_coverage

# A chunk contradicts a sentence when contradiction holds at least even odds.
CONTRADICTION_THRESHOLD = 0.5


def sentence_matrix(evidence: Evidence) -> tuple[Floats, Floats]:
    """Calibrated support and raw P(contradiction), each of shape (S, N)."""
    contradiction = _contradiction(evidence)
    entailment = np.array(
        [[cell.entailment for cell in row] for row in evidence.sentence_scores]
    ).reshape(contradiction.shape)
    coverage = claim_coverage(
        [sentence.text for sentence in evidence.sentences],
        [chunk.text for chunk in evidence.chunks],
    )
    return calibrated_support(entailment, coverage, evidence.nli_model), contradiction


def _contradiction(evidence: Evidence) -> Floats:
    return np.array(
        [[cell.contradiction for cell in row] for row in evidence.sentence_scores]
    ).reshape(len(evidence.sentences), len(evidence.chunks))


def trace_sentences(
    evidence: Evidence, selected: list[int], threshold: float
) -> tuple[TracedSentence, ...]:
    """Label every sentence by the selected sources.

    Supported when the best support reaches ``threshold``; else contradicted when a source's
    contradiction reaches 0.5; else not found, and its evidence is the chunk with most support,
    selected or not. A sentence that is not supported by a source but would be by a chunk that
    selection dropped is a source-selection miss, and that chunk is its evidence.
    """
    support, contradiction = sentence_matrix(evidence)
    located = {(e.sentence, e.chunk): (e.start, e.end) for e in _best_first(evidence)}
    traced: list[TracedSentence] = []
    for sentence in evidence.sentences:
        row, against = support[sentence.index], contradiction[sentence.index]
        best = max(selected, key=lambda i: row[i])
        worst = max(selected, key=lambda i: against[i])
        anywhere = int(np.argmax(row))
        miss = False
        chunk = best
        if row[best] >= threshold:
            label = SentenceLabel.SUPPORTED
        else:
            miss = bool(row[anywhere] >= threshold)
            if against[worst] >= CONTRADICTION_THRESHOLD:
                label, chunk = SentenceLabel.CONTRADICTED, worst
            else:
                label = SentenceLabel.NOT_FOUND
            # The nearest evidence may lie in a chunk that selection dropped.
            if miss or label is SentenceLabel.NOT_FOUND:
                chunk = anywhere
        whole = evidence.chunks[chunk]
        start, end = located.get((sentence.index, chunk), (whole.start, whole.end))
        traced.append(
            TracedSentence(
                sentence=sentence,
                label=label,
                entailment=float(row[best]),
                contradiction=float(against[worst]),
                evidence_chunk=chunk,
                evidence_start=start,
                evidence_end=end,
                selection_miss=miss,
                missing_details=()
                if label is SentenceLabel.SUPPORTED
                else tuple(
                    d
                    for d in evidence.missing_details
                    if sentence.start <= d.start and d.end <= sentence.end
                ),
            )
        )
    return tuple(traced)


def _best_first(evidence: Evidence) -> list[EvidenceSentence]:
    """Evidence sentences, the strongest of each (sentence, chunk) last so that it wins."""
    return sorted(
        evidence.evidence_sentences,
        key=lambda e: max(e.scores.entailment, e.scores.contradiction),
    )


def contradictions_by_chunk(evidence: Evidence) -> tuple[tuple[int, ...], ...]:
    """For every chunk the sentences that it contradicts (P(contradiction) >= 0.5)."""
    contradiction = _contradiction(evidence)
    return tuple(
        tuple(int(s) for s in np.flatnonzero(contradiction[:, c] >= CONTRADICTION_THRESHOLD))
        for c in range(len(evidence.chunks))
    )
