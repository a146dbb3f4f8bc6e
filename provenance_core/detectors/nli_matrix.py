"""The NLI matrix: what each chunk says for and against each sentence of the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from provenance_core.detectors._arithmetic import (
    contradictions,
    even_shares,
    every_chunk_alike,
    lacks_contradiction,
    lowest_decides,
)
from provenance_core.detectors._formula import named_terms, of_claims, over_every_chunk
from provenance_core.detectors._interface import (
    AnswerScore,
    Detector,
    MeasurementPlan,
    Models,
    Quantity,
    Traits,
)
from provenance_core.detectors._set_aside import beside_claims, scored_claims, traced_aside
from provenance_core.scoring.cells import CellMeasure
from provenance_core.scoring.features import about_the_same
from provenance_core.scoring.support import sentence_support
from provenance_core.scoring.tracing import (
    CONTRADICTION_THRESHOLD,
    evidence_span,
    missing_in,
    trace_sentences,
)
from provenance_core.types import (
    Audit,
    ClaimForm,
    ClaimResult,
    ContradictionRule,
    Evidence,
    Floats,
    Parameters,
    Sentence,
    SentenceLabel,
    TracedSentence,
)

# A chunk entails a sentence when entailment holds at least even odds.
ENTAILMENT_THRESHOLD = 0.5


class NliMatrixDetector(Detector):
    """Sentences of the answer against every chunk.

    A sentence's score is its largest entailment, times 1 - the largest contradiction by a chunk
    that is about it; the answer's is their mean. So a chunk about something else, which often
    "contradicts", sinks no answer.

    Under ``ContradictionRule.ANY`` the score is 1 - the largest probability of contradiction of any
    cell, so that the document's rule, "a contradiction with a probability greater than 50 %", is a
    threshold of 0.5. Under ``ContradictionRule.UNLESS_ENTAILED`` a sentence that some chunk entails
    (probability at least 0.5) counts with its largest probability of entailment instead."""

    name = "nli-matrix"
    title = "NLI matrix"
    explanation = (
        "Compares every sentence of the answer with every chunk: a sentence counts by the chunk "
        "that most entails it, and less where a chunk about it contradicts it."
    )
    source = "Natural Language Inference for Hallucination Detection in RAG Responses"
    measured_by = 8  # since then more pronouns and computed numbers are read otherwise
    traits = Traits(
        uses=("contradiction_rule", "count_set_aside"),
        quantity=Quantity.VERDICT,
        compares="contradiction_rule",
    )

    def unfit(self, models: Models) -> str:
        return lacks_contradiction(self.title, models.nli.info)

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        return MeasurementPlan(ClaimForm.SENTENCES, relevance=False, whole_answer=True)

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        return beside_claims(evidence)

    def threshold(self, profile: str) -> float:
        return 0.5

    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        against = contradictions(self.title, evidence)
        counted = scored_claims(evidence, parameters)
        if parameters.contradiction_rule is ContradictionRule.ABOUT_SENTENCE:
            factuality = _weighed(evidence)
            claims, decided_by = factuality.max(axis=1), factuality.argmax(axis=1)
            shares = even_shares(counted)
        else:
            factuality = 1.0 - against
            claims, decided_by = factuality.min(axis=1), factuality.argmin(axis=1)
            if parameters.contradiction_rule is ContradictionRule.UNLESS_ENTAILED:
                entailment = evidence.claim_scores.entailment
                entailed = entailment.max(axis=1) >= ENTAILMENT_THRESHOLD
                claims = np.where(entailed, entailment.max(axis=1), claims)
                decided_by = np.where(entailed, entailment.argmax(axis=1), decided_by)
                # Where a chunk decides by what it entails, that is what it says of the claim.
                rows = np.flatnonzero(entailed)
                factuality[rows, decided_by[rows]] = claims[rows]
            shares = lowest_decides(claims, counted)
        decided = tuple(int(chunk) for chunk in decided_by)
        return every_chunk_alike(evidence, factuality, claims, decided, shares)

    def cell_measure(self, evidence: Evidence, parameters: Parameters) -> CellMeasure:
        """The terms of the score, where each sentence is a claim; else the support."""
        if parameters.contradiction_rule is ContradictionRule.ABOUT_SENTENCE:
            against = _against(evidence)
            return CellMeasure("support", _weighed(evidence), parameters.threshold, against)
        return CellMeasure("support", sentence_support(evidence), ENTAILMENT_THRESHOLD)

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        """Label each sentence. By its score where only chunks about it contradict it. Else as the
        document's method does: under the rule ANY a contradiction comes first, and a sentence that
        no chunk contradicts and none entails is "not found", which the score does not count. One
        for each sentence, in order."""
        if parameters.contradiction_rule is ContradictionRule.ABOUT_SENTENCE:
            by_score = (
                _by_score(evidence, scored, sentence, parameters.threshold)
                for sentence in evidence.sentences
            )
            return traced_aside(by_score, evidence, parameters)
        traced = trace_sentences(evidence, list(scored.selected), ENTAILMENT_THRESHOLD)
        if parameters.contradiction_rule is ContradictionRule.ANY:
            traced = tuple(
                _contradicted(evidence, sentence)
                if sentence.contradiction > CONTRADICTION_THRESHOLD
                and sentence.label is SentenceLabel.SUPPORTED
                else sentence
                for sentence in traced
            )
        return traced_aside(traced, evidence, parameters)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        """Write what decides the claim by the rule of the audit. One line, without the score
        itself."""
        scores, index = audit.evidence.claim_scores, result.claim.index
        rule = audit.parameters.contradiction_rule
        entailments = scores.entailment[index].tolist()
        against = scores.contradiction[index].tolist()
        if rule is ContradictionRule.ABOUT_SENTENCE:
            entailed = over_every_chunk("max entailment", audit, entailments, result.decided_by)
            counted = _against(audit.evidence)[index]
            about = [chunk for chunk, value in enumerate(counted.tolist()) if value > 0.0]
            if not about:
                return f"{entailed} × (1 − 0, as no chunk is about it)"
            terms = named_terms(against, about, int(counted.argmax()))
            return f"{entailed} × (1 − max contradiction({', '.join(terms)}))"
        if rule is ContradictionRule.UNLESS_ENTAILED and max(entailments) >= ENTAILMENT_THRESHOLD:
            return over_every_chunk("max entailment", audit, entailments, result.decided_by)
        return over_every_chunk("1 − max contradiction", audit, against, result.decided_by)

    def answer_formula(self, audit: Audit) -> str:
        rule = audit.parameters.contradiction_rule
        return of_claims("mean" if rule is ContradictionRule.ABOUT_SENTENCE else "lowest", audit)


DETECTOR = NliMatrixDetector()


def _against(evidence: Evidence) -> Floats:
    """P(contradiction) of each claim by each chunk, 0 by a chunk that is not about it, (M, N)."""
    texts = [evidence.answer[claim.start : claim.end] for claim in evidence.claims]
    about = about_the_same(evidence, texts)
    return np.where(about, evidence.claim_scores.contradiction, 0.0)


def _weighed(evidence: Evidence) -> Floats:
    """P(entailment) of each claim by each chunk, times 1 - the most that a chunk about the claim
    has against it, (M, N)."""
    most = _against(evidence).max(axis=1, keepdims=True)
    return np.asarray(evidence.claim_scores.entailment * (1.0 - most), dtype=np.float64)


def _by_score(
    evidence: Evidence, scored: AnswerScore, sentence: Sentence, threshold: float
) -> TracedSentence:
    """Label a sentence by its score; where that is under the threshold, it is contradicted by the
    chunk about it that has most against it, or not found."""
    index, against = sentence.index, _against(evidence)[sentence.index]
    score, chunk = float(scored.claims[index]), int(scored.factuality[index].argmax())
    label = SentenceLabel.SUPPORTED if score >= threshold else SentenceLabel.NOT_FOUND
    contradicted = label is not SentenceLabel.SUPPORTED and against.max() >= CONTRADICTION_THRESHOLD
    if contradicted:
        label, chunk = SentenceLabel.CONTRADICTED, int(against.argmax())
    start, end = evidence_span(evidence, index, chunk, contradiction=contradicted)
    return TracedSentence(
        sentence=sentence,
        label=label,
        support=score,
        contradiction=float(against.max()),
        evidence_chunk=chunk,
        evidence_start=start,
        evidence_end=end,
        selection_miss=False,
        missing_details=() if label is SentenceLabel.SUPPORTED else missing_in(evidence, sentence),
    )


def _contradicted(evidence: Evidence, traced: TracedSentence) -> TracedSentence:
    """A sentence that some chunk contradicts, whatever another entails."""
    row = evidence.sentence_scores.contradiction[traced.sentence.index]
    chunk = int(row.argmax())
    start, end = evidence_span(evidence, traced.sentence.index, chunk, contradiction=True)
    return replace(
        traced,
        label=SentenceLabel.CONTRADICTED,
        evidence_chunk=chunk,
        evidence_start=start,
        evidence_end=end,
    )
