"""Numbers, dates and names of a claim: which a premise states, contradicts or lacks.

Pure functions over the wording; no model. Values are compared, not their writing: "12%" and
"12 percent", "1,200" and "1200", "twelve" and "12", "8 km" and "8 kilometres", "3 May 1990" and
"May 3, 1990" are alike.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from operator import attrgetter

from provenance_core.findings.compare_values import (
    PERIODS,
    comparable,
    differs_in_sign,
    differs_in_size,
    equal_value,
    same_value,
    within,
)
from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.quantities import RANGE, Edge, StatedQuantity, find_quantities
from provenance_core.findings.read_texts import (
    Premise,
    ReadPremises,
    ReadSentence,
    ReadText,
    StatedName,
    content_of,
    name_words,
    plain_words,
    read_premises,
    read_text,
)
from provenance_core.lexicon.stems import singular
from provenance_core.lexicon.units import dimension
from provenance_core.lexicon.words import content_stems
from provenance_core.text.list_markers import marker_length
from provenance_core.text.splitting import sentence_around
from provenance_core.types import MissingDetail, Sentence

_CLAUSE_MARK = re.compile(r"[,;:.()]\s|\s(?:and|but|while)\s")
# "Book 23", and "Copper (Cu)".
_NUMBERED = re.compile(r"\b[A-Z]\w*\s$")
_LEAST_ROMAN = 4
_BEFORE_SIGN = re.compile(r"(\w+) \($")
_SIGN = re.compile(r"[A-Z][a-z]\)")
_BESIDE_WORD = re.compile(r"[^\W\d_]+")
# Share of the claim's words in a sentence from which on its value is one about the same thing.
_SAME_SUBJECT = 0.25
_SAME_SUBJECT_OF_DATES = 0.4
_SAME_SUBJECT_OF_NAMES = 0.5
_FEWEST_SAME_WORDS = 2
# From here on a number beside another unit, or "million" for "billion", is a slip. Durations are
# left out: twelve months and twelve years may both be meant.
_SURE_NUMBER = 10
_PERIOD_LEAD = re.compile(
    r"(?P<all>(?:the\s+)?(?:(?P<part>early|mid|late|first\s+half|second\s+half)"
    r"(?:[\s-]+of\s+the)?[\s-]+)?)$",
    re.IGNORECASE,
)
_PARTS_OF_CENTURY = {
    "early": (0, 34),
    "mid": (34, 67),
    "late": (67, 100),
    "first half": (0, 50),
    "second half": (50, 100),
}
# "15 euros more than".
_COMPARED = re.compile(
    r"\s*(?:\w+\s+){0,2}(?:more|less|fewer|longer|shorter|cheaper|higher|lower|older|younger|earlier"
    r"|later|faster|slower|larger|smaller)\s+than\b"
)
_MOST_PARTS, _SLACK = 8, 1e-6  # of a sum
_SHORT_OF = re.compile(r"nearly|almost", re.IGNORECASE)
_IN_MONTH = re.compile(r"\b[Ii]n\s+$")
_REACH_OF_IN = 5
_LEADS = {"date": "on", "time": "at"}


_Values = Callable[[Premise], Sequence[StatedQuantity]]


class DetailStatus(StrEnum):
    """What the premises say of a detail of a claim."""

    STATED = "stated"
    CONFLICTING = "conflicting"  # a premise gives another value in its place
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class DetailFinding:
    """A detail ``claim[start:end] == text`` and what becomes of it. Where it is in conflict,
    ``premises[premise][other_start:other_end] == other`` is what the premise says in its place; of
    :func:`other_writings` the same value as the premise writes it. Else ``premise`` is None and
    ``other`` ""."""

    kind: DetailKind
    text: str
    start: int
    end: int
    status: DetailStatus
    premise: int | None = None
    other: str = ""
    other_start: int = 0
    other_end: int = 0


@dataclass(frozen=True, slots=True)
class PremiseSpan:
    """``premises[premise][start:end]``; offsets in characters."""

    premise: int
    start: int
    end: int


def _as_read(premises: Sequence[str] | ReadPremises) -> ReadPremises:
    return premises if isinstance(premises, ReadPremises) else read_premises(premises)


def compare_details(
    claim: str, premises: Sequence[str] | ReadPremises
) -> tuple[DetailFinding, ...]:
    """Compare the numbers, dates and names of a claim with all premises together. Stated: by any of
    them. In conflict: none states it, and a sentence about the same thing has another value for the
    same unit, counted thing, kind of date or place of a name. What is too common to be missed
    ("one", "first", "half") is left out unless it is in conflict. In order; offsets in characters
    of ``claim`` and of the premise.

    >>> found = compare_details("It is about 16 kilometres long.", ["It is nearly 8 km long."])
    >>> [(each.text, each.status.value, each.other) for each in found]
    [('16 kilometres', 'conflicting', '8 km')]
    """
    own, given = read_text(claim), _as_read(premises)
    found = [each for q in own.quantities if (each := _of_quantity(q, own, given)) is not None]
    found += [_of_name(name, own, given) for name in own.names]
    return tuple(sorted(found, key=lambda each: each.start))


def conflicts(claim: str, premises: Sequence[str]) -> tuple[DetailFinding, ...]:
    """The details that the premises contradict, each with what a premise says instead."""
    return tuple(
        each for each in compare_details(claim, premises) if each.status is DetailStatus.CONFLICTING
    )


def in_same_words(
    claim: str, found: Sequence[DetailFinding], premises: Sequence[str]
) -> tuple[DetailFinding, ...]:
    """Of what was ``found``, the conflicts of exact numbers, years and times in which nothing but
    the value can be meant, in order. There a sentence of the premise has every other content word
    of the claim, of two or more. So it is where the premise has the very number in another unit,
    whatever the words are.

    >>> premises = ["The Vale tramway opened in 1911. It has 14 stops."]
    >>> for claim in ("The tramway opened in 1921.", "The tramway closed in 1921."):
    ...     found = conflicts(claim, premises)
    ...     print([each.other for each in in_same_words(claim, found, premises)])
    ['1911']
    []
    """
    exact = {
        quantity.start: quantity
        for quantity in find_quantities(claim)
        if quantity.edge is Edge.NONE
        and not quantity.about
        and (quantity.kind is DetailKind.NUMBER or quantity.unit in ("year", "time"))
    }
    sure = []
    for each in found:
        if each.start not in exact or each.premise is None:
            continue
        wanted = content_stems(claim[: each.start] + " " + claim[each.end :])
        premise = premises[each.premise]
        of = next((q for q in find_quantities(premise) if q.start == each.other_start), None)
        if of is not None and differs_in_size(exact[each.start], of):
            sure.append(each)
            continue
        beside = premise[slice(*sentence_around(premise, each.other_start))]
        if len(wanted) >= _FEWEST_SAME_WORDS and wanted <= content_stems(beside):
            sure.append(each)
    return tuple(sure)


def other_writings(claim: str, premises: Sequence[str] | ReadPremises) -> tuple[DetailFinding, ...]:
    """Find the numbers and dates of a claim that the premises write in another way. The closest
    premise with the same value counts; a part of a date is not the same. "Over 8", "about 8",
    "before 1920" and "in the 19th century" are written as the exact value that they hold, "no more
    than 8" as "at most 8" where the premise does. In order; ``other`` is the premise's writing.

    >>> found = other_writings("It seats 1240 and is 8,000 metres off.", ["1,240 seats, 8 km off."])
    >>> [(each.text, each.other) for each in found]
    [('1240', '1,240'), ('8,000 metres', '8 km')]
    """
    own, given = read_text(claim), _as_read(premises)
    texts, read = given.texts, given.read
    found: list[DetailFinding] = []
    for before, quantity in zip((None, *own.quantities), own.quantities, strict=False):
        # "5 to 8 km" has one unit for both.
        of_range = before is not None and not _is_whole(claim, before)
        place = None if quantity.weak or of_range else _same_value(quantity, own, read)
        if place is None:
            held = None if of_range else _held_value(quantity, own, read)
            held = held or _day_in_digits(quantity, own, read)
            if held is not None:
                found.append(held)
            continue
        premise, start, end = place.premise, place.start, place.end
        (of,) = (q for q in read[premise].quantities if q.start == start)
        first = quantity.start
        if quantity.edge_end and of.edge_end and quantity.edge is of.edge is Edge.NONE:
            first, start = quantity.edge_start, of.edge_start  # two limits, or two about
        text, other = claim[first : quantity.end], texts[premise][start:end]
        if " ".join(text.casefold().split()) == " ".join(other.casefold().split()):
            continue
        found.append(
            DetailFinding(
                quantity.kind,
                text,
                first,
                quantity.end,
                DetailStatus.STATED,
                premise,
                other,
                start,
                end,
            )
        )
    return tuple(found)


def _held_value(
    quantity: StatedQuantity, own: ReadText, read: Sequence[Premise]
) -> DetailFinding | None:
    """The exact value that a premise has for "over 8" or "about 8", with all the words of it."""
    place = _closest_within(quantity, own, read)
    if place is None:
        return None
    premise, start, end = place.premise, place.start, place.end
    (of,) = (q for q in read[premise].quantities if q.start == start)
    a, b = quantity.start, quantity.end
    if quantity.edge is not Edge.NONE or quantity.about:
        a, b = quantity.edge_start, quantity.edge_end
        if _SHORT_OF.match(own.text, a) and of.value > quantity.value:
            return None
    elif period := _PERIOD_LEAD.search(own.text[:a]):
        if not _in_part(period["part"] or "", read[premise].text[start:end]):
            return None
        a = period.start("all")
    other = read[premise].text[start:end]
    if quantity.edge is not Edge.NONE and quantity.kind is DetailKind.DATE:
        other = f"{_LEADS.get(of.unit, 'in')} {other}"
    return DetailFinding(
        quantity.kind, own.text[a:b], a, b, DetailStatus.STATED, premise, other, start, end
    )


def _day_in_digits(
    quantity: StatedQuantity, own: ReadText, read: Sequence[Premise]
) -> DetailFinding | None:
    """The day that a premise writes in digits alone for "in March 1999": a small model reads no
    month in "1999-03-14"."""
    lead = _IN_MONTH.search(own.text, max(0, quantity.start - _REACH_OF_IN), quantity.start)
    year, month, day = quantity.day
    if lead is None or not (year and month) or day or quantity.edge is not Edge.NONE:
        return None
    place = _closest_value(
        quantity,
        own,
        read,
        lambda premise, other: (
            not any(c.isalpha() for c in premise.text[other.start : other.end])
            and other.other_day is None
            and other.unit == "date"
            and same_value(quantity, other)
        ),
    )
    if place is None:
        return None
    return DetailFinding(
        quantity.kind,
        own.text[lead.start() : quantity.end],
        lead.start(),
        quantity.end,
        DetailStatus.STATED,
        place.premise,
        f"{'On' if lead.group()[0] == 'I' else 'on'} "
        f"{read[place.premise].text[place.start : place.end]}",
        place.start,
        place.end,
    )


def _in_part(part: str, date: str) -> bool:
    """Whether a date lies in the "early", "mid" or "late" years of its century, or in its "first
    half" or "second half"."""
    if not part:
        return True
    years = re.findall(r"\d{4}", date)
    if not years:
        return False
    year = int(years[0]) % 100
    first, last = _PARTS_OF_CENTURY[" ".join(part.casefold().split())]
    return first <= year < last


