"""The opposite of a bare "yes" or "no", read as the answer is: at most one of both is supported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from provenance_core.detectors._interface import Models
from provenance_core.findings.answers import bare_statement
from provenance_core.scoring.features import context_text
from provenance_core.text.yes_no import opposite_answer, statement_of
from provenance_core.types import Evidence, PairScores, Sentence


def opposite_evidence(evidence: Evidence, models: Models) -> Evidence | None:
    """Read the other word in the place of a bare "yes" or "no", by the first model. The chunks and
    the single sentences of the context are those that were read for the answer. The evidence of the
    other word; None for any other answer, and where a claim is not read as a statement."""
    stated = bare_statement(evidence)
    if stated is None or len(evidence.claims) != 1:
        return None
    word = opposite_answer(evidence.answer)
    opposite = statement_of(evidence.query, word)
    # A long statement was read in the claim prompt, and numbers may be in the context's writing.
    if opposite is None or evidence.claims[0].text.split()[0] != stated.split()[0]:
        return None
    (read,) = evidence.read
    premises = [chunk.text for chunk in evidence.chunks if read[chunk.index]]
    premises += [context_text(evidence, each) for each in evidence.evidence_sentences]
    found = models.entailment([(premise, opposite) for premise in premises])
    values = np.full((1, len(read), 3), np.nan)
    count = int(read.sum())
    values[0, read] = [(e.entailment, e.neutral, e.contradiction) for e in found[:count]]
    of_chunks, of_sentences = PairScores(values), found[count:]
    return replace(
        evidence,
        answer=word,
        sentences=(Sentence(0, 0, len(word), word),),
        claims=(replace(evidence.claims[0], start=0, end=len(word), text=opposite),),
        claim_scores=of_chunks,
        sentence_scores=of_chunks,
        evidence_sentences=tuple(
            replace(each, sentence=0, scores=scores)
            for each, scores in zip(evidence.evidence_sentences, of_sentences, strict=True)
        ),
        missing_details=(),
        findings=(),
        words=None,
    )
