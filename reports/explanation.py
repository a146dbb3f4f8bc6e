"""What is wrong with an answer, in plain words: which words, what the context says instead, and one
sentence for the whole audit. Plain text; whoever shows it escapes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from provenance_core import DETECTORS, Audit
from provenance_core.detectors import CONTEXT, Quantity, chunk_name
from provenance_core.findings.coverage import word_coverage
from provenance_core.findings.details import DetailFinding, DetailStatus, compare_details
from provenance_core.findings.kinds import DetailKind, MismatchKind
from provenance_core.findings.quantities import find_quantities
from provenance_core.findings.same_subject import is_of_the_same_thing
from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import is_function_word, word_list
from provenance_core.scoring.mismatches import bare_statement, mismatches_by_chunk
from provenance_core.text.list_markers import marker_length
from provenance_core.text.references import is_fragment
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import (
    UNSUPPORTED_LABELS,
    ContradictionRule,
    SentenceLabel,
    TracedSentence,
    Verdict,
    VerdictState,
)
from reports.cells_read import reads_all
from reports.held_words import NOT_HELD, SAID_OF_ELSE, has_the_words
from reports.whole_amounts import whole_amount

# Share of a sentence's content words: what has fewer of them is not about the sentence.
LEAST_RELEVANCE = 0.1
# Share of a sentence's other content words that one chunk has at least, for a missing number, date
# or name to be what is wrong with it.
LEAST_STATED = 0.5
_EVEN_ODDS = 0.5  # of a support: below it a sentence is rather not supported
_MISMATCHES = {
    MismatchKind.DENIAL: "the opposite of the context",
    MismatchKind.OPPOSITE: "the opposite of the context",
}
_MOST_REASONS = 3
# From this support on, a sentence is likelier backed than not.
_LIKELY = 0.5
_MOST_WORDS = 9
_ABBREVIATED = re.compile(r"\b\w\.\w\.$")  # "3 p.m."


@dataclass(frozen=True, slots=True)
class WrongWords:
    """Words of the answer, ``answer[start:end]``, that no chunk states, or denies or
    opposes (``mismatch``).

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


@dataclass(frozen=True, slots=True)
class SentenceReason:
    """Why a sentence is not supported. ``said``: as part of a sentence. ``about_it``: whether any
    chunk is about the sentence at all (:data:`LEAST_RELEVANCE`)."""

    traced: TracedSentence
    wrong: tuple[WrongWords, ...]
    said: str
    about_it: bool


def quoted(text: str) -> str:
    """Put a text in quotation marks, its first words where it is long, without a list marker.

    One line.
    """
    found = text[marker_length(text) :].split()
    short = " ".join(found[:_MOST_WORDS])
    if len(found) > _MOST_WORDS:
        short += " …"
    return f"“{short if _ABBREVIATED.search(short) else short.removesuffix('.')}”"


def quoted_where_new(text: str, chunks: Sequence[str]) -> str:
    """Put a text in quotation marks as :func:`quoted`, but the words of a long one that most differ
    from ``chunks``: what was made up stands seldom at the beginning.

    One line.
    """
    words = text[marker_length(text) :].split()
    if len(words) <= _MOST_WORDS:
        return quoted(text)
    held = frozenset[str]().union(*map(_content_stems, chunks))
    new = [bool(_content_stems(word) - held) for word in words]
    starts = range(len(words) - _MOST_WORDS + 1)
    # Of the stretches with most of them, the first whose new words have others before them.
    first = max(starts, key=lambda at: (sum(new[at : at + _MOST_WORDS]), not new[at], -at))
    if 2 * sum(new[:_MOST_WORDS]) >= sum(new[first : first + _MOST_WORDS]):
        return quoted(text)  # the beginning says enough, and is found again more easily
    last = first + _MOST_WORDS
    shown = quoted(" ".join(words[first:last]))[1:-1]
    return f"“… {shown}{' …' if last < len(words) else ''}”"


def evidence_relevance(audit: Audit, sentence: int) -> float:
    """Measure how many of a sentence's content words one chunk has.

    The largest share of all chunks, in [0, 1].
    """
    chunks = [chunk.text for chunk in audit.evidence.chunks]
    # A bare yes or no is about what the query asks.
    text = bare_statement(audit.evidence) or audit.evidence.sentences[sentence].text
    return float(word_coverage([text], chunks).max())


def sentence_reasons(audit: Audit) -> tuple[SentenceReason, ...]:
    """Why each sentence that is not supported is not.

    In the order of the answer.
    """
    return tuple(
        _reason(audit, traced) for traced in audit.sentences if traced.label in UNSUPPORTED_LABELS
    )