def find_missing_details(
    sentences: Sequence[Sentence], sources: Sequence[str]
) -> tuple[MissingDetail, ...]:
    """Find the details of sentences that no source states, in order, with offsets in the answer. A
    list marker is no detail. A capital at the head of a sentence makes no name, an acronym there
    does."""
    found: list[MissingDetail] = []
    read = read_premises(sources)
    for sentence in sentences:
        start = sentence.start + marker_length(sentence.text)
        text = sentence.text[start - sentence.start :]
        found += [
            MissingDetail(each.kind.value, each.text, start + each.start, start + each.end)
            for each in compare_details(text, read)
            if each.status is not DetailStatus.STATED
        ]
    return tuple(found)


def _of_quantity(
    quantity: StatedQuantity, own: ReadText, given: ReadPremises
) -> DetailFinding | None:
    """What the premises say of a number or date; None where it is too common to be missed."""
    read, kind = given.read, quantity.kind
    if (
        _is_stated(quantity, own, read)
        or _in_roman(quantity, own, read)
        or _closest_within(quantity, own, read) is not None
    ):
        return None if quantity.weak else _stated(kind, own.text, quantity)
    if (opposed := _other_sign(quantity, own, read)) is not None:
        # With its words: "grew by 5 %" is not there, "5 %" is.
        signed = replace(quantity, start=quantity.sign_start, end=quantity.sign_end)
        return _unstated(kind, own.text, signed, given.texts, opposed)
    against = _other_value(quantity, own, read)
    if quantity.weak and against is None:
        return None
    return _unstated(kind, own.text, quantity, given.texts, against)


