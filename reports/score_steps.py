"""How a score came about: from the source of each sentence to its support, and from there to the
answer's score, with the audit's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from provenance_core import DETECTORS, Audit, Verdict
from provenance_core.detectors import chunk_name, counted_shares
from provenance_core.detectors.judge.third_reader import third_model_id
from provenance_core.explain.names import sentence_name
from provenance_core.explain.quotes import quoted
from provenance_core.findings.coverage import claim_coverage
from provenance_core.models.nli_classes import contradiction_text
from provenance_core.scoring.features import (
    applied_map,
    opposite_support,
    terms,
    verbatim_sentences,
)
from provenance_core.scoring.holding import lacks_value
from provenance_core.scoring.support import claims_are_sentences, sentence_support
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD
from provenance_core.types import (
    Aggregation,
    ClaimAggregation,
    Evidence,
    Floats,
    SentenceLabel,
    SupportTerm,
    TracedSentence,
)
from reports.quantities import counted_reading
from reports.wording import LABELS

_CLIP = 1e-7
_NEARLY_ALL = 0.995  # which would be written as 100 %
# What each term of the support map is called.
TERM_NAMES: Mapping[SupportTerm, str] = {
    SupportTerm.ENTAILMENT: "entailment by the chunk",
    SupportTerm.SENTENCE: "entailment by its best sentence",
    SupportTerm.CONTRADICTION: "contradiction",
    SupportTerm.COPIED: "copied words",
    SupportTerm.COPIED_PAIRS: "copied word pairs",
    SupportTerm.MISSING_DETAILS: "missing details",
    SupportTerm.CONFLICTING_DETAILS: "conflicting details",
    SupportTerm.MISSING_WORDS: "missing words",
    SupportTerm.UNENTAILED_WORDS: "missing words without entailment",
    SupportTerm.SECOND_ENTAILMENT: "entailment, second model",
    SupportTerm.SECOND_SENTENCE: "best sentence, second model",
    SupportTerm.SECOND_CONTRADICTION: "contradiction, second model",
    SupportTerm.CONTRADICTION_ANYWHERE: "contradiction by any chunk",
    SupportTerm.SECOND_CONTRADICTION_ANYWHERE: "contradiction by any chunk, second model",
    SupportTerm.SECOND_WINDOW: "entailment by passages together, second model",
    SupportTerm.SECOND_WHOLE: "entailment of the whole answer",
}
START = "start"
_VERBATIM = "stands there word for word"
_CAPPED = "held to the best of the chunks that were read again"
_OPPOSITE = "support of the opposite"
_EARLIER = "counted otherwise when it was audited"
_COVERAGE = "shared words"
_PLATT = "entailment by the chunk"
_EVEN = 0.5
# A change smaller than that is one of rounding.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class SupportStep:
    """One step to a sentence's support. ``points``: what it adds to the log-odds of the support,
    any real number. ``share``: of all steps' absolute points, in [0, 1]."""

    name: str
    points: float
    share: float


@dataclass(frozen=True, slots=True)
class SentenceSteps:
    """How a sentence's support by its deciding chunk came about. ``relevance``: the chunk's
    probability among all, in [0, 1]; None where it was not measured. ``entailment``: P(entailment),
    by the second model where it read the cell again. ``support`` in [0, 1] is the sum of the steps'
    points, as a probability."""

    traced: TracedSentence
    chunk: int
    relevance: float | None
    weight: float
    entailment: float
    steps: tuple[SupportStep, ...]
    support: float


def log_odds(probability: float) -> float:
    """Compute ln(p / (1 - p)); 1e-7 keeps ``probability``, in [0, 1], from both ends."""
    p = min(max(probability, _CLIP), 1 - _CLIP)
    return float(np.log(p) - np.log1p(-p))


def has_steps(audit: Audit) -> bool:
    """Whether the score is made of the supports of sentences by single chunks."""
    # So it is also where a language model read some sentences after the models here.
    here = replace(audit.parameters, third_reader=False)
    return DETECTORS[here.detector].scores_sources(here)