def foreign_sentences(audit: Audit) -> frozenset[int]:
    """Find the sentences that nothing in the context is about.

    The same as those of :func:`sentence_reasons` that are not ``about_it``, but the reasons of the
    others, which take long, are not looked for.

    Their indices, from 0.
    """
    return frozenset(
        traced.sentence.index
        for traced in audit.sentences
        if traced.label in UNSUPPORTED_LABELS
        and evidence_relevance(audit, traced.sentence.index) < LEAST_RELEVANCE
        and not _reason(audit, traced).about_it
    )


def sentence_doubt(audit: Audit, traced: TracedSentence) -> str:
    """What a supported sentence says otherwise than the context: a model may read over a digit.

    Where a low threshold alone calls it supported, what the context does not have is named too; not
    elsewhere, because a plainly supported sentence often has a number in words of its own.

    A part of a sentence; "" where there is no such number, date or name, or the sentence is not
    supported, which :func:`sentence_reasons` explain.
    """
    if traced.label is not SentenceLabel.SUPPORTED or traced.selection_miss:
        return ""
    doubted = traced.support < _EVEN_ODDS
    found = [
        each
        for each in _details(audit, traced)
        if each.mismatch is None and (doubted or each.chunk == traced.evidence_chunk)
    ]
    return _said(audit, found)


def verdict_sentence(audit: Audit, reasons: Sequence[SentenceReason] | None = None) -> str:
    """Say the verdict: how many sentences are not supported, and why.

    One plain sentence.
    """
    found = sentence_reasons(audit) if reasons is None else reasons
    context = _context_name(audit)
    if not audit.checked:
        return "The answer states nothing to check."
    if two := _verdict_beside_label(audit, found):
        return two
    if not found:
        if audit.verdict is Verdict.SUPPORTED:
            return f"{_all_sentences(audit.checked)} supported by {context}."
        return (
            f"{_all_sentences(audit.checked)} supported alone, but the whole answer's score "
            f"{audit.score:.3f} is under the threshold {audit.parameters.threshold:.3f}."
        )
    # Equal sentences have one reason, which is said once.
    alike = Counter(reason.said for reason in found)
    first = _named(list({reason.said: reason for reason in reversed(found)}.values())[::-1])
    whys = [
        reason.said + (f" ({alike[reason.said]} sentences)" if alike[reason.said] > 1 else "")
        for reason in first
    ]
    if left := len(found) - sum(alike[reason.said] for reason in first):
        whys.append(f"and {left} more")
    lead = "The score reaches the threshold, but " if audit.state is VerdictState.FLAGGED else ""
    if audit.checked == 1:
        said = "the one sentence is not supported"
    else:
        verb = "is" if len(found) == 1 else "are"
        said = f"{len(found)} of {audit.checked} sentences {verb} not supported"
    text = f"{lead}{said}: {'; '.join(whys)}."
    return text[0].upper() + text[1:]


# What makes the score of an answer with one sentence, where the sentence's label is made from
# another number.
_ASKED = {
    Quantity.SUPPORT: "scores the answer together with its query",
    Quantity.VERDICT: "asks only whether a source contradicts the sentence",
    Quantity.ENTAILMENT: "asks only how far one passage entails the sentence",
    Quantity.CONTRADICTION: "asks only whether another answer contradicts the sentence",
}


def _verdict_beside_label(audit: Audit, found: Sequence[SentenceReason]) -> str:
    """Why an answer with one sentence has a verdict that its label does not follow; "" where both
    agree, or both come from the detector's spans."""
    detector = DETECTORS[audit.parameters.detector]
    traits = detector.traits
    asked = None if traits.finds_spans else _ASKED.get(traits.quantity)
    supported = audit.verdict is Verdict.SUPPORTED
    if audit.checked != 1 or asked is None or supported == (not found):
        return ""
    rule = audit.parameters.contradiction_rule
    if traits.compares and rule is ContradictionRule.UNLESS_ENTAILED:
        asked = asked.replace("contradicts", "entails or contradicts")
    reaches = "reaches" if supported else "is under"
    label = f"is flagged: {found[0].said}" if found else "is not flagged"
    return (
        f"{detector.title} {asked}: its score {audit.score:.3f} {reaches} the threshold "
        f"{audit.parameters.threshold:.3f}. The label of the one sentence comes from other "
        f"numbers, its support and its contradiction by the sources, and so it {label}."
    )