def _of_name(name: StatedName, own: ReadText, given: ReadPremises) -> DetailFinding:
    sure = replace(
        name, start=name.sure_start, words=name_words(own.text[name.sure_start : name.end])
    )
    if any(_has_name(sure, premise) for premise in given.read) or _is_sign(name, own, given.read):
        return _stated(DetailKind.NAME, own.text, name)
    against = _other_name(name, own, given.read)
    return _unstated(DetailKind.NAME, own.text, name, given.texts, against)


def _stated(kind: DetailKind, claim: str, detail: StatedQuantity | StatedName) -> DetailFinding:
    start, end = detail.start, detail.end
    return DetailFinding(kind, claim[start:end], start, end, DetailStatus.STATED)


def _unstated(
    kind: DetailKind,
    claim: str,
    detail: StatedQuantity | StatedName,
    premises: Sequence[str],
    against: PremiseSpan | None,
) -> DetailFinding:
    start, end = detail.start, detail.end
    if against is None:
        return DetailFinding(kind, claim[start:end], start, end, DetailStatus.MISSING)
    return DetailFinding(
        kind,
        claim[start:end],
        start,
        end,
        DetailStatus.CONFLICTING,
        against.premise,
        premises[against.premise][against.start : against.end],
        against.start,
        against.end,
    )


