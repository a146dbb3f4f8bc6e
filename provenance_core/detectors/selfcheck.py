"""SelfCheckGPT with NLI (Manakul et al. 2023): do other answers to the query contradict it?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from provenance_core.detectors._arithmetic import (
    contradictions,
    even_shares,
    every_chunk_alike,
    lacks_contradiction,
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
from provenance_core.scoring.tracing import trace_sentences
from provenance_core.types import (
    Audit,
    ClaimForm,
    ClaimResult,
    Evidence,
    Granularity,
    Parameters,
    TracedSentence,
)

# Below it neither was seen: then nothing is inconsistent.
_LEAST = 1e-12


class SelfcheckDetector(Detector):
    """Sentences of the answer against answers of other systems, which stand in the context's place;
    no context is needed. A sentence's inconsistency with one of them is P(contradiction) /
    (P(entailment) + P(contradiction)), as SelfCheckGPT's NLI variant leaves neutral out; its score
    is 1 - the mean over the answers, and the answer's the mean over its sentences."""

    name = "selfcheck"
    title = "Self-check"
    explanation = (
        "Asks whether answers of other systems to the same query contradict this one; it needs "
        "those answers in place of the context."
    )
    source = "SelfCheckGPT-NLI (Manakul et al. 2023)"
    measured_by = 8  # since then more pronouns and computed numbers are read otherwise
    traits = Traits(
        uses=("count_set_aside",),
        context="answers of other systems",
        quantity=Quantity.CONTRADICTION,
    )

    def unfit(self, models: Models) -> str:
        return lacks_contradiction(self.title, models.nli.info)

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        return MeasurementPlan(ClaimForm.SENTENCES, Granularity.DOCUMENT, relevance=False)

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
        contradiction = contradictions(self.title, evidence)
        factuality = 1.0 - contradiction / np.maximum(entailment + contradiction, _LEAST)
        claims = factuality.mean(axis=1)
        undecided = (None,) * len(claims)
        return every_chunk_alike(
            evidence,
            factuality,
            claims,
            undecided,
            even_shares(scored_claims(evidence, parameters)),
        )

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        traced = trace_sentences(evidence, list(scored.selected), parameters.threshold)
        return traced_aside(traced, evidence, parameters)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        against = [None if value is None else 1.0 - value for value in result.factuality]
        return over_every_chunk("1 − mean contradiction without neutral", audit, against, None)

    def answer_formula(self, audit: Audit) -> str:
        return of_claims("mean", audit)


DETECTOR = SelfcheckDetector()
