"""Sentences of the answer traced to premises that are several chunks joined."""

from __future__ import annotations

from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD, evidence_span
from provenance_core.types import Evidence, JoinedPremise, Sentence, SentenceLabel, TracedSentence


def trace_joined(
    evidence: Evidence,
    sentence: Sentence,
    joined: JoinedPremise,
    support: float,
    threshold: float,
    *,
    counted: bool = True,
) -> TracedSentence:
    """Label a sentence by what several chunks say of it together.

    It is supported from the threshold on, else contradicted when their contradiction reaches 0.5,
    else not found. Its evidence is the joined chunk that alone most entails (or contradicts) it.
    Where a chunk that was left out reaches the threshold, the sentence is supported only by a chunk
    that was not selected.

    ``support``: What they say of it together, in [0, 1]. ``threshold``: in [0, 1]. The sentence
    with its label and evidence."""
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