def _is_stated(quantity: StatedQuantity, own: ReadText, premises: Sequence[Premise]) -> bool:
    near = [other for premise in premises for other in premise.perhaps_same(quantity)]
    agreeing = [other for other in near if same_value(quantity, other)]
    others = (other for premise in premises for other in premise.quantities)
    if agreeing:
        # "12 rooms" is not said by "14 rooms with 12 windows".
        return not (
            quantity.things
            and all(other.things and not other.things & quantity.things for other in agreeing)
            and any(other.things & quantity.things for other in others)
        )
    if any(differs_in_sign(quantity, other) for other in near):
        return _other_sign(quantity, own, premises) is None
    year, month, day = quantity.day
    if year and month:  # "3 May" here and "1990" there say "3 May 1990" together
        days = {other.day for premise in premises for other in premise.quantities}
        return (0, month, day) in days and any(each[0] == year for each in days)
    return False


def _in_roman(quantity: StatedQuantity, own: ReadText, premises: Sequence[Premise]) -> bool:
    """Whether a premise has the number of "Book 23" as a Roman one, a small one behind the same
    word: "World War II" is anywhere."""
    lead = _NUMBERED.search(own.text[: quantity.start])
    if lead is None or quantity.unit or quantity.kind is DetailKind.DATE:
        return False
    words = frozenset(plain_words(lead.group()))
    return any(
        quantity.value >= _LEAST_ROMAN or bool(leads & words)
        for premise in premises
        if (leads := premise.numerals.get(int(quantity.value))) is not None
    )


