"""How a method made an audit's score: what its sources, weights and contributions mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from provenance_core.detectors import get_detector
from provenance_core.detectors._set_aside import counted_claims
from provenance_core.scoring.words import joining_claims
from provenance_core.types import Aggregation, Audit, ClaimResult

_AGGREGATED = {
    Aggregation.MAX: "the highest factuality among the selected sources",
    Aggregation.MIN: "the lowest factuality among the selected sources",
    Aggregation.WEIGHTED_AVERAGE: "the selected sources' factuality, averaged by weight",
}
_SAME = 0.0005  # three decimals show no difference


def score_text(audit: Audit) -> str:
    """How the score came about, in one sentence without its full stop or one of the method's."""
    detector, evidence = get_detector(audit.parameters.detector), audit.evidence
    if detector.scores_sources(replace(audit.parameters, third_reader=False)):
        how = _AGGREGATED[audit.parameters.aggregation]
        if audit.parameters.aggregation is Aggregation.MAX and _joining(audit):
            how += " and the chunks nearest to it"
    elif evidence.joined_scores and detector.plan(audit.parameters).recursive is None:
        # Dense retrieval makes one premise of the selected sources: there is nothing to aggregate.
        how = "the support by its selected sources together"
    else:
        return f"{detector.title}: {detector.explanation}"
    if evidence.third is not None and evidence.third.answers:
        how += f", or P(yes) by {evidence.third.model.model_id} where that was in doubt"
    text = f"{_selected(audit)} of {len(audit.sources)} sources selected; each claim scores {how}"
    return text if len(audit.claims) == 1 else f"{text}; {detector.answer_formula(audit)}"


def _joining(audit: Audit) -> bool:
    """Whether chunks that were not selected are sources of a claim, as the nearest to it."""
    selected = [source.selected for source in audit.sources]
    return bool((joining_claims(audit.evidence) & ~np.array(selected)).any())


def sources_text(audit: Audit) -> str:
    """Which chunks are sources, and what their relevance and their weight mean, in sentences."""
    plan = get_detector(audit.parameters.detector).plan(audit.parameters)
    selected, n = _selected(audit), len(audit.sources)
    if plan.recursive is not None:
        return (
            f"{selected} of {n} chunks were retrieved for a claim. Relevance is the model's score "
            "for the claim that a chunk is most relevant to; the weight is the chunk's share of "
            "what was retrieved."
        )
    if audit.evidence.joined_scores:
        return (
            f"{selected} of {n} sentences of the context were joined into the premises. Relevance "
            "is the similarity to the claim that a sentence is most similar to; weights sum to 1 "
            "and do not enter the score."
        )
    if not plan.relevance:
        return (
            f"This detector measures no relevance: all {n} chunks are sources and weigh the same."
        )
    return (
        f"{selected} of {n} chunks were selected as sources. Relevance is the model's score, any "
        "number; weights sum to 1."
    )


def contributions_text(audit: Audit) -> str:
    """What the contributions of the sources add up to, in one sentence."""
    contributions = np.array([source.contribution for source in audit.sources])
    if not contributions.any() and audit.score >= _SAME:
        return "The score is not made from what single sources say: none contributes to it alone."
    if abs(contributions.sum() - audit.score) >= _SAME:
        return (
            "The score is made from what several chunks say together; factuality and contribution "
            "are of each alone, so that contributions need not sum to the score."
        )
    return "Contributions sum to the score."


def claim_note(audit: Audit, result: ClaimResult) -> str:
    """A note in brackets behind the score of a claim that does not count, else ""."""
    counted = counted_claims(audit.evidence, audit.parameters)
    # Where no claim counts, the score is that of the words, or 1 by definition.
    of_words = not counted.any() and audit.score < 1.0
    return "" if of_words or counted[result.claim.index] else " (set aside, not counted)"


def _selected(audit: Audit) -> int:
    return sum(source.selected for source in audit.sources)
