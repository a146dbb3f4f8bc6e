"""Where the words of an answer and its context differ, found once for all that asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from provenance_core.findings.denials import find_denials
from provenance_core.findings.details import (
    DetailFinding,
    DetailStatus,
    compare_details,
    in_same_words,
)
from provenance_core.findings.kinds import DetailKind, Mismatch, MismatchKind
from provenance_core.findings.opposites import find_opposites
from provenance_core.findings.quantities import find_quantities
from provenance_core.findings.read_texts import ReadPremises, read_premises, with_premise
from provenance_core.findings.same_subject import is_of_the_same_thing
from provenance_core.text.claims import claim_texts
from provenance_core.text.references import is_fragment
from provenance_core.text.splitting import Bounds, claim_bounds, sentence_bounds, strip_bounds
from provenance_core.text.yes_no import statement_of
from provenance_core.types import Chunk, Evidence, Finding, FindingKind, Sentence

# A value in the same words as another's counts three times, as nothing else can be meant.
_IN_SAME_WORDS = 3
_ABBREVIATED = re.compile(r"\b\w\.\w\.$")  # "3 p.m."
_MISMATCHES = {
    # A denial has no second reading.
    MismatchKind.DENIAL: (FindingKind.DENIAL, 2),
    MismatchKind.OPPOSITE: (FindingKind.OPPOSITE, 1),
}


def bare_statement(evidence: Evidence) -> str | None:
    """What an answer of a bare "yes" or "no" states of the query; None for any other answer. Its
    numbers, dates, names and negation are compared with the context in the answer's place."""
    if len(evidence.sentences) != 1:
        return None
    return statement_of(evidence.query, evidence.sentences[0].text)