def _is_sign(name: StatedName, own: ReadText, premises: Sequence[Premise]) -> bool:
    """Whether a name is the sign of an element, in brackets behind a word that a premise has."""
    text = own.text
    lead = _BEFORE_SIGN.search(text[: name.start])
    if lead is None or not _SIGN.fullmatch(text[name.start : name.end + 1]):
        return False
    words = frozenset(plain_words(lead[1]))
    return any(words <= premise.words for premise in premises)


def _same_value(
    quantity: StatedQuantity, own: ReadText, premises: Sequence[Premise]
) -> PremiseSpan | None:
    """Where the premise that is closest by its words has just the value of ``quantity``, whole
    with its unit."""
    if not _is_whole(own.text, quantity):
        return None
    return _closest_value(
        quantity,
        own,
        premises,
        lambda premise, other: equal_value(quantity, other) and _is_whole(premise.text, other),
        among=lambda premise: premise.perhaps_same(quantity),
    )


def _closest_value(
    quantity: StatedQuantity,
    own: ReadText,
    premises: Sequence[Premise],
    fits: Callable[[Premise, StatedQuantity], bool],
    least: float = 0.0,
    among: _Values = attrgetter("quantities"),
) -> PremiseSpan | None:
    """Where the value that ``fits`` stands whose sentence is closest to the claim by its words, of
    those with at least the share ``least`` of them, ``among`` some values of each premise."""
    closest = _closest_values(quantity, own, premises, fits, least, among)
    return closest[0] if closest else None


def _closest_values(
    quantity: StatedQuantity,
    own: ReadText,
    premises: Sequence[Premise],
    fits: Callable[[Premise, StatedQuantity], bool],
    least: float,
    among: _Values = attrgetter("quantities"),
) -> list[PremiseSpan]:
    """Where the values of :func:`_closest_value` stand that are equally close, in order."""
    first = min(quantity.start, quantity.edge_start or quantity.start)
    if quantity.unit in PERIODS and (lead := _PERIOD_LEAD.search(own.text[:first])):
        first = lead.start()
    ours = own.content - content_of(plain_words(own.text[first : quantity.end]))
    own_near, own_beside = _near(own.text, quantity), _beside(own.text, quantity)
    reach = 0.1 * len(own_near) + 0.01 * len(own_beside) + _SLACK
    most, best = -1.0, list[PremiseSpan]()
    for index, premise in enumerate(premises):
        for other in among(premise):
            shared = _shared(ours, premise, other.start)
            # The words around it are read only where they can change what is closest.
            if shared < least or shared + reach < most or not fits(premise, other):
                continue
            near = own_near & _near(premise.text, other)
            beside = own_beside & _beside(premise.text, other)
            closeness = shared + 0.1 * len(near) + 0.01 * len(beside)
            if closeness > most:
                most, best = closeness, []
            if closeness == most:
                best.append(PremiseSpan(index, other.start, other.end))
    return best


def _is_whole(text: str, quantity: StatedQuantity) -> bool:
    """Whether the unit is written with the number ("5" of "5 to 8 km" has none), and not as a
    part of a longer word ("a 12-hour walk")."""
    written = text[quantity.start : quantity.end]
    if quantity.kind is DetailKind.DATE:
        return True
    return "-" not in written and (
        not dimension(quantity.unit) or any(not (c.isdigit() or c in " .,") for c in written)
    )


