"""Hallucinated spans (RAGTruth, section 3): the smallest part that is not supported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from provenance_core.detectors._arithmetic import every_chunk_alike, is_contradicted, lowest_decides
from provenance_core.detectors._formula import first_of, of_claims
from provenance_core.detectors._interface import (
    AnswerScore,
    Detector,
    MeasurementPlan,
    Models,
    Traits,
)
from provenance_core.detectors._second_reading import with_support
from provenance_core.detectors._set_aside import (
    counted_spans,
    left_out,
    scored_claims,
    with_set_aside,
)
from provenance_core.detectors._span_measurement import (
    PhraseReading,
    SentenceReading,
    read_sentences,
)
from provenance_core.detectors._span_model import merged_tokens, read_tokens
from provenance_core.models.catalogue.profiles import has_support_map, nli_threshold
from provenance_core.scoring.cells import EVEN, CellMeasure
from provenance_core.scoring.support import claim_support, sentence_support
from provenance_core.scoring.tracing import evidence_span, sentence_matrix, trace_sentences
from provenance_core.types import (
    Audit,
    ClaimResult,
    Evidence,
    FindingType,
    HallucinatedSpan,
    MeasuredSpan,
    Notice,
    Parameters,
    SentenceLabel,
    TracedSentence,
)

# Of how likely a phrase is not supported, in logits: the weights of logit(support alone),
# logit(support of the rest), and of a detail that no chunk contains, and the intercept. Fitted
# with the threshold on held-out training data (training/EXPERIMENTS.md). The span head only
# finds the phrases: of those that it marks, its probability says nothing more (weight 0.00).
ALONE, REST, MISSING, INTERCEPT = -0.94, 0.07, 0.13, -1.17
SPAN_THRESHOLD = 0.4
# A sentence with a support map is unsupported from there on, and narrowed to its parts.
NARROWED_FROM = 0.5
# A span is evident where it is at least so likely not supported, else subtle.
EVIDENT = 0.8
_CONFLICTS = (FindingType.EVIDENT_CONFLICT, FindingType.SUBTLE_CONFLICT)
_CLIP = 1e-3


class SpansDetector(Detector):
    """The smallest parts of the answer that the context does not support.

    Each measured part has a probability u in [0, 1] of not being supported:

    - a phrase (number, date, name, or words that the model's span head marks): a logistic map of
      the support of the sentence with this as its only suspect phrase, and the
      support without it or with a substitute from the evidence (:func:`phrase_unsupported`);
    - a clause: support of the sentence without it x (1 - support of the sentence without its
      suspect phrases);
    - a sentence: 1 - the largest support of it, or of what is left without its phrases or a
      clause.

    With a support map (:func:`narrowed`) the sentence's support decides, after a second reading
    where the profile has a second model: no part of a supported sentence is unsupported, and an
    unsupported sentence is narrowed to those of its parts without which it is supported.

    A part is a span when u > 1 - threshold; of parts within each other the largest. So "69
    million" alone is named when the rest of its sentence is supported. A span is a conflict where
    the context contradicts it (P(contradiction) at least 0.5), entails the sentence with another
    value in its place, or states another value for one of its numbers, dates or names; else
    baseless information. It is evident when u is at least 0.8, else subtle. The score is 1 - the
    largest u, so that an answer is hallucinated just when it has a span. Every chunk counts,
    whatever its relevance, because a span is what no part of the context supports.
    Sentences that state nothing to check (questions, greetings, ...) have no span, unless
    ``Parameters.count_set_aside``.

    A profile with a span model of its own (LettuceDetect) measures its tokens instead: each
    token's probability u of the hallucinated class, in the window of the context that finds it
    least hallucinated; tokens in a row with u > 1 - threshold are one span. Threshold and score
    are as above. A span is a conflict where a chunk contradicts a sentence that it lies in."""

    name = "spans"
    title = "Spans"
    explanation = (
        "Looks for the smallest parts of the answer that the context does not support, such as "
        "one number, and says whether they conflict with it or have no basis in it."
    )
    source = "RAGTruth, sections 3 and 5"
    traits = Traits(
        uses=("claim_form", "count_set_aside"),
        finds_spans=True,
        reads_span_model=True,
        reads_again=True,
    )

    def unfit(self, models: Models) -> str:
        if models.spans is not None or models.nli.finds_spans:
            return ""
        return (
            f"{self.title} needs a model that marks words, and this profile has none: "
            f"{models.nli.info.model_id} has no span head. Choose the profile embedded or "
            "lettucedetect, or another method."
        )

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        return MeasurementPlan(parameters.claim_form, relevance=False)

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        evidence = with_set_aside(evidence)
        if models.spans is not None:
            return read_tokens(evidence, models.spans, progress)
        readings = read_sentences(evidence, models, progress)
        evidence = with_support(evidence, models, progress)
        parts = [measured_spans(each) for each in readings.sentences]
        if evidence.support:
            least = 1.0 - sentence_support(evidence).max(axis=1)
            parts = [
                narrowed(each, unsupported)
                for each, unsupported in zip(parts, least.tolist(), strict=True)
            ]
        measured = sorted(
            (span for each in parts for span in each), key=lambda span: (span.start, -span.end)
        )
        tokens = replace(evidence.tokens, pairs=evidence.tokens.pairs + readings.pairs)
        notices = evidence.notices
        if readings.left_out:
            notices += (
                Notice(
                    "substitutes_left_out",
                    f"{readings.left_out:,} values of the context that could stand for one of the "
                    "answer were not tried: a sentence has too many values. Its spans may be "
                    "called baseless where they are conflicts.",
                ),
            )
        return replace(evidence, spans=tuple(measured), tokens=tokens, notices=notices)

    def threshold(self, profile: str) -> float:
        return nli_threshold(profile) if has_support_map(profile) else 1.0 - SPAN_THRESHOLD

    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        claims = np.array(
            [
                1.0
                - max(
                    (
                        span.unsupported
                        for span in counted_spans(evidence, parameters)
                        if span.start < claim.end and span.end > claim.start
                    ),
                    default=0.0,
                )
                for claim in evidence.claims
            ]
        )
        factuality = claim_support(evidence)
        decided_by = factuality.argmax(axis=1)
        # What the deciding chunk says of a claim is what it says of its least supported part.
        factuality = factuality.copy()
        factuality[np.arange(len(claims)), decided_by] = claims
        return every_chunk_alike(
            evidence,
            factuality,
            claims,
            tuple(int(chunk) for chunk in decided_by),
            lowest_decides(claims, scored_claims(evidence, parameters)),
        )

    def spans(self, evidence: Evidence, parameters: Parameters) -> tuple[HallucinatedSpan, ...]:
        """The measured parts over the threshold in order, those that overlap as one."""
        evidence = replace(evidence, spans=counted_spans(evidence, parameters))
        if evidence.span_model is not None:
            return tuple(
                HallucinatedSpan(
                    span.start,
                    span.end,
                    finding_type(
                        span.unsupported, conflict=is_contradicted(evidence, span.start, span.end)
                    ),
                    span.unsupported,
                )
                for span in merged_tokens(evidence, parameters.threshold)
            )
        found: list[HallucinatedSpan] = []
        for span in evidence.spans:
            # As the score, so that verdict and spans agree to the last digit.
            if 1.0 - span.unsupported >= parameters.threshold or span.type is None:
                continue
            if found and span.start < found[-1].end:
                # The largest part comes first and says of what type the whole is.
                last = found[-1]
                found[-1] = replace(
                    last,
                    end=max(last.end, span.end),
                    unsupported=max(last.unsupported, span.unsupported),
                )
            else:
                found.append(HallucinatedSpan(span.start, span.end, span.type, span.unsupported))
        return tuple(found)

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        """Label each sentence by its spans. A sentence without a span is supported; with one it is
        contradicted where a span is in conflict, else not found. One that states nothing to check
        is set aside. One for each sentence, in order."""
        spans = self.spans(evidence, parameters)
        # Under these thresholds every sentence is supported, and none.
        clean, faulty = (
            trace_sentences(evidence, list(scored.selected), threshold)
            for threshold in (0.0, float("inf"))
        )
        aside = left_out(evidence, parameters)
        traced = []
        for right, wrong in zip(clean, faulty, strict=True):
            sentence = right.sentence
            types = [s.type for s in spans if s.start < sentence.end and s.end > sentence.start]
            if sentence.index in aside:
                traced.append(replace(right, label=SentenceLabel.SET_ASIDE))
            elif not types:
                traced.append(right)
            elif any(type_ in _CONFLICTS for type_ in types):
                traced.append(_relabelled(evidence, wrong, SentenceLabel.CONTRADICTED))
            else:
                traced.append(_relabelled(evidence, wrong, SentenceLabel.NOT_FOUND))
        return tuple(traced)

    def cell_measure(self, evidence: Evidence, parameters: Parameters) -> CellMeasure:
        """The support by the sources; the threshold is one of it only where a support map made
        it."""
        threshold = parameters.threshold if evidence.support else EVEN
        return CellMeasure("support", sentence_support(evidence), threshold)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        """Write the parts of the claim that were measured, the least supported first. One line,
        without the score itself."""
        parts = sorted(
            _within(counted_spans(audit.evidence, audit.parameters), result),
            key=lambda span: (-span.unsupported, span.start),
        )
        terms = first_of([f"{s.unsupported:.3f} [characters {s.start}–{s.end}]" for s in parts])
        return f"1 − max unsupported({', '.join(terms) or '0'})"

    def answer_formula(self, audit: Audit) -> str:
        return of_claims("lowest", audit)


DETECTOR = SpansDetector()


def _within(spans: Sequence[MeasuredSpan], result: ClaimResult) -> list[MeasuredSpan]:
    claim = result.claim
    return [span for span in spans if span.start < claim.end and span.end > claim.start]


def phrase_unsupported(phrase: PhraseReading) -> float:
    """Compute how likely a phrase is not supported: a logistic map with the weights above. A
    probability in (0, 1).

    >>> reading = PhraseReading(start=0, end=4, missing=True, alone=0.05, rest=0.9, conflict=False)
    >>> round(phrase_unsupported(reading), 2)
    0.87
    """
    z = (
        ALONE * logit(phrase.alone)
        + REST * logit(phrase.rest)
        + MISSING * phrase.missing
        + INTERCEPT
    )
    return float(1.0 / (1.0 + np.exp(-z)))


def logit(probability: float) -> float:
    """Compute log(p / (1 - p)), with p kept 0.001 away from 0 and 1. ``probability``: in [0, 1]. In
    [-6.91, 6.91].

    >>> logit(0.5)
    0.0
    """
    p = min(max(probability, _CLIP), 1.0 - _CLIP)
    return float(np.log(p / (1.0 - p)))


def measured_spans(reading: SentenceReading) -> list[MeasuredSpan]:
    """Measure the parts of one sentence (:class:`SpansDetector` has the formulas). Its phrases, its
    clauses and, last, itself, with how likely each is not supported."""
    parts = [
        (phrase.start, phrase.end, phrase_unsupported(phrase), phrase.conflict)
        for phrase in reading.phrases
    ]
    parts += [
        (
            clause.start,
            clause.end,
            clause.rest * (1.0 - reading.rest),
            reading.conflict or clause.differs,
        )
        for clause in reading.clauses
    ]
    best = max([reading.rest, *(clause.rest for clause in reading.clauses)])
    parts.append((reading.start, reading.end, 1.0 - best, reading.conflict or reading.differs))
    return [
        MeasuredSpan(a, b, u, finding_type(u, conflict=conflict)) for a, b, u, conflict in parts
    ]


def narrowed(parts: Sequence[MeasuredSpan], unsupported: float) -> list[MeasuredSpan]:
    """Let the support of a sentence, known from a support map, decide over its parts. A sentence
    that is supported has no unsupported part. One that is not is narrowed to its unsupported parts
    where it is supported without them; else it is the part. ``unsupported``: 1 less its support, in
    [0, 1]. The same parts, in order, with how likely each is not supported."""
    *inner, sentence = parts
    found = [part for part in inner if part.unsupported > SPAN_THRESHOLD]
    narrow = unsupported > NARROWED_FROM and found and sentence.unsupported <= NARROWED_FROM
    named = found if narrow else [sentence]
    return [
        _with_probability(
            part, unsupported if part in named else min(part.unsupported, unsupported)
        )
        for part in parts
    ]


def _with_probability(part: MeasuredSpan, unsupported: float) -> MeasuredSpan:
    conflict = part.type in _CONFLICTS
    return replace(part, unsupported=unsupported, type=finding_type(unsupported, conflict=conflict))


def finding_type(unsupported: float, *, conflict: bool) -> FindingType:
    """Tell RAGTruth's type of a span. ``unsupported``: How likely the span is not supported, in [0,
    1]. Evident from ``EVIDENT`` on, else subtle.

    >>> finding_type(0.9, conflict=True).name
    'EVIDENT_CONFLICT'
    """
    if conflict:
        return (
            FindingType.EVIDENT_CONFLICT if unsupported >= EVIDENT else FindingType.SUBTLE_CONFLICT
        )
    return FindingType.EVIDENT_BASELESS if unsupported >= EVIDENT else FindingType.SUBTLE_BASELESS


def _relabelled(evidence: Evidence, traced: TracedSentence, label: SentenceLabel) -> TracedSentence:
    """``traced`` as ``label``, with the evidence that belongs to it: the chunk that contradicts
    most, or that supports most."""
    if traced.label is label:
        return traced
    index = traced.sentence.index
    against = label is SentenceLabel.CONTRADICTED
    if against:
        row = evidence.sentence_scores.contradiction[index]
    else:
        row = sentence_matrix(evidence)[0][index]
    chunk = int(row.argmax())
    start, end = evidence_span(evidence, index, chunk, contradiction=against)
    return replace(
        traced, label=label, evidence_chunk=chunk, evidence_start=start, evidence_end=end
    )
