"""Sentences of the answer traced to chunks."""

from __future__ import annotations

import numpy as np

from provenance_core.scoring.support import support_matrix
from provenance_core.text.coverage import word_coverage
from provenance_core.text.splitting import sentence_bounds, strip_bounds
from provenance_core.types import Evidence, EvidenceSentence, Floats, SentenceLabel, TracedSentence

# A chunk contradicts a sentence when contradiction holds at least even odds.
CONTRADICTION_THRESHOLD = 0.5


def sentence_matrix(evidence: Evidence) -> tuple[Floats, Floats]:
    """Calibrated support and raw P(contradiction), each of shape (S, N)."""
    support = support_matrix(
        evidence.sentence_scores,
        [sentence.text for sentence in evidence.sentences],
        [chunk.text for chunk in evidence.chunks],
        evidence.nli_model,
    )
    return support, evidence.sentence_scores.contradiction


def evidence_span(
    evidence: Evidence, sentence: int, chunk: int, *, contradiction: bool
) -> tuple[int, int]:
    """The sentence of ``chunk`` that most entails (or contradicts) a sentence of the answer:
    offsets in the context item.

    Where the models scored no sentence of the chunk on its own, the one that shares most words.
    """

    def strength(found: EvidenceSentence) -> float:
        return found.scores.contradiction if contradiction else found.scores.entailment

    scored = [e for e in evidence.evidence_sentences if (e.sentence, e.chunk) == (sentence, chunk)]
    if scored:
        best = max(scored, key=strength)
        return best.start, best.end
    whole = evidence.chunks[chunk]
    bounds = sentence_bounds(whole.text)
    texts = [whole.text[a:b] for a, b in bounds]
    shares = word_coverage([evidence.sentences[sentence].text], texts)[0]
    a, b = strip_bounds(whole.text, *bounds[int(np.argmax(shares))])
    return whole.start + a, whole.start + b


def trace_sentences(
    evidence: Evidence, selected: list[int], threshold: float
) -> tuple[TracedSentence, ...]:
    """Label every sentence by the selected sources.

    Supported when the best support reaches ``threshold``, a chunk that contradicts more than it
    entails being none (shared words alone make no support); else contradicted when a source's
    contradiction reaches 0.5; else not found, and its evidence is the chunk with most support,
    selected or not. A sentence that is not supported by a source but would be by a chunk that
    selection dropped is a source-selection miss, and that chunk is its evidence.
    """
    support, contradiction = sentence_matrix(evidence)
    entailment = evidence.sentence_scores.entailment
    backing = np.where(entailment >= contradiction, support, 0.0)
    traced: list[TracedSentence] = []
    for sentence in evidence.sentences:
        row, against = support[sentence.index], contradiction[sentence.index]
        backed = backing[sentence.index]
        best = max(selected, key=lambda i: (backed[i], row[i]))
        worst = max(selected, key=lambda i: against[i])
        miss = False
        chunk = best
        if backed[best] >= threshold:
            label = SentenceLabel.SUPPORTED
        else:
            miss = bool(backed.max() >= threshold)
            anywhere = int(np.argmax(backed if miss else row))
            if against[worst] >= CONTRADICTION_THRESHOLD:
                label, chunk = SentenceLabel.CONTRADICTED, worst
            else:
                label = SentenceLabel.NOT_FOUND
            # The nearest evidence may lie in a chunk that selection dropped.
            if miss or label is SentenceLabel.NOT_FOUND:
                chunk = anywhere
        start, end = evidence_span(
            evidence,
            sentence.index,
            chunk,
            contradiction=label is SentenceLabel.CONTRADICTED and not miss,
        )
        traced.append(
            TracedSentence(
                sentence=sentence,
                label=label,
                support=float(row[best]),
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


def contradictions_by_chunk(evidence: Evidence) -> tuple[tuple[int, ...], ...]:
    """For every chunk the sentences that it contradicts (P(contradiction) >= 0.5)."""
    contradiction = evidence.sentence_scores.contradiction
    return tuple(
        tuple(int(s) for s in np.flatnonzero(contradiction[:, c] >= CONTRADICTION_THRESHOLD))
        for c in range(len(evidence.chunks))
    )