def _other_value(
    quantity: StatedQuantity, own: ReadText, premises: Sequence[Premise]
) -> PremiseSpan | None:
    """Where a premise has another value in place of ``quantity``."""
    if (place := _other_unit(quantity, own, premises)) is not None:
        return place
    dated = quantity.kind is DetailKind.DATE
    least = _SAME_SUBJECT_OF_DATES if dated else _SAME_SUBJECT
    if quantity.weak:
        least = _SAME_SUBJECT_OF_NAMES
    if _COMPARED.match(own.text, quantity.end):
        return None  # a difference, which no sentence need state
    closest = _closest_values(
        quantity,
        own,
        premises,
        lambda _, other: (
            comparable(quantity, other) and not any(same_value(q, other) for q in own.quantities)
        ),
        least,
    )
    return closest[0] if closest and not _may_follow(quantity, own, closest, premises) else None


def _ranges(text: ReadText | Premise) -> Iterator[tuple[StatedQuantity, StatedQuantity]]:
    """The two ends of each range of a text."""
    for low, high in pairwise(text.quantities):
        if RANGE.fullmatch(text.text, low.end, high.start):
            yield low, high


def _may_follow(
    quantity: StatedQuantity,
    own: ReadText,
    closest: Sequence[PremiseSpan],
    premises: Sequence[Premise],
) -> bool:
    """Whether a number has no one partner among values that are equally close: it may be their sum,
    or lie between the two ends of a range."""
    first = closest[0].premise
    if _is_sum(quantity, closest[0], premises[first]):
        return True
    given = premises[first]
    places = {place.start for place in closest if place.premise == first}
    # Either end of a range may be the closer one: "about 45" beside "between 40 and 55". An end of
    # the claim's own range lies in no other.
    alone = all(quantity not in each for each in _ranges(own))
    for low, high in _ranges(given) if alone else ():
        if places & {low.start, high.start}:
            ends = sorted((low.value, high.value))
            if low.unit == high.unit and ends[0] <= quantity.value <= ends[1]:
                return True
    others = [each for each in given.quantities if each.start in places]
    if len({each.value for each in others}) < 2:
        return False
    if RANGE.fullmatch(given.text, others[0].end, others[1].start):
        return False
    return quantity.kind is DetailKind.NUMBER


def _is_sum(quantity: StatedQuantity, place: PremiseSpan, premise: Premise) -> bool:
    """Whether a number is the sum of neighbours in the sentence at ``place``."""
    at = bisect_right(premise.sentences, place.start, key=attrgetter("start")) - 1
    start, end = premise.sentences[at].start, premise.sentences[at].end
    values = [
        each.value
        for each in premise.quantities
        if start <= each.start < end
        and each.kind is quantity.kind is DetailKind.NUMBER
        and each.unit == quantity.unit != "ordinal"
    ][:_MOST_PARTS]
    return any(
        abs(sum(values[first:last]) - quantity.value) < _SLACK
        for first in range(len(values))
        for last in range(first + 2, len(values) + 1)
    )


def _other_sign(
    quantity: StatedQuantity, own: ReadText, premises: Sequence[Premise]
) -> PremiseSpan | None:
    """Where a premise has the number of ``quantity`` with the other sign, about the same thing,
    with the words that say the sign."""
    place = _closest_value(
        quantity,
        own,
        premises,
        lambda _, other: differs_in_sign(quantity, other),
        _SAME_SUBJECT,
        lambda premise: premise.perhaps_same(quantity),
    )
    if place is None:
        return None
    (of,) = (q for q in premises[place.premise].quantities if q.start == place.start)
    return PremiseSpan(place.premise, of.sign_start, of.sign_end)