def _named(found: Sequence[SentenceReason]) -> list[SentenceReason]:
    """Those that the verdict names: what is contradicted before the rest, in the answer's order."""
    first = sorted(found, key=lambda each: each.traced.label is not SentenceLabel.CONTRADICTED)
    return sorted(first[:_MOST_REASONS], key=lambda each: each.traced.sentence.index)


def _all_sentences(count: int) -> str:
    if count == 1:
        return "The one sentence of the answer is"
    return "Both sentences are" if count == 2 else f"All {count} sentences are"


def _context_name(audit: Audit) -> str:
    if not reads_all(audit):  # Of the others nothing was computed.
        return "the sources"
    context = DETECTORS[audit.parameters.detector].traits.context
    return f"the {context}"


def _reason(audit: Audit, traced: TracedSentence) -> SentenceReason:
    made = partial(SentenceReason, traced)
    about_it = evidence_relevance(audit, traced.sentence.index) >= LEAST_RELEVANCE
    context, sentence = _context_name(audit), quoted(traced.sentence.text)
    stated = bare_statement(audit.evidence)
    if stated is not None:
        sentence += f", read as {quoted(stated)},"
    evidence = chunk_name(traced.evidence_chunk)
    if traced.selection_miss:
        return made((), f"{sentence} is supported only by {evidence}, which was not selected", True)
    details = _details(audit, traced)
    conflicting = tuple(each for each in details if each.chunk is not None)
    wrong = details or _spans(audit, traced)
    if conflicting:
        return made(wrong, _said(audit, conflicting), True)
    if traced.label is SentenceLabel.CONTRADICTED:
        differing = _where_new(audit, traced) if stated is None else sentence
        return made(wrong, f"{differing} is contradicted by source {evidence}", True)
    if details and not _is_missing_as_a_whole(audit, traced, details):
        return made(wrong, _said(audit, details), about_it)
    # One word of it would be named for many.
    wrong = wrong if not details else ()
    if traced.support >= _LIKELY:
        threshold = audit.parameters.threshold
        under = f"has the support {traced.support:.3f}, under the threshold {threshold:.3f}"
        return made(wrong, f"{sentence} {under}", True)
    if not about_it:
        return made(wrong, f"nothing in {context} is about {sentence}", False)
    differing = _where_new(audit, traced) if stated is None else sentence
    return made(wrong, f"{differing} is not stated by {context}", True)


def _where_new(audit: Audit, traced: TracedSentence) -> str:
    return quoted_where_new(traced.sentence.text, [chunk.text for chunk in audit.evidence.chunks])


def _is_missing_as_a_whole(
    audit: Audit, traced: TracedSentence, details: Sequence[WrongWords]
) -> bool:
    """Whether every chunk lacks most content words of a sentence, those of ``details`` aside."""
    if any(each.asked for each in details):
        return False
    rest, position = [], traced.sentence.start
    for each in details:
        rest.append(audit.evidence.answer[position : each.start])
        position = max(position, each.end)
    rest.append(audit.evidence.answer[position : traced.sentence.end])
    wanted = _content_stems(" ".join(rest))
    if not wanted:
        return False
    chunks = (_content_stems(chunk.text) for chunk in audit.evidence.chunks)
    return max(len(wanted & held) for held in chunks) < LEAST_STATED * len(wanted)


def _content_stems(text: str) -> frozenset[str]:
    return frozenset(word_stem(word) for word in word_list(text) if not is_function_word(word))


def _said(audit: Audit, words: Sequence[WrongWords]) -> str:
    answer = audit.evidence.answer
    parts = [
        f"{quoted(_meant(each) or answer[each.start : each.end])} is {each.said}"
        for each in words[:2]
    ]
    return " and ".join(dict.fromkeys(parts))


def _meant(words: WrongWords) -> str:
    """The words of the query that are wrong; "" where the answer's own are. The context denies the
    whole statement of a bare "yes", not one word of it."""
    return "" if words.mismatch is MismatchKind.DENIAL else words.asked


def _details(audit: Audit, traced: TracedSentence) -> tuple[WrongWords, ...]:
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
    end += _ABBREVIATED.search(chunks[found.premise][start : end + 1]) is not None
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


def _spans(audit: Audit, traced: TracedSentence) -> tuple[WrongWords, ...]:
    """The hallucinated spans of a sentence, from a detector that finds them."""
    sentence = traced.sentence
    return tuple(
        WrongWords(max(span.start, sentence.start), min(span.end, sentence.end))
        for span in audit.spans
        if span.start < sentence.end and span.end > sentence.start
    )