def find_in_answer(evidence: Evidence) -> tuple[Finding, ...]:
    """Find where the words of an answer and its context differ. By sentence: first the numbers,
    dates and names that are not stated, then denials and opposites."""
    items = [item.text for item in evidence.context]
    stated = bare_statement(evidence)
    compared = claim_texts(evidence.answer, evidence.sentences) if stated is None else [stated]
    alone = read_premises(items)
    # What the query names is not missing from an answer to it, unless the answer is "yes" to it.
    known = alone if stated is not None else with_premise(alone, evidence.query)
    found: list[Finding] = []
    for sentence, text in zip(evidence.sentences, compared, strict=True):
        claim = _Claim(evidence, sentence, text, stated is not None)
        found += claim.unstated(known, alone)
        found += claim.mismatches(items)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Claim:
    """What is compared for a sentence: its ``text``, which for a ``bare`` "yes" or "no" is the
    statement that it makes of the query."""

    evidence: Evidence
    sentence: Sentence
    text: str
    bare: bool

    def unstated(self, known: ReadPremises, alone: ReadPremises) -> Iterator[Finding]:
        """The numbers, dates and names that ``known`` texts do not state, then those that only the
        query names, which the context ``alone`` does not."""
        lacking = _unstated(self.text, known)
        sure = in_same_words(self.text, lacking, known.texts)
        named = {each.start for each in lacking}
        asked = [each for each in _unstated(self.text, alone) if each.start not in named]
        wrong = [(each.start, each.end) for each in (*lacking, *asked)]
        for each in lacking:
            weight = int(each.status is DetailStatus.CONFLICTING)
            weight = _IN_SAME_WORDS if each in sure else weight
            yield replace(self._finding(each, wrong), weight=weight)
        for each in asked:
            yield replace(self._finding(each, wrong), asked=True)

    def mismatches(self, items: Sequence[str]) -> Iterator[Finding]:
        """What the sentence denies, or states with a word of opposite meaning."""
        for each in find_mismatches(self.text, items):
            kind, weight = _MISMATCHES[each.kind]
            start, end = self._place(each.start, each.end)
            # The context denies the whole statement of a bare "yes", not one word of it.
            whole = self.bare and kind is FindingKind.DENIAL
            words = self.evidence.answer[start:end] if whole else self.text[each.start : each.end]
            found = Finding(self.sentence.index, kind, "", words, start, end, weight=weight)
            found = self._stands(
                found, self._chunk_with(each.premise, each.other_start, each.other_end)
            )
            # Its own place may have the very word, with the denial.
            others = [chunk.text.replace(found.instead, " ") for chunk in self.evidence.chunks]
            yield replace(found, held=bool(found.instead) and has_the_words(words, others))

    def _finding(self, found: DetailFinding, wrong: Sequence[Bounds]) -> Finding:
        place = None
        if found.premise is not None:
            place = self._chunk_with(found.premise, found.other_start, found.other_end)
        conflict = found.status is DetailStatus.CONFLICTING
        span, place = self._in_whole_amounts(found, place)
        start, end = self._place(*span)
        words = self.text[slice(*span)]
        made = Finding(
            sentence=self.sentence.index,
            kind=FindingKind.CONFLICT if conflict else FindingKind.MISSING,
            detail=str(found.kind),
            words=words,
            start=start,
            end=end,
            same_thing=place is None or self._is_meant(found, place, wrong),
            held=self._is_held(words, any_case=found.kind is DetailKind.NAME),
        )
        return self._stands(made, place)

    def _is_held(self, words: str, *, any_case: bool = False) -> bool:
        """Whether a chunk has the very words; of a name, in ``any_case``."""
        texts = [chunk.text for chunk in self.evidence.chunks]
        if any_case:
            return has_the_words(words.casefold(), [text.casefold() for text in texts])
        return has_the_words(words, texts)

    def _stands(self, found: Finding, place: tuple[Chunk, Bounds] | None) -> Finding:
        """``found`` with what stands at a ``place`` in a chunk."""
        if place is None:
            return found
        chunk, (a, b) = place
        return replace(
            found, chunk=chunk.index, chunk_start=a, chunk_end=b, instead=chunk.text[a:b]
        )

    def _chunk_with(self, item: int, start: int, end: int) -> tuple[Chunk, Bounds] | None:
        """The first chunk that holds a place of a context item whole, and the place in it."""
        if item >= len(self.evidence.context):
            return None  # the query
        index = self.evidence.context[item].index
        for chunk in self.evidence.chunks:
            if chunk.item == index and chunk.start <= start and end <= chunk.end:
                return chunk, (start - chunk.start, end - chunk.start)
        return None

    def _in_whole_amounts(
        self, found: DetailFinding, place: tuple[Chunk, Bounds] | None
    ) -> tuple[Bounds, tuple[Chunk, Bounds] | None]:
        """Where a detail and what stands in its place begin and end, each number with the whole
        amount that it is a part of."""
        own = found.start, found.end
        if place is not None:
            chunk, there = place
            place = chunk, _in_the_same_unit(found, there, chunk.text)
        if found.kind is not DetailKind.NUMBER:
            return own, place
        whole = whole_amount(self.text, *own)
        if place is None:
            return whole, None
        chunk, there = place
        wide = whole_amount(chunk.text, *there)
        if _alike(self.text[slice(*whole)], chunk.text[slice(*wide)]):
            return own, place  # "5 %" is not in the context, which says "5 %", would say nothing
        return whole, (chunk, wide)

    def _is_meant(
        self, found: DetailFinding, place: tuple[Chunk, Bounds], wrong: Sequence[Bounds]
    ) -> bool:
        """Whether a chunk has its value of the very thing that the sentence has another of."""
        if found.kind is DetailKind.NAME:
            return True
        chunk, _ = place
        at = found.other_start - chunk.start, found.other_end - chunk.start
        query, lead = self.evidence.query if is_fragment(self.text) else "", ""
        for start, end in sentence_bounds(chunk.text):
            if start <= at[0] < end:
                return is_of_the_same_thing(
                    self.text,
                    (found.start, found.end),
                    chunk.text[start:end],
                    (at[0] - start, at[1] - start),
                    lead=lead,
                    query=query,
                    wrong=wrong,
                )
            lead = chunk.text[start:end]
        return False

    def _place(self, start: int, end: int) -> Bounds:
        """Where ``text[start:end]`` stands in the answer: the whole sentence of a bare "yes", and
        where the sentence has no such words."""
        answer, sentence = self.evidence.answer, self.sentence
        whole = strip_bounds(answer, sentence.start, sentence.end)
        if self.bare:
            return whole
        a, b = claim_bounds(answer, sentence.start, sentence.end)
        at = answer.find(self.text, a, b)
        if at >= 0:
            return at + start, at + end
        # A row of a table, or a sentence without what frames it: as often as before in the text.
        words = self.text[start:end]
        places = [each.start() for each in re.finditer(re.escape(words), answer[a:b])]
        if not places:
            return whole
        before = len(re.findall(re.escape(words), self.text[:start]))
        first = a + places[min(before, len(places) - 1)]
        return first, first + len(words)