def _other_unit(
    quantity: StatedQuantity, own: ReadText, premises: Sequence[Premise]
) -> PremiseSpan | None:
    """Where a premise has the very number of ``quantity`` in another unit of the same kind, or with
    "million" for "billion": nothing else is meant, whatever the words around it are."""
    if quantity.kind is DetailKind.DATE or quantity.value < _SURE_NUMBER:
        return None
    return _closest_value(
        quantity, own, premises, lambda _, other: differs_in_size(quantity, other)
    )


def _closest_within(
    quantity: StatedQuantity, own: ReadText, premises: Sequence[Premise]
) -> PremiseSpan | None:
    """Where a premise has a value about the same thing that a claim's "over 8", "about 8", "before
    1920" or "in the 19th century" holds."""
    if quantity.edge is Edge.NONE and not quantity.about and quantity.unit not in PERIODS:
        return None
    return _closest_value(
        quantity,
        own,
        premises,
        lambda _, other: within(quantity, other),
        _SAME_SUBJECT_OF_DATES if quantity.kind is DetailKind.DATE else _SAME_SUBJECT,
    )


def _shared(ours: frozenset[str], premise: Premise, position: int) -> float:
    """Share of the claim's content words in the premise's sentence at ``position``."""
    # The sentences tile their text, which may have thousands of them.
    at = bisect_right(premise.sentences, position, key=attrgetter("start")) - 1
    return _share(ours, premise.sentences[at])


def _share(ours: frozenset[str], sentence: ReadSentence) -> float:
    return len(ours & sentence.content) / len(ours) if ours else 1.0


def _near(text: str, span: StatedQuantity) -> frozenset[str]:
    """Content words of the 30 characters on either side."""
    around = text[max(0, span.start - 30) : span.start] + " " + text[span.end : span.end + 30]
    return content_of(plain_words(around))


def _beside(text: str, span: StatedQuantity) -> frozenset[str]:
    """All words of its clause before it, small ones too: "until" tells "check-out is until 11 a.m."
    from "check-in is from 3 p.m."."""
    clause = _CLAUSE_MARK.split(text[max(0, span.start - 60) : span.start])[-1]
    return frozenset(each.casefold() for each in _BESIDE_WORD.findall(clause))


def _has_name(name: StatedName, premise: Premise) -> bool:
    held = premise.unglued
    if all(word in held or singular(word) in premise.content for word in name.words):
        return True
    if len(name.words) == 1:
        word = name.words[0]
        return word in premise.acronyms or (len(word) >= 4 and word in premise.initials)
    return "".join(word[0] for word in name.words) in held


def _other_name(name: StatedName, own: ReadText, premises: Sequence[Premise]) -> PremiseSpan | None:
    """Where a premise has another name in place of ``name``."""
    ours = own.content - {singular(word) for word in name.words}
    said = own.words
    before, behind = _around(own.text, name)
    for index, premise in enumerate(premises):
        # Its names are found only where a sentence has enough of the claim's words.
        shared = max((_share(ours, each) for each in premise.sentences), default=0.0)
        for other in premise.read.names if shared >= _SAME_SUBJECT_OF_NAMES else ():
            if all(word in said for word in other.words):
                continue
            if _shared(ours, premise, other.start) < _SAME_SUBJECT_OF_NAMES:
                continue
            alike = len(set(name.words) & set(other.words))
            if alike and len(name.words) > alike and len(other.words) > alike:
                return PremiseSpan(index, other.start, other.end)
            left, right = _around(premise.text, other)
            same_left = bool(left) and left[-1:] == before[-1:]
            if same_left and (left[-2:-1] == before[-2:-1] != [] or right[:1] == behind[:1] != []):
                return PremiseSpan(index, other.start, other.end)
    return None


def _around(text: str, span: StatedName) -> tuple[list[str], list[str]]:
    """The words of the 40 characters before a name, and of those behind it."""
    return (
        plain_words(text[max(0, span.start - 40) : span.start]),
        plain_words(text[span.end : span.end + 40]),
    )
