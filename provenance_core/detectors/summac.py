"""SummaC-ZS (Laban et al. 2022): the best premise of each sentence, then their mean."""

from __future__ import annotations

from collections.abc import Callable

from provenance_core.detectors._arithmetic import even_shares, every_chunk_alike
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
from provenance_core.scoring.cells import EVEN, CellMeasure
from provenance_core.scoring.label_rules import ONE_VALUE
from provenance_core.scoring.tracing import trace_sentences
from provenance_core.types import (
    Audit,
    ClaimForm,
    ClaimResult,
    Evidence,
    Parameters,
    TracedSentence,
)

# Of best balanced accuracy over the held-out training-side rows (training/EXPERIMENTS.md).
THRESHOLD = 0.7


class SummacDetector(Detector):
    """Sentences of the answer against the sentences, paragraphs or documents of the context. score
    = mean over the answer's sentences of max over the premises of P(entailment)."""

    name = "summac"
    title = "SummaC"
    explanation = (
        "Takes for each sentence of the answer the sentence of the context that entails it most, "
        "and averages over the answer."
    )
    source = "SummaC-ZS (Laban et al. 2022)"
    measured_by = 8  # since then more pronouns and computed numbers are read otherwise
    traits = Traits(uses=("granularity", "count_set_aside"), quantity=Quantity.ENTAILMENT)

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        return MeasurementPlan(ClaimForm.SENTENCES, parameters.granularity, relevance=False)

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        return beside_claims(evidence)

    def threshold(self, profile: str) -> float:
        return THRESHOLD

    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        factuality = evidence.claim_scores.entailment
        claims = factuality.max(axis=1)
        decided_by = tuple(int(chunk) for chunk in factuality.argmax(axis=1))
        return every_chunk_alike(
            evidence,
            factuality,
            claims,
            decided_by,
            even_shares(scored_claims(evidence, parameters)),
        )

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        measure = self.cell_measure(evidence, parameters)
        traced = trace_sentences(
            evidence, list(scored.selected), measure.threshold, measured=measure.values
        )
        return traced_aside(traced, evidence, parameters)

    def cell_measure(self, evidence: Evidence, parameters: Parameters) -> CellMeasure:
        """What the score is made of; audits labelled by older rules show the support. A sentence is
        supported from an even P(entailment) on; the threshold is that of the mean."""
        if evidence.labelled_by < ONE_VALUE:
            return super().cell_measure(evidence, parameters)
        return CellMeasure("entailment", evidence.sentence_scores.entailment, EVEN)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        return over_every_chunk("max entailment", audit, result.factuality, result.decided_by)

    def answer_formula(self, audit: Audit) -> str:
        return of_claims("mean", audit)


DETECTOR = SummacDetector()
