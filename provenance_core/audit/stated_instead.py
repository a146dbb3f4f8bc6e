"""What the context says in the place of a detail of a sentence, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provenance_core.findings.details import DetailStatus, compare_details
from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.phrases import exchangeable_details
from provenance_core.findings.replacements import fitting_substitutes
from provenance_core.findings.same_subject import is_of_the_same_thing
from provenance_core.lexicon.words import content_stems
from provenance_core.text.references import is_fragment
from provenance_core.text.splitting import Bounds, claim_bounds, sentence_bounds
from provenance_core.types import UNSTATED, Audit, Finding, TracedSentence


@dataclass(frozen=True, slots=True)
class StatingSentence:
    """A sentence of the context, ``start`` to ``end`` in its item, and the index of a chunk that
    holds it. ``lead``: the sentence before it, which may name what it speaks of."""

    chunk: int
    start: int
    end: int
    text: str
    lead: str


@dataclass(frozen=True, slots=True)
class Instead:
    """What the evidence says in place of a detail. ``sure``: all other words of the sentence stand
    beside it there, so that no model need confirm it."""

    text: str
    evidence: StatingSentence
    sure: bool


def said_instead(
    audit: Audit, traced: TracedSentence, text: str
) -> Iterator[tuple[Bounds, Instead]]:
    """Find what the context says in the place of details of a sentence: in the evidence of the
    sentence, and where another sentence has the value of the same thing. By the start and end of a
    detail in ``text``, which may come several times."""
    unstated = unstated_in(audit, traced)
    start, _ = claim_bounds(audit.evidence.answer, traced.sentence.start, traced.sentence.end)
    lacking = [(each.start - start, each.end - start) for each in unstated]
    query = audit.evidence.query if is_fragment(text) else ""
    places = [evidence_of(audit, traced)]
    places += [
        _sentence_at(audit, each.chunk, each.chunk_start)
        for each in unstated
        if each.chunk is not None
    ]
    for place in dict.fromkeys(places):
        beside = compare_details(text, [place.text])
        held = [(f.start, f.end) for f in beside if f.status is DetailStatus.STATED]
        for detail in exchangeable_details(text):
            span = detail.start, detail.end
            if any(span[0] < b and a < span[1] for a, b in held):
                continue
            others = f"{text[: span[0]]} {text[span[1] :]}"
            sure = content_stems(others) <= content_stems(place.text)
            fitting = [
                other
                for other in fitting_substitutes(text, span, place.text, query)
                if is_of_the_same_thing(
                    text, span, place.text, other, lead=place.lead, query=query, wrong=lacking
                )
            ]
            said = dict.fromkeys(place.text[slice(*other)] for other in fitting)
            # Of two values of a sentence a model cannot tell which one is meant.
            if detail.kind is DetailKind.NUMBER and len(said) > 1:
                continue
            yield from ((span, Instead(each, place, sure)) for each in said)


def evidence_of(audit: Audit, traced: TracedSentence) -> StatingSentence:
    """The sentence of the context that a sentence of the answer is traced to, with the one before
    it in the chunk as its lead."""
    chunk = audit.evidence.chunks[traced.evidence_chunk]
    text = audit.evidence.context[chunk.item].text
    start, end = traced.evidence_start, traced.evidence_end
    before = sentence_bounds(text[chunk.start : start])
    lead = text[chunk.start : start][slice(*before[-1])] if before else ""
    return StatingSentence(traced.evidence_chunk, start, end, text[start:end], lead)


def unstated_in(audit: Audit, traced: TracedSentence) -> tuple[Finding, ...]:
    """The numbers, dates and names of a sentence that the context does not state."""
    return tuple(
        each
        for each in audit.evidence.findings
        if each.sentence == traced.sentence.index and each.kind in UNSTATED
    )


def _sentence_at(audit: Audit, index: int, position: int) -> StatingSentence:
    """The sentence of a chunk, by its index, at a position in it."""
    chunk, lead = audit.evidence.chunks[index], ""
    bounds = sentence_bounds(chunk.text)
    for start, end in bounds:
        text = chunk.text[start:end].rstrip()
        if start <= position < end or (start, end) == bounds[-1]:
            first = chunk.start + start
            return StatingSentence(index, first, first + len(text), text, lead)
        lead = text
    raise ValueError(f"chunk {index} has no sentence")