def sentence_steps(audit: Audit, sentence: int) -> SentenceSteps:
    """Compute the steps, which add up in log-odds, from what the models said of a sentence to its
    support. Raises ValueError where :func:`has_steps` is false."""
    if not has_steps(audit):
        raise ValueError(f"the score of {audit.parameters.detector} is not made of supports")
    evidence = audit.evidence
    support = sentence_support(evidence)
    chunk = _deciding_chunk(audit, sentence, support)
    source = audit.sources[chunk]
    value = float(support[sentence, chunk])
    points = (
        _map_points(evidence, sentence, chunk)
        if evidence.support
        else _platt_points(evidence, sentence, chunk)
    )
    left = log_odds(value) - sum(points.values())
    if abs(left) > _ROUNDING and abs(value - 1 / (1 + np.exp(-sum(points.values())))) > _ROUNDING:
        points[_left_name(evidence, sentence, left)] = left
    total = sum(abs(each) for each in points.values()) or 1.0
    return SentenceSteps(
        traced=audit.sentences[sentence],
        chunk=chunk,
        relevance=source.probability,
        weight=source.weight,
        entailment=counted_reading(evidence, sentence, chunk)[0].entailment,
        steps=tuple(
            SupportStep(name, each, abs(each) / total)
            for name, each in points.items()
            if name == START or abs(each) > _ROUNDING
        ),
        support=value,
    )


def sentence_text(audit: Audit, steps: SentenceSteps) -> str:
    """Say the steps of a sentence, with their numbers."""
    chunk, traced = audit.evidence.chunks[steps.chunk], steps.traced
    name, selected = chunk_name(steps.chunk), sum(source.selected for source in audit.sources)
    place = f"{name} {quoted(chunk.text)}"
    lead = f"{sentence_name(traced.sentence.index)} is compared with {place}"
    if others := [chunk_name(each) for each in traced.together if each != steps.chunk]:
        lead += f", read together with {' and '.join(others)}"
    if steps.relevance is not None:
        lead += f", whose relevance probability is {steps.relevance:.2f} and whose weight among "
        lead += f"{selected} source{'' if selected == 1 else 's'} is {steps.weight:.2f}"
    moved = sorted((step for step in steps.steps if step.name != START), key=lambda s: -s.share)
    by = " and ".join(f"{step.name} ({'up' if step.points > 0 else 'down'})" for step in moved[:2])
    most = f"Of the terms, {by} {'moves' if len(moved) == 1 else 'move'} it most. " if by else ""
    sign = "reaches" if steps.support >= audit.parameters.threshold else "is under"
    against = f"which {sign} the threshold {audit.parameters.threshold:.3f}"
    if model_id := third_model_id(audit.evidence, traced.sentence.index):
        against = (
            f"which is in doubt. {model_id} was asked, and its probability of “yes”, "
            f"{traced.support:.3f}, counts instead"
        )
        sign = ""
    if traced.label is SentenceLabel.SET_ASIDE:
        against = "which decides nothing"
    elif sign == "reaches" and lacks_value(audit.evidence, traced.sentence.index):
        against += ", but a number or date of it stands nowhere in the context"
    opposite = ""
    if audit.evidence.opposite is not None:
        opposite = (
            f"The opposite, {quoted(audit.evidence.opposite.statement)}, has a support of "
            f"{opposite_support(audit.evidence):.3f}. "
        )
    said = (
        f"{lead}. The model's entailment is {steps.entailment:.3f}. {most}{opposite}The "
        f"support is {steps.support:.3f}, {against}: {LABELS[traced.label][1]}."
    )
    return f"{_other_source(audit, steps)}{said}"


def _other_source(audit: Audit, steps: SentenceSteps) -> str:
    """That the page shows another source beside the sentence than the one that supports it most,
    which the steps are of."""
    traced = steps.traced
    if traced.evidence_chunk == steps.chunk:
        return ""
    named, sentence = chunk_name(traced.evidence_chunk), sentence_name(traced.sentence.index)
    if traced.label is not SentenceLabel.CONTRADICTED:
        return (
            f"{named} stands beside {sentence}, because its words are the nearest. These steps are "
            f"of {chunk_name(steps.chunk)}, from which its support comes: "
        )
    contradicts = f"The words of {named} contradict {sentence}"
    value = audit.cells.contradiction.values[traced.sentence.index, traced.evidence_chunk]
    if value >= CONTRADICTION_THRESHOLD:
        against = contradiction_text(float(value), audit.evidence.nli_model)
        contradicts = f"{named} contradicts {sentence} most ({against})"
    return (
        f"{contradicts}. No source supports {sentence}, and the score counts the one that comes "
        f"closest, {chunk_name(steps.chunk)}: "
    )


