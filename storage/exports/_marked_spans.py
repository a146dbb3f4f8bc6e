"""Unsupported spans of an answer, as the machine or a reviewer marks them."""

from __future__ import annotations

from dataclasses import dataclass

from provenance_core import Audit
from provenance_core.detectors import get_detector
from provenance_core.review.types import JudgedVerdict, Review
from provenance_core.text.splitting import strip_bounds
from provenance_core.types import HALLUCINATION_TYPES, UNSUPPORTED_LABELS

# The kind of a sentence or answer that a reviewer calls hallucinated without saying how.
UNTYPED = "hallucinated"


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """``answer[start:end] == text``, offsets in characters; ``kind`` names what is wrong."""

    start: int
    end: int
    text: str
    kind: str


def machine_spans(audit: Audit) -> tuple[MarkedSpan, ...]:
    """The spans of a detector that finds them, each with its type; of another the sentences that
    are not supported: ``contradicted`` or ``not_found``."""
    if get_detector(audit.parameters.detector).traits.finds_spans:
        return tuple(
            MarkedSpan(s.start, s.end, audit.evidence.answer[s.start : s.end], str(s.type))
            for s in audit.spans
        )
    return tuple(
        _span(audit.evidence.answer, traced.sentence.start, traced.sentence.end, str(traced.label))
        for traced in audit.sentences
        if traced.label in UNSUPPORTED_LABELS
    )


def reviewer_spans(audit: Audit, review: Review) -> tuple[MarkedSpan, ...]:
    """The spans that the reviewer marked, and each sentence called hallucinated that holds none. A
    verdict of hallucinated without any of these marks the whole answer."""
    answer, judgement = audit.evidence.answer, review.judgement
    found = [MarkedSpan(s.start, s.end, answer[s.start : s.end], s.type) for s in judgement.spans]
    marked = [s for s in judgement.spans if s.type in HALLUCINATION_TYPES]
    wrong = len(marked)
    for judged in judgement.sentences:
        sentence = audit.evidence.sentences[judged.index]
        if judged.verdict is not JudgedVerdict.HALLUCINATED or any(
            s.start < sentence.end and sentence.start < s.end for s in marked
        ):
            continue
        found.append(_span(answer, sentence.start, sentence.end, judged.type or UNTYPED))
        wrong += 1
    if judgement.verdict is JudgedVerdict.HALLUCINATED and not wrong:
        found.append(_span(answer, 0, len(answer), judgement.type or UNTYPED))
    return tuple(sorted(set(found), key=lambda s: (s.start, s.end, s.kind)))


def _span(answer: str, start: int, end: int, kind: str) -> MarkedSpan:
    a, b = strip_bounds(answer, start, end)
    return MarkedSpan(a, b, answer[a:b], str(kind))
