"""The paper's two-stage method (section 3): relevance weighs what entailment says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from provenance_core.detectors._dense import measure_dense, score_dense, trace_dense
from provenance_core.detectors._formula import (
    chunk_name,
    claim_aggregation_name,
    first_of,
    named_terms,
    of_claims,
    of_joined_chunks,
)
from provenance_core.detectors._interface import (
    AnswerScore,
    Detector,
    MeasurementPlan,
    Models,
    Traits,
)
from provenance_core.detectors._second_reading import with_support
from provenance_core.detectors._set_aside import beside_claims, scored_claims, traced_aside
from provenance_core.detectors.judge.third_reader import (
    asks_third_reader,
    read_doubtful,
    third_model_id,
    with_answers,
)
from provenance_core.errors import NotReadError
from provenance_core.models.catalogue.profiles import nli_threshold
from provenance_core.scoring.aggregation import aggregate_sources, claim_shares
from provenance_core.scoring.selection import relevance_probabilities, select, source_weights
from provenance_core.scoring.support import claim_support
from provenance_core.scoring.tracing import trace_sentences
from provenance_core.scoring.words import joining, joining_claims
from provenance_core.types import (
    Aggregation,
    Audit,
    Bools,
    ClaimAggregation,
    ClaimResult,
    Evidence,
    Floats,
    Granularity,
    Parameters,
    RelevanceMethod,
    TracedSentence,
)


class TwoStageDetector(Detector):
    """Claims against chunks, aggregated over the sources that relevance selects."""

    name = "two-stage"
    title = "Two-stage"
    explanation = (
        "Weighs each chunk by its relevance to the query, keeps the most relevant as sources, and "
        "asks how far they entail what the answer claims."
    )
    source = "the Provenance paper, section 3"
    traits = Traits(
        uses=(
            "selection",
            "top_p",
            "top_k",
            "aggregation",
            "claim_aggregation",
            "claim_form",
            "relevance_method",
            "count_set_aside",
            "third_reader",
        ),
        reads_again=True,
    )

    # On the development sets it ranks answers as well as the minimum and is more often right at
    # the threshold: the lowest of several sentences is often a supported one.
    claim_aggregation = ClaimAggregation.INVERSE_SQUARE_MEAN

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        if parameters.relevance_method is RelevanceMethod.CROSS_ENCODER:
            return MeasurementPlan(parameters.claim_form, nearest=True)
        return MeasurementPlan(parameters.claim_form, Granularity.SENTENCE, relevance=False)

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        evidence = beside_claims(evidence)
        if parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER:
            return measure_dense(evidence, parameters, models, progress)
        read = with_support(evidence, models, progress)
        if not asks_third_reader(parameters):
            return read
        return read_doubtful(read, self.score(read, parameters), parameters, models, progress)

    def threshold(self, profile: str) -> float:
        return nli_threshold(profile)

    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        if evidence.joined_scores:
            return score_dense(evidence, parameters)
        factuality = claim_support(evidence)
        probabilities = relevance_probabilities(
            np.array(evidence.relevance, dtype=np.float64),
            evidence.relevance_model.calibration_slope,
        )
        found = score_sources(
            factuality,
            probabilities,
            parameters,
            scored_claims(evidence, parameters),
            joining_claims(evidence),
        )
        return with_answers(found, evidence, parameters)

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        if evidence.joined_scores:
            return trace_dense(evidence, parameters, scored)
        also = joining(evidence) if parameters.aggregation is Aggregation.MAX else None
        traced = trace_sentences(
            evidence, scored.selected, parameters.threshold, scored.claims, also
        )
        return traced_aside(traced, evidence, parameters)

    def scores_sources(self, parameters: Parameters) -> bool:
        # What a language model answered is not among the stored supports.
        dense = parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER
        return not dense and not parameters.third_reader

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        if audit.evidence.joined_scores:  # by dense retrieval: one premise for each claim
            return of_joined_chunks("support", audit, result)
        if model_id := third_model_id(audit.evidence, result.claim.index):
            return f"P(yes) by {model_id}"
        selected = [source.chunk.index for source in audit.sources if source.selected]
        aggregation = audit.parameters.aggregation
        if aggregation is Aggregation.WEIGHTED_AVERAGE:
            weights = [source.weight for source in audit.sources]
            return " + ".join(named_terms(result.factuality, selected, None, weights))
        if aggregation is Aggregation.MAX:
            also = np.flatnonzero(joining_claims(audit.evidence)[result.claim.index])
            selected = sorted({*selected, *also.tolist()})
        terms = named_terms(result.factuality, selected, result.decided_by)
        return f"{aggregation}({', '.join(terms)})"

    def answer_formula(self, audit: Audit) -> str:
        return of_claims(claim_aggregation_name(audit), audit)


DETECTOR = TwoStageDetector()


def score_sources(
    factuality: Floats,
    probabilities: Floats,
    parameters: Parameters,
    counted: Bools | None = None,
    also: Bools | None = None,
) -> AnswerScore:
    """Score an answer whose claims are supported by the chunks as given (paper, section 3).
    ``factuality``: The support of each claim by each chunk, in [0, 1], shape (M, N).
    ``probabilities``: Softmax of the relevance, shape (N,). ``counted``: Which claims count, at
    least one, shape (M,); all where it is None. ``also``: Chunks that count as sources of a claim
    whatever is selected, where its best source counts, shape (M, N). Raises NotReadError where a
    source was not read: its support is NaN."""
    selected = select(probabilities, parameters)
    if unread := [chunk for chunk in selected if np.isnan(factuality[:, chunk]).any()]:
        raise NotReadError(not_read_text(unread))
    weights = source_weights(probabilities, selected)
    sources = [selected] * len(factuality)
    if also is not None and parameters.aggregation is Aggregation.MAX:
        sources = [sorted({*selected, *np.flatnonzero(row).tolist()}) for row in also]
    found = [
        aggregate_sources(row, weights, own, parameters.aggregation)
        for row, own in zip(factuality, sources, strict=True)
    ]
    claims = np.array([score for score, _ in found])
    shares = claim_shares(claims, parameters.claim_aggregation, counted)
    return AnswerScore(
        factuality=factuality,
        probabilities=probabilities,
        selected=tuple(selected),
        weights=weights,
        claims=claims,
        decided_by=tuple(decided_by for _, decided_by in found),
        shares=shares,
        score=min(1.0, max(0.0, float(shares @ claims))),
    )


def not_read_text(chunks: Sequence[int]) -> str:
    """Say that sources were not read, and what to do. Sentences.

    >>> not_read_text([10]).partition(":")[0]
    'The NLI model did not read C11, which these settings select as a source'
    """
    names = ", ".join(first_of([chunk_name(chunk) for chunk in chunks]))
    sources = "a source" if len(chunks) == 1 else "sources"
    return (
        f"The NLI model did not read {names}, which these settings select as {sources}: the audit "
        "was made to read only the chunks that were selected then. Audit the answer again."
    )