def _unstated(text: str, premises: ReadPremises) -> list[DetailFinding]:
    compared = compare_details(text, premises)
    return [each for each in compared if each.status is not DetailStatus.STATED]


def _alike(text: str, other: str) -> bool:
    return "".join(text.split()) == "".join(other.split())


def _in_the_same_unit(found: DetailFinding, there: Bounds, chunk: str) -> Bounds:
    """Where ``chunk`` says something in place of a detail: in the detail's unit where its sentence
    says it in several ("8 kilometres (5 miles)"); with the point of "3 p.m."."""
    start, end = _place_of_unit(found, there, chunk)
    return start, end + (_ABBREVIATED.search(chunk[start : end + 1]) is not None)


def _place_of_unit(found: DetailFinding, there: Bounds, chunk: str) -> Bounds:
    units = {quantity.unit for quantity in find_quantities(found.text)} - {""}
    quantities = find_quantities(chunk)
    if any(there[0] <= each.start < there[1] and each.unit in units for each in quantities):
        return there
    for a, b in sentence_bounds(chunk):
        if a <= there[0] < b:
            for quantity in quantities:
                if a <= quantity.start < b and quantity.unit in units:
                    return quantity.start, quantity.end
    return there


def has_the_words(words: str, texts: Iterable[str]) -> bool:
    """Whether a text has these words, in the same letters and not as a part of others. "412" is not
    in "4,412", "412.5" or "X412". False for no words."""
    parts = words.split()
    if not parts:
        return False
    held = r"\s+".join(map(re.escape, parts))
    found = re.compile(rf"(?<!\w)(?<!\d[.,:]){held}(?!\w)(?![.,:]\d)")
    return any(found.search(text) is not None for text in texts)


def find_mismatches(claim: str, premises: Sequence[str]) -> tuple[Mismatch, ...]:
    """Find what a claim denies, or states with a word of opposite meaning. Denials first; of one
    kind in the order of the claim."""
    return (*find_denials(claim, premises), *find_opposites(claim, premises))


_CURRENCY = r"(?:[$€£¥]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|JPY|PLN|CZK|CNY|INR|AUD|CAD)\b)"
# "1.300.000", "12'700", "3,7"; a space between thousands only where it cannot be broken, as two
# numbers may stand beside each other.
_DIGITS = "\\d+(?:[.,'’\u00a0\u202f]\\d+)*"
_LARGE = r"(?:k|K|M|m|mn|mil|bn|B|tn|Mio|Mrd|Tsd|million|billion|trillion|thousand)(?![^\W\d_])\.?"
_AMOUNT = re.compile(
    rf"(?<![\w.,])(?:{_CURRENCY}\s?)?{_DIGITS}(?:\s?[–—-]\s?{_DIGITS})?"
    rf"(?P<behind>(?:\s?{_LARGE}(?=\s?{_CURRENCY})|\s?{_LARGE})?(?:\s?(?:{_CURRENCY}|%))?)"
)


def whole_amount(text: str, start: int, end: int) -> Bounds:
    """Find the whole amount that a number is a part of. ``start`` and ``end``, moved outwards to
    what belongs to the amount: a currency before or behind it, other digits of it, the other end of
    a range, "M" or "Mio.", and "%".

    >>> text = "Revenue was 14.2 M€."
    >>> text[slice(*whole_amount(text, 12, 18))]
    '14.2 M€'
    """
    for found in _AMOUNT.finditer(text):
        last = found.end()
        # The full stop of "Mio." at the end is that of the sentence.
        if text[last - 1] == "." and not text[last:].strip():
            last -= 1
        if found.start() < end and start < last:
            return min(start, found.start()), max(end, last)
    return start, end
