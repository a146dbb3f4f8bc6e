"""Which words of a sentence are wrong, and what is wrong with them, from what was found."""

from __future__ import annotations

from collections.abc import Iterable

from provenance_core.detectors import CONTEXT, DETECTORS, chunk_name
from provenance_core.explain.quotes import quoted
from provenance_core.scoring.holding import holding
from provenance_core.types import (
    UNSTATED,
    Audit,
    Finding,
    FindingKind,
    MissingDetail,
    SentenceLabel,
    TracedSentence,
)

NOT_HELD = "not in the context"
SAID_OF_ELSE = "said of something else in the context"
_OPPOSED = "the opposite of the context"


def wrong_words(audit: Audit, traced: TracedSentence) -> tuple[Finding, ...]:
    """The findings of a sentence that its reason may name: without what the query names, unless
    that alone contradicts it; those of one place once. None where the context items are other
    answers."""
    if DETECTORS[audit.parameters.detector].traits.context != CONTEXT:
        return ()
    of_it = holding(audit.evidence, traced.sentence.index)
    found = [
        each
        for each in of_it
        if not each.asked and (each.kind in UNSTATED or each.chunk is not None)
    ]
    contradicted = traced.label is SentenceLabel.CONTRADICTED
    if contradicted and all(each.chunk is None for each in found):
        found = [each for each in of_it if stands_instead(each)] or found
    return _once(found)


def span_words(audit: Audit, traced: TracedSentence) -> tuple[Finding, ...]:
    """The hallucinated spans of a sentence, from a detector that finds them."""
    sentence, answer = traced.sentence, audit.evidence.answer
    places = [
        (max(span.start, sentence.start), min(span.end, sentence.end))
        for span in audit.spans
        if span.start < sentence.end and span.end > sentence.start
    ]
    return tuple(
        Finding(sentence.index, FindingKind.MISSING, "", answer[a:b], a, b) for a, b in places
    )


def stands_instead(found: Finding) -> bool:
    """Whether a chunk says something else of the very thing."""
    return found.chunk is not None and found.same_thing


def what_is_wrong(found: Finding) -> str:
    """What is wrong with words, to be read behind them: only what the texts show word for word."""
    if found.kind not in UNSTATED:
        return f"{_OPPOSED}, which says {quoted(found.instead)}" if found.instead else _OPPOSED
    where = SAID_OF_ELSE if found.held else NOT_HELD
    if found.chunk is None or not found.same_thing:
        return where
    return f"{where}; {chunk_name(found.chunk)} has {quoted(found.instead)}"


def against_text(audit: Audit, traced: TracedSentence) -> str:
    """How the evidence speaks against a sentence that is labelled contradicted, before its name:
    by words that deny it, by another value, or by what the model reads."""
    found = [
        each
        for each in wrong_words(audit, traced)
        if stands_instead(each) and each.chunk == traced.evidence_chunk
    ]
    if not found:
        return "Not supported. The model reads a contradiction in"
    if all(each.kind in UNSTATED for each in found):
        return "Not supported. Another value stands in"
    return "Contradicted by"


def named(found: Iterable[Finding]) -> str:
    """The first two of what was found, each with what is wrong with it, as part of a sentence."""
    parts = [f"{quoted(each.words)} is {what_is_wrong(each)}" for each in list(found)[:2]]
    return " and ".join(dict.fromkeys(parts))


def missing_text(audit: Audit, traced: TracedSentence, detail: MissingDetail) -> str:
    """A number, date or name that the context does not state, whether it has the words, and what
    a chunk has in their place."""
    of_it = [
        each
        for each in audit.evidence.findings
        if each.start <= detail.start and detail.end <= each.end
    ]
    where = SAID_OF_ELSE if any(each.held for each in of_it) else NOT_HELD
    text = f"{detail.kind} {where}: {detail.text}"
    sure = holding(audit.evidence, traced.sentence.index)
    for each in of_it:
        if each.chunk is not None and each.same_thing and each.kind in UNSTATED and each in sure:
            return f"{text}; {chunk_name(each.chunk)} has {quoted(each.instead)}"
    return text


def _once(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """One of those at each place: one that a chunk states otherwise, where there is one."""
    kept: dict[tuple[int, int, bool], Finding] = {}
    for each in found:
        place = each.start, each.end, each.kind in UNSTATED
        if place not in kept or not stands_instead(kept[place]):
            kept[place] = each
    return tuple(kept.values())
