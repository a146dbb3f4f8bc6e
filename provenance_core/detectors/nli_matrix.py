"""The NLI matrix: hallucinated when a chunk contradicts a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from provenance_core.detectors._arithmetic import (
    contradictions,
    every_chunk_alike,
    lacks_contradiction,
    lowest_decides,
)
from provenance_core.detectors._formula import of_claims, over_every_chunk
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
from provenance_core.scoring.holding import ONE_VALUE
from provenance_core.scoring.support import sentence_support
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD, evidence_span, trace_sentences
from provenance_core.types import (
    Audit,
    ClaimForm,
    ClaimResult,
    ContradictionRule,
    Evidence,
    Parameters,
    SentenceLabel,
    TracedSentence,
)

# A chunk entails a sentence when entailment holds at least even odds.
ENTAILMENT_THRESHOLD = 0.5


class NliMatrixDetector(Detector):
    """Sentences of the answer against every chunk.

    The score is 1 - the largest probability of contradiction of any cell, so that the document's
    rule, "a contradiction with a probability greater than 50 %", is a threshold of 0.5. Under
    ``ContradictionRule.UNLESS_ENTAILED`` a sentence that some chunk entails (probability at least
    0.5) counts with its largest probability of entailment instead.
    """

    name = "nli-matrix"
    title = "NLI matrix"
    explanation = (
        "Compares every sentence of the answer with every chunk, and calls the answer "
        "hallucinated when one chunk contradicts one sentence."
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
        entailment = evidence.claim_scores.entailment
        factuality = 1.0 - contradictions(self.title, evidence)
        decided_by = factuality.argmin(axis=1)
        claims = factuality.min(axis=1)
        if parameters.contradiction_rule is ContradictionRule.UNLESS_ENTAILED:
            entailed = entailment.max(axis=1) >= ENTAILMENT_THRESHOLD
            claims = np.where(entailed, entailment.max(axis=1), claims)
            decided_by = np.where(entailed, entailment.argmax(axis=1), decided_by)
            # Where a chunk decides by what it entails, that is what it says of the claim.
            rows = np.flatnonzero(entailed)
            factuality = factuality.copy()
            factuality[rows, decided_by[rows]] = claims[rows]
        return every_chunk_alike(
            evidence,
            factuality,
            claims,
            tuple(int(chunk) for chunk in decided_by),
            lowest_decides(claims, scored_claims(evidence, parameters)),
        )

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        """Label each sentence as the paper's method does.

        Under the rule ANY a contradiction comes first. A sentence that no chunk contradicts and
        none entails is "not found": this method's score does not count it.

        One for each sentence, in order.
        """
        measured = self.cell_measure(evidence, parameters).values
        traced = trace_sentences(
            evidence, list(scored.selected), ENTAILMENT_THRESHOLD, measured=measured
        )
        if parameters.contradiction_rule is ContradictionRule.ANY:
            traced = tuple(
                self._contradicted(evidence, sentence)
                if sentence.contradiction > CONTRADICTION_THRESHOLD
                and sentence.label is SentenceLabel.SUPPORTED
                else sentence
                for sentence in traced
            )
        return traced_aside(traced, evidence, parameters)

    @staticmethod
    def _contradicted(evidence: Evidence, traced: TracedSentence) -> TracedSentence:
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

    def cell_measure(self, evidence: Evidence, parameters: Parameters) -> CellMeasure:
        """What the score is made of; audits labelled by older rules show the support."""
        if evidence.labelled_by < ONE_VALUE:
            return CellMeasure("support", sentence_support(evidence), ENTAILMENT_THRESHOLD)
        return CellMeasure("entailment", evidence.sentence_scores.entailment, ENTAILMENT_THRESHOLD)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        """Write what decides the claim.

        That is what entails it, under the rule that looks for that, or what contradicts it.

        One line, without the score itself.
        """
        scores, index = audit.evidence.claim_scores, result.claim.index
        entailments = scores.entailment[index].tolist()
        if (
            audit.parameters.contradiction_rule is ContradictionRule.UNLESS_ENTAILED
            and max(entailments) >= ENTAILMENT_THRESHOLD
        ):
            return over_every_chunk("max entailment", audit, entailments, result.decided_by)
        against = scores.contradiction[index].tolist()
        return over_every_chunk("1 − max contradiction", audit, against, result.decided_by)

    def answer_formula(self, audit: Audit) -> str:
        return of_claims("lowest", audit)


DETECTOR = NliMatrixDetector()
