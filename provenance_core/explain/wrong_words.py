"""Words of the answer that are wrong, and what the context says in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from provenance_core.detectors import CONTEXT, DETECTORS
from provenance_core.explain.held_words import NOT_HELD, SAID_OF_ELSE, has_the_words
from provenance_core.explain.quotes import ABBREVIATED, quoted
from provenance_core.explain.whole_amounts import whole_amount
from provenance_core.findings.details import DetailFinding, DetailStatus, compare_details
from provenance_core.findings.kinds import DetailKind, MismatchKind
from provenance_core.findings.quantities import find_quantities
from provenance_core.findings.same_subject import is_of_the_same_thing
from provenance_core.scoring.mismatches import bare_statement, mismatches_by_chunk
from provenance_core.text.list_markers import marker_length
from provenance_core.text.references import is_fragment
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import Audit, SentenceLabel, TracedSentence

_MISMATCHES = {
    MismatchKind.DENIAL: "the opposite of the context",
    MismatchKind.OPPOSITE: "the opposite of the context",
}


@dataclass(frozen=True, slots=True)
class WrongWords:
    """Words of the answer, ``answer[start:end]``, that no chunk states, or states elsewhere
    (``mismatch``).

    ``asked``: the words of the query that a bare "yes" or "no" states, "" for any other answer.
    ``instead``: what a chunk, by its index ``chunk``, says in their place from its character
    ``instead_start`` on; "" and None where none says anything. ``held``: whether a chunk has the
    very words, which it says of something else.
    """

    start: int
    end: int
    instead: str = ""
    chunk: int | None = None
    instead_start: int = 0
    mismatch: MismatchKind | None = None
    asked: str = ""
    held: bool = False

    @property
    def said(self) -> str:
        """What is wrong with the words, to be read behind them."""
        if self.mismatch is not None:
            where = _MISMATCHES[self.mismatch]
        else:
            where = SAID_OF_ELSE if self.held else NOT_HELD
        return where if self.chunk is None else f"{where}, which says {quoted(self.instead)}"


def wrong_details(audit: Audit, traced: TracedSentence) -> tuple[WrongWords, ...]:
    """The numbers, dates and names of a sentence that no chunk states."""
    if DETECTORS[audit.parameters.detector].traits.context != CONTEXT:
        return ()
    sentence = traced.sentence
    chunks = [chunk.text for chunk in audit.evidence.chunks]
    stated = bare_statement(audit.evidence)
    if stated is not None:
        return tuple(
            replace(
                each, start=sentence.start, end=sentence.end, asked=stated[each.start : each.end]
            )
            for each in _found(audit, stated, chunks, chunks)
        )
    start = sentence.start + marker_length(sentence.text)
    text = audit.evidence.answer[start : sentence.end]
    # What the query names is not missing from an answer to it.
    found = _found(audit, text, chunks, [*chunks, audit.evidence.query])
    if traced.label is SentenceLabel.CONTRADICTED and all(each.chunk is None for each in found):
        # Unless a source states another value: the label says so, whatever the query names.
        differing = _found(audit, text, chunks, chunks)
        found = tuple(each for each in differing if each.chunk is not None) or found
    return tuple(replace(each, start=start + each.start, end=start + each.end) for each in found)


def spans_as_words(audit: Audit, traced: TracedSentence) -> tuple[WrongWords, ...]:
    """The hallucinated spans of a sentence, from a detector that finds them."""
    sentence = traced.sentence
    return tuple(
        WrongWords(max(span.start, sentence.start), min(span.end, sentence.end))
        for span in audit.spans
        if span.start < sentence.end and span.end > sentence.start
    )


def _found(
    audit: Audit, text: str, chunks: Sequence[str], known: Sequence[str]
) -> tuple[WrongWords, ...]:
    """The wrong words of ``text``, by their place in it. ``known``: what may state them."""
    lacking = [e for e in compare_details(text, known) if e.status is not DetailStatus.STATED]
    wrong = [(each.start, each.end) for each in lacking]
    query = audit.evidence.query if is_fragment(text) else ""
    found = [
        _wrong_words(each, chunks)
        if _is_meant(text, each, chunks, query, wrong)
        else WrongWords(each.start, each.end)
        for each in lacking
    ]
    found = [
        replace(each, held=has_the_words(text[each.start : each.end], chunks))
        for each in _in_whole_amounts(text, found, lacking, chunks)
    ]
    found += [
        WrongWords(
            each.start,
            each.end,
            chunks[each.premise][each.other_start : each.other_end],
            each.premise,
            each.other_start,
            mismatch=each.kind,
        )
        for each in mismatches_by_chunk(audit.evidence, text)
    ]
    return tuple(found)


def _in_whole_amounts(
    text: str, words: Sequence[WrongWords], read: Sequence[DetailFinding], chunks: Sequence[str]
) -> list[WrongWords]:
    """``words`` of ``text``, one for each detail that was ``read``, where each number reaches over
    its whole amount, and two numbers of one amount are one."""
    found: dict[tuple[int, int], WrongWords] = {}
    for each, detail in zip(words, read, strict=True):
        if detail.kind is DetailKind.NUMBER:
            each = _in_whole_amount(text, each, chunks)
        place = each.start, each.end
        if place not in found or found[place].chunk is None:
            found[place] = each
    return list(found.values())


def _in_whole_amount(text: str, words: WrongWords, chunks: Sequence[str]) -> WrongWords:
    start, end = whole_amount(text, words.start, words.end)
    whole = replace(words, start=start, end=end)
    if words.chunk is None:
        return whole
    chunk, first = chunks[words.chunk], words.instead_start
    a, b = whole_amount(chunk, first, first + len(words.instead))
    if "".join(text[start:end].split()) == "".join(chunk[a:b].split()):
        return words  # "5 %" is not in the context, which says "5 %", would say nothing
    return replace(whole, instead=chunk[a:b], instead_start=a)


def _is_meant(
    text: str,
    found: DetailFinding,
    chunks: Sequence[str],
    query: str,
    wrong: Sequence[tuple[int, int]],
) -> bool:
    """Whether a chunk has its value of the very thing that ``text`` has another of."""
    if found.kind is DetailKind.NAME or found.premise is None or found.premise >= len(chunks):
        return True
    chunk, lead = chunks[found.premise], ""
    for start, end in sentence_bounds(chunk):
        if start <= found.other_start < end:
            other = found.other_start - start, found.other_end - start
            span = found.start, found.end
            return is_of_the_same_thing(
                text, span, chunk[start:end], other, lead=lead, query=query, wrong=wrong
            )
        lead = chunk[start:end]
    return False


def _wrong_words(found: DetailFinding, chunks: Sequence[str]) -> WrongWords:
    words = WrongWords(found.start, found.end)
    if found.premise is None or found.premise >= len(chunks):
        return words
    start, end = _in_the_same_unit(found, chunks[found.premise])
    end += ABBREVIATED.search(chunks[found.premise][start : end + 1]) is not None
    instead = chunks[found.premise][start:end]
    return replace(words, instead=instead, chunk=found.premise, instead_start=start)


def _in_the_same_unit(found: DetailFinding, chunk: str) -> tuple[int, int]:
    """Where ``chunk`` says something in place of a detail: in the detail's unit where its sentence
    says it in several ("8 kilometres (5 miles)")."""
    units = {quantity.unit for quantity in find_quantities(found.text)} - {""}
    quantities = find_quantities(chunk)
    if any(
        found.other_start <= each.start < found.other_end and each.unit in units
        for each in quantities
    ):
        return found.other_start, found.other_end
    for a, b in sentence_bounds(chunk):
        if a <= found.other_start < b:
            for quantity in quantities:
                if a <= quantity.start < b and quantity.unit in units:
                    return quantity.start, quantity.end
    return found.other_start, found.other_end