def answer_text(audit: Audit) -> str:
    """How the answer's score came from its claims, and what the threshold makes of it."""
    if audit.verdict is Verdict.NOTHING_TO_CHECK:
        return (
            "Every sentence is set aside, because it states nothing to check. The score of the "
            f"words, {audit.score:.3f}, decides nothing."
        )
    detector, scores = DETECTORS[audit.parameters.detector], [c.score for c in audit.claims]
    if len(scores) == 1:
        how = f"The answer has one claim, whose score {audit.score:.3f} is the answer's."
    elif audit.parameters.claim_aggregation is ClaimAggregation.MIN and audit.score in scores:
        name = sentence_name(scores.index(audit.score))
        how = f"The least supported sentence decides: {name} with {audit.score:.3f}."
    else:
        how = f"The score is the {detector.answer_formula(audit)}: {audit.score:.3f}."
        how += _heaviest_claim(audit)
    if audit.verdict is Verdict.SUPPORTED:
        only = audit.checked == 1
        which = "its one sentence" if only else f"{audit.flagged} of {audit.checked} sentences"
        flagged = f", with {which} flagged"
        return (
            f"{how} It reaches the threshold {audit.parameters.threshold:.3f}: "
            f"supported{flagged if audit.flagged else ''}."
        )
    return f"{how} It is under the threshold {audit.parameters.threshold:.3f}: hallucinated."


def _heaviest_claim(audit: Audit) -> str:
    """Which claim counts most in the score, where claims count unlike."""
    uses = DETECTORS[audit.parameters.detector].traits.uses
    alike = audit.parameters.claim_aggregation is ClaimAggregation.MEAN
    if alike or "claim_aggregation" not in uses:
        return ""
    shares = counted_shares(audit)
    most = int(np.argmax(shares))
    if np.count_nonzero(shares) < 2:
        return ""
    name = sentence_name(most) if claims_are_sentences(audit.evidence) else f"Claim {most + 1}"
    share = f"{100 * shares[most]:.0f} %" if shares[most] < _NEARLY_ALL else "nearly all"
    return f" {name} with {audit.claims[most].score:.3f} counts most: {share}."


def _deciding_chunk(audit: Audit, sentence: int, support: Floats) -> int:
    """The source that decided the sentence's claim; else the one with most support, by weight
    under the weighted average."""
    if claims_are_sentences(audit.evidence):
        decided = audit.claims[sentence].decided_by
        if decided is not None:
            return decided
    weighted = audit.parameters.aggregation is Aggregation.WEIGHTED_AVERAGE
    selected = [source for source in audit.sources if source.selected]

    def says(index: int, weight: float) -> float:
        return float(support[sentence, index]) * (weight if weighted else 1.0)

    return max(selected, key=lambda source: says(source.chunk.index, source.weight)).chunk.index


def _left_name(evidence: Evidence, sentence: int, left: float) -> str:
    """What the support has beside its terms, which may be counted by rules that came later."""
    if left > 0:
        return _VERBATIM if verbatim_sentences(evidence)[sentence] else _EARLIER
    return _CAPPED if evidence.second is not None else _EARLIER


def _map_points(evidence: Evidence, sentence: int, chunk: int) -> dict[str, float]:
    used = applied_map(evidence, sentence, chunk)
    if used is None:
        return {}
    found = terms(evidence)
    points = {START: used.intercept}
    for each in used.weights:
        name = TERM_NAMES[each.term]
        points[name] = points.get(name, 0.0) + each.weight * float(
            found[each.term][sentence, chunk]
        )
    if (opposite := opposite_support(evidence)) > _EVEN:
        points[_OPPOSITE] = -log_odds(opposite)
    return points


def _platt_points(evidence: Evidence, sentence: int, chunk: int) -> dict[str, float]:
    """Of a model without a support map: the Platt map and the words that sentence and chunk
    share."""
    model = evidence.nli_model
    cell = evidence.sentence_scores.cell(sentence, chunk)
    coverage = claim_coverage(
        [evidence.sentences[sentence].text], [each.text for each in evidence.chunks]
    )[0, chunk]
    shared = model.calibration_coverage * (1 - cell.contradiction) * float(coverage)
    return {
        START: model.calibration_intercept,
        _PLATT: model.calibration_slope * log_odds(cell.entailment),
        _COVERAGE: shared,
    }
