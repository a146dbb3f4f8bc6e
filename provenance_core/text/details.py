"""Numbers, dates and names of a claim: which a premise states, contradicts or lacks.

Pure functions over the wording; no model. Values are compared, not their writing: "12%" and
"12 percent", "1,200" and "1200", "twelve" and "12", "8 km" and "8 kilometres", "3 May 1990" and
"May 3, 1990" are alike.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import itemgetter

from provenance_core.text.coverage import content_words, is_function_word
from provenance_core.text.list_markers import marker_length
from provenance_core.text.phrases import DetailKind, find_full_names, find_names
from provenance_core.text.quantifiers import find_overstated
from provenance_core.text.quantities import (
    Edge,
    StatedQuantity,
    dimension,
    find_quantities,
    in_base_unit,
    singular,
)
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import word_stem
from provenance_core.types import MissingDetail, Sentence

_CLAUSE_MARK = re.compile(r"[,;:.()]\s|\s(?:and|but|while)\s")
_BESIDE_WORD = re.compile(r"[^\W\d_]+")
# Share of the claim's words in a sentence from which on its value is one about the same thing.
_SAME_SUBJECT = 0.25
_SAME_SUBJECT_OF_DATES = 0.4
_SAME_SUBJECT_OF_NAMES = 0.5
_FEWEST_SAME_WORDS = 2
# Values in two systems of units are converted and rounded by whoever writes them.
_CONVERTED = 0.02

# From here on a number beside another unit, or "million" for "billion", is a slip. Durations are
# left out: twelve months and twelve years may both be meant.
_SURE_NUMBER = 10
_LEAST_LARGE = 1e6

# Stretches of years that hold a date.
_PERIODS = frozenset(("century", "decade"))
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
_LEADS = {"date": "on", "time": "at"}

_WORDS = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")
_CAPITALS = re.compile(r"\b[^\W\d_a-zß-öø-ÿ][\w’'-]*")
_LINKS = frozenset(("of", "the", "and", "for", "de", "in"))


class DetailStatus(StrEnum):
    """What the premises say of a detail of a claim."""

    STATED = "stated"
    CONFLICTING = "conflicting"  # a premise gives another value in its place
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class DetailFinding:
    """A detail ``claim[start:end] == text`` and what becomes of it.

    Where it is in conflict, ``premises[premise][other_start:other_end] == other`` is what the
    premise says in its place; of :func:`other_writings` the same value as the premise writes it.
    Else ``premise`` is None and ``other`` "".
    """

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
class DetailFeatures:
    """How many details a claim has, and how many of them the premises lack or contradict.

    ``missing`` counts the conflicting ones too: they are not stated either.
    """

    numbers: int
    numbers_missing: int
    numbers_conflicting: int
    dates: int
    dates_missing: int
    dates_conflicting: int
    names: int
    names_missing: int
    names_conflicting: int

    @property
    def total(self) -> int:
        return self.numbers + self.dates + self.names

    @property
    def missing(self) -> int:
        return self.numbers_missing + self.dates_missing + self.names_missing

    @property
    def conflicting(self) -> int:
        return self.numbers_conflicting + self.dates_conflicting + self.names_conflicting

    @property
    def missing_share(self) -> float:
        """In [0, 1]; 0 where the claim has no detail."""
        return self.missing / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class _Name:
    start: int
    end: int
    words: tuple[str, ...]  # plain, function words left out
    sure_start: int  # without a capital at the sentence's head, which may be none of the name


@dataclass(frozen=True, slots=True)
class _Read:
    """A text as its details are compared."""

    text: str
    quantities: tuple[StatedQuantity, ...]
    names: tuple[_Name, ...]
    words: frozenset[str]
    content: frozenset[str]  # words that are neither function words nor numbers


@dataclass(frozen=True)
class _Premise:
    """A text that claims are held against. What only some comparisons need is read when it is
    asked for: of a long context most texts have no value that a claim has."""

    text: str

    @cached_property
    def quantities(self) -> tuple[StatedQuantity, ...]:
        return find_quantities(self.text)

    @cached_property
    def read(self) -> _Read:
        return _read(self.text)

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Initials of its runs of capitalised words."""
        return _initials(self.text)

    @cached_property
    def initials(self) -> str:
        """Of all its words but function words."""
        return "".join(word[0] for word in _plain_words(self.text) if not is_function_word(word))

    @cached_property
    def sentences(self) -> tuple[tuple[int, int, frozenset[str]], ...]:
        """Start, end and content of each."""
        return tuple(
            (a, b, _content(_plain_words(self.text[a:b]))) for a, b in sentence_bounds(self.text)
        )


@dataclass(frozen=True, slots=True)
class ReadPremises:
    """Texts that many claims are held against, each read once however many they are."""

    texts: tuple[str, ...]
    read: tuple[_Premise, ...]


def read_premises(texts: Iterable[str]) -> ReadPremises:
    """The premises ``texts`` for :func:`other_writings` of several claims."""
    given = tuple(texts)
    return ReadPremises(given, tuple(map(_premise, given)))


def _as_read(premises: Sequence[str] | ReadPremises) -> ReadPremises:
    return premises if isinstance(premises, ReadPremises) else read_premises(premises)


def compare_details(
    claim: str, premises: Sequence[str] | ReadPremises
) -> tuple[DetailFinding, ...]:
    """The numbers, dates and names of ``claim``, in order, against all ``premises`` together.

    Stated: by any of them. In conflict: none states it, and a sentence about the same thing has
    another value for the same unit, counted thing, kind of date or place of a name. What is too
    common to be missed ("one", "first", "half") is left out unless it is in conflict; so is "all",
    which is in conflict where the closest sentence says "some" of the same thing. Offsets are
    characters of ``claim`` and of the premise.

    >>> found = compare_details("It is about 16 kilometres long.", ["It is nearly 8 km long."])
    >>> [(each.text, each.status.value, each.other) for each in found]
    [('16 kilometres', 'conflicting', '8 km')]
    """
    own, given = _read(claim), _as_read(premises)
    texts, read = given.texts, given.read
    found: list[DetailFinding] = []
    for quantity in own.quantities:
        stated = _is_stated(quantity, read) or _closest_within(quantity, own, read) is not None
        against = None if stated else _other_value(quantity, own, read)
        if quantity.weak and against is None:
            continue
        found.append(_finding(quantity.kind, claim, quantity, stated, texts, against))
    for name in own.names:
        sure = replace(
            name, start=name.sure_start, words=_name_words(claim[name.sure_start : name.end])
        )
        against = None
        stated = any(_has_name(sure, premise) for premise in read)
        if not stated and (against := _other_name(name, own, read)) is None:
            name = sure
        found.append(_finding(DetailKind.NAME, claim, name, stated, texts, against))
    found += [
        DetailFinding(
            DetailKind.NUMBER,
            claim[each.start : each.end],
            each.start,
            each.end,
            DetailStatus.CONFLICTING,
            each.premise,
            texts[each.premise][each.other_start : each.other_end],
            each.other_start,
            each.other_end,
        )
        for each in find_overstated(claim, texts)
        if not any(each.start < q.end and q.start < each.end for q in own.quantities)
    ]
    return tuple(sorted(found, key=lambda each: each.start))


def detail_features(claim: str, premises: str | Sequence[str]) -> DetailFeatures:
    """Counts over :func:`compare_details`. Fast: what was read is kept for the next call."""
    given = (premises,) if isinstance(premises, str) else premises
    counts = {kind: [0, 0, 0] for kind in DetailKind}
    for each in compare_details(claim, given):
        row = counts[each.kind]
        row[0] += 1
        row[1] += each.status is not DetailStatus.STATED
        row[2] += each.status is DetailStatus.CONFLICTING
    return DetailFeatures(
        *counts[DetailKind.NUMBER], *counts[DetailKind.DATE], *counts[DetailKind.NAME]
    )


def conflicts(claim: str, premises: Sequence[str]) -> tuple[DetailFinding, ...]:
    """Those details of ``claim`` that ``premises`` contradict, with what they say instead."""
    return tuple(
        each for each in compare_details(claim, premises) if each.status is DetailStatus.CONFLICTING
    )


def conflicts_in_same_words(claim: str, premises: Sequence[str]) -> tuple[DetailFinding, ...]:
    """Those exact numbers, years and times among :func:`conflicts` beside which a sentence of the
    premise has every other content word of ``claim``, of two or more: nothing but the value can be
    meant.

    >>> premises = ["The Vale tramway opened in 1911. It has 14 stops."]
    >>> [each.other for each in conflicts_in_same_words("The tramway opened in 1921.", premises)]
    ['1911']
    >>> conflicts_in_same_words("The tramway closed in 1921.", premises)
    ()
    """
    exact = {
        quantity.start
        for quantity in find_quantities(claim)
        if quantity.edge is Edge.NONE
        and not quantity.about
        and (quantity.kind is DetailKind.NUMBER or quantity.unit in ("year", "time"))
    }
    found = []
    for each in conflicts(claim, premises):
        if each.start not in exact or each.premise is None:
            continue
        wanted = _content_stems(claim[: each.start] + " " + claim[each.end :])
        premise = premises[each.premise]
        beside = next(
            (premise[a:b] for a, b in sentence_bounds(premise) if a <= each.other_start < b), ""
        )
        if len(wanted) >= _FEWEST_SAME_WORDS and wanted <= _content_stems(beside):
            found.append(each)
    return tuple(found)


def _content_stems(text: str) -> frozenset[str]:
    return frozenset(map(word_stem, content_words(text)))


def other_writings(claim: str, premises: Sequence[str] | ReadPremises) -> tuple[DetailFinding, ...]:
    """Those numbers and dates of ``claim`` that the closest premise with the same value writes in
    another way: ``other`` is its writing. A rounded value, or a part of a date, is not the same.
    "Over 8", "before 1920" and "in the 19th century" are written as the exact value that they hold,
    "no more than 8" as "at most 8" where the premise does.

    >>> found = other_writings("It seats 1240 and is 8,000 metres off.", ["1,240 seats, 8 km off."])
    >>> [(each.text, each.other) for each in found]
    [('1240', '1,240'), ('8,000 metres', '8 km')]
    """
    own, given = _read(claim), _as_read(premises)
    texts, read = given.texts, given.read
    found: list[DetailFinding] = []
    for before, quantity in zip((None, *own.quantities), own.quantities, strict=False):
        # "5 to 8 km" has one unit for both.
        of_range = before is not None and not _is_whole(claim, before)
        place = None if quantity.weak or of_range else _same_value(quantity, own, read)
        if place is None:
            held = None if of_range else _held_value(quantity, own, read)
            if held is not None:
                found.append(held)
            continue
        premise, start, end = place
        (of,) = (q for q in read[premise].quantities if q.start == start)
        first = quantity.start
        if quantity.edge_end and of.edge_end and quantity.edge is of.edge is Edge.NONE:
            first, start = quantity.edge_start, of.edge_start  # two limits
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
    quantity: StatedQuantity, own: _Read, read: Sequence[_Premise]
) -> DetailFinding | None:
    """The exact value that a premise has for "over 8", with all the words of it."""
    place = _closest_within(quantity, own, read)
    if place is None:
        return None
    premise, start, end = place
    (of,) = (q for q in read[premise].quantities if q.start == start)
    a, b = quantity.start, quantity.end
    if quantity.edge is not Edge.NONE:
        a, b = quantity.edge_start, quantity.edge_end
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
    """Details of ``sentences`` that none of ``sources`` states; offsets in the answer.

    A list marker is no detail. A capital at the head of a sentence makes no name, an acronym there
    does.
    """
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


def _finding(
    kind: DetailKind,
    claim: str,
    detail: StatedQuantity | _Name,
    stated: bool,
    premises: Sequence[str],
    against: tuple[int, int, int] | None,
) -> DetailFinding:
    start, end = detail.start, detail.end
    if stated:
        return DetailFinding(kind, claim[start:end], start, end, DetailStatus.STATED)
    if against is None:
        return DetailFinding(kind, claim[start:end], start, end, DetailStatus.MISSING)
    premise, a, b = against
    other = premises[premise][a:b]
    return DetailFinding(
        kind, claim[start:end], start, end, DetailStatus.CONFLICTING, premise, other, a, b
    )


@lru_cache(maxsize=6_000)
def _read(text: str) -> _Read:
    quantities = find_quantities(text)
    sure = {b: a for a, b in find_names(text)}
    # Of the quantities up to each one, the last end: a text may have thousands of them.
    starts = [q.start for q in quantities]
    ends = [0, *accumulate((q.end for q in quantities), max)]
    names = tuple(
        _Name(a, b, words, sure[b])
        for a, b in find_full_names(text)
        if ends[bisect_left(starts, b)] <= a and (words := _name_words(text[a:b]))
    )
    held = _plain_words(text)
    return _Read(text, quantities, names, frozenset(held), _content(held))


def _name_words(name: str) -> tuple[str, ...]:
    # "Sims-focused" names the Sims.
    parts = [part for part in re.split(r"[\s-]+", name) if part[:1].isupper()]
    words = _plain_words(" ".join(parts))
    return tuple(word for word in words if not is_function_word(word)) or tuple(words)


@lru_cache(maxsize=2_000)
def _premise(text: str) -> _Premise:
    return _Premise(text)


def _content(words: Iterable[str]) -> frozenset[str]:
    return frozenset(
        singular(word) for word in words if not word[0].isdigit() and not is_function_word(word)
    )


def _plain_words(text: str) -> list[str]:
    """Words without case, accents and the possessive ending."""
    folded = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    folded = "".join(c for c in folded if not unicodedata.combining(c)).lower()
    return [re.sub(r"['’]s?$|['’](?=\w)", "", word) or word for word in _WORDS.findall(folded)]


# --- quantities -----------------------------------------------------------------------------


def _is_stated(quantity: StatedQuantity, premises: Sequence[_Premise]) -> bool:
    others = [other for premise in premises for other in premise.quantities]
    agreeing = [other for other in others if same_value(quantity, other)]
    if agreeing:
        # "12 rooms" is not said by "14 rooms with 12 windows".
        return not (
            quantity.things
            and all(other.things and not other.things & quantity.things for other in agreeing)
            and any(other.things & quantity.things for other in others)
        )
    year, month, day = quantity.day
    if year and month:  # "3 May" here and "1990" there say "3 May 1990" together
        return any(other.day == (0, month, day) for other in others) and any(
            other.day[0] == year for other in others
        )
    return False


def same_value(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether ``premise`` states ``claim``."""
    if claim.kind is DetailKind.DATE or premise.kind is DetailKind.DATE:
        return _dates_agree(claim, premise)
    if "ordinal" in (claim.unit, premise.unit):
        return claim.unit == premise.unit and claim.value == premise.value
    ours, theirs = dimension(claim.unit), dimension(premise.unit)
    if ours == theirs == "share" and not (claim.digits and premise.digits):
        return abs(claim.value - premise.value) <= 1  # "two thirds" is 66 or 67 %
    if ours and ours == theirs and claim.unit != premise.unit:
        a, b = in_base_unit(claim.value, claim.unit), in_base_unit(premise.value, premise.unit)
        if abs(a - b) <= 1e-6 * max(a, b) or _rounded_alike(claim, b / in_base_unit(1, claim.unit)):
            return True
        same_system = ours.startswith(("money", "share", "duration"))
        return not same_system and abs(a - b) <= _CONVERTED * max(a, b)
    if not (claim.value == premise.value or _rounded_alike(claim, premise.value)):
        # "330m" is 330 million as well as 330 metres.
        return any(
            left.unit == "m" and not dimension(right.unit) and left.value * 1e6 == right.value
            for left, right in ((claim, premise), (premise, claim))
        )
    if bool(ours) == bool(theirs):
        return ours == theirs or {ours.split()[0], theirs.split()[0]} <= {"angle", "temperature"}
    # A value without its unit may be meant, a count of something else not.
    return not (premise.things if ours else claim.things)


def _same_value(
    quantity: StatedQuantity, own: _Read, premises: Sequence[_Premise]
) -> tuple[int, int, int] | None:
    """Where the premise that is closest by its words has just the value of ``quantity``, whole
    with its unit: premise, start, end."""
    if not _is_whole(own.text, quantity):
        return None
    return _closest_value(
        quantity,
        own,
        premises,
        lambda premise, other: _is_whole(premise.text, other) and _equal(quantity, other),
    )


def _closest_value(
    quantity: StatedQuantity,
    own: _Read,
    premises: Sequence[_Premise],
    fits: Callable[[_Premise, StatedQuantity], bool],
    least: float = 0.0,
) -> tuple[int, int, int] | None:
    """Where the value that ``fits`` stands whose sentence is closest to the claim by its words, of
    those with at least the share ``least`` of them: premise, start, end."""
    first = min(quantity.start, quantity.edge_start or quantity.start)
    if quantity.unit in _PERIODS and (lead := _PERIOD_LEAD.search(own.text[:first])):
        first = lead.start()
    ours = own.content - _content(_plain_words(own.text[first : quantity.end]))
    own_near, own_beside = _near(own.text, quantity), _beside(own.text, quantity)
    best: tuple[float, tuple[int, int, int]] | None = None
    for index, premise in enumerate(premises):
        for other in premise.quantities:
            if not fits(premise, other):
                continue
            shared = _shared(ours, premise, other.start)
            if shared < least:
                continue
            near = own_near & _near(premise.text, other)
            beside = own_beside & _beside(premise.text, other)
            closeness = shared + 0.1 * len(near) + 0.01 * len(beside)
            if best is None or closeness > best[0]:
                best = closeness, (index, other.start, other.end)
    return best[1] if best else None


def _is_whole(text: str, quantity: StatedQuantity) -> bool:
    """Whether the unit is written with the number ("5" of "5 to 8 km" has none), and not as a
    part of a longer word ("a 12-hour walk")."""
    written = text[quantity.start : quantity.end]
    if quantity.kind is DetailKind.DATE:
        return True
    return "-" not in written and (
        not dimension(quantity.unit) or any(not (c.isdigit() or c in " .,") for c in written)
    )


def _equal(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether both are one value: no rounding but that of a conversion, no part of a date."""
    if premise.weak or not same_value(claim, premise):
        return False
    if claim.kind is not premise.kind:  # four digits that may be a year or a count
        return True
    if dimension(claim.unit) != dimension(premise.unit):
        return False
    if claim.things and premise.things and not claim.things & premise.things:
        return False
    if claim.kind is DetailKind.DATE:
        return (
            claim.day == premise.day
            and claim.unit == premise.unit
            and (claim.value == premise.value)
        )
    return claim.value == premise.value or claim.unit != premise.unit


def _rounded_alike(claim: StatedQuantity, value: float) -> bool:
    """Whether ``value`` is what an approximate or a large number of the claim rounds."""
    if claim.edge is not Edge.NONE:
        return False
    if not (claim.about or claim.value >= 1e6) or value <= 0:
        return False
    return float(f"{value:.{max(claim.digits, 1) - 1}e}") == claim.value


def _dates_agree(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    if claim.kind is not premise.kind:
        # Four digits may be a year or a count: the same value is taken to be the same.
        plain = premise if claim.kind is DetailKind.DATE else claim
        dated = claim if plain is premise else premise
        return dated.unit == "year" and not plain.unit and dated.value == plain.value
    if any(claim.day) and any(premise.day):
        return all(not a or a == b for a, b in zip(claim.day, premise.day, strict=True))
    if claim.unit == "decade" and premise.day[0]:
        return premise.day[0] // 10 * 10 == claim.value
    if claim.unit == "century" and premise.day[0]:
        return (premise.day[0] - 1) // 100 + 1 == claim.value
    if claim.unit == premise.unit == "time" and not (claim.digits and premise.digits):
        return claim.value % 720 == premise.value % 720
    return claim.unit == premise.unit and claim.value == premise.value


def _other_value(
    quantity: StatedQuantity, own: _Read, premises: Sequence[_Premise]
) -> tuple[int, int, int] | None:
    """Where a premise has another value in place of ``quantity``: premise, start, end."""
    if (place := _other_unit(quantity, own, premises)) is not None:
        return place
    dated = quantity.kind is DetailKind.DATE
    least = _SAME_SUBJECT_OF_DATES if dated else _SAME_SUBJECT
    if quantity.weak:
        least = _SAME_SUBJECT_OF_NAMES
    return _closest_value(
        quantity,
        own,
        premises,
        lambda _, other: (
            comparable(quantity, other) and not any(same_value(q, other) for q in own.quantities)
        ),
        least,
    )


def _other_unit(
    quantity: StatedQuantity, own: _Read, premises: Sequence[_Premise]
) -> tuple[int, int, int] | None:
    """Where a premise has the very number of ``quantity`` in another unit of the same kind, or with
    "million" for "billion": nothing else is meant, whatever the words around it are."""
    if quantity.kind is DetailKind.DATE or quantity.value < _SURE_NUMBER:
        return None
    return _closest_value(
        quantity, own, premises, lambda _, other: _differs_in_size(quantity, other)
    )


def _differs_in_size(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    if claim.kind is not premise.kind:
        return False
    ours, theirs = dimension(claim.unit), dimension(premise.unit)
    if ours == "duration":
        return False
    if ours and ours == theirs and claim.unit != premise.unit:
        converts = in_base_unit(1.0, claim.unit) != in_base_unit(1.0, premise.unit)
        return claim.value == premise.value and converts
    sizes = sorted((claim.value, premise.value))
    return (
        claim.unit == premise.unit
        and sizes[0] >= _LEAST_LARGE
        and any(abs(sizes[1] / sizes[0] - step) < 1e-6 for step in (1e3, 1e6))
    )


def _closest_within(
    quantity: StatedQuantity, own: _Read, premises: Sequence[_Premise]
) -> tuple[int, int, int] | None:
    """Where a premise has a value about the same thing that a claim's "over 8", "before 1920" or
    "in the 19th century" holds: premise, start, end."""
    if quantity.edge is Edge.NONE and quantity.unit not in _PERIODS:
        return None
    return _closest_value(
        quantity,
        own,
        premises,
        lambda _, other: _within(quantity, other),
        _SAME_SUBJECT_OF_DATES if quantity.kind is DetailKind.DATE else _SAME_SUBJECT,
    )


def _within(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether the exact value ``premise`` lies where ``claim`` says. One with an edge of its own
    ("bags over 9 kg") may be a limit: that is the claim's only with the same number."""
    if premise.edge is not Edge.NONE:
        return False
    if claim.unit in _PERIODS and claim.edge is Edge.NONE:
        return (
            premise.kind is DetailKind.DATE and bool(premise.day[0]) and same_value(claim, premise)
        )
    if not comparable(claim, premise) or claim.unit in ("weekday", "month", "ordinal"):
        return False
    if claim.kind is DetailKind.DATE:
        # As far as both say it: year, month, day.
        both = [(a, b) for a, b in zip(claim.day, premise.day, strict=True) if a and b]
        if both and not (claim.day[0] and premise.day[0]):
            return False
        ours, theirs = zip(*both, strict=True) if both else ((claim.value,), (premise.value,))
        return theirs > ours if claim.edge is Edge.ABOVE else theirs < ours
    left, right = premise.value, claim.value
    if dimension(claim.unit) and dimension(claim.unit) == dimension(premise.unit):
        left, right = in_base_unit(left, premise.unit), in_base_unit(right, claim.unit)
    elif claim.unit != premise.unit:
        return False
    return left >= right if claim.edge is Edge.ABOVE else left <= right


def comparable(claim: StatedQuantity, premise: StatedQuantity) -> bool:
    """Whether two values that differ say the same kind of thing."""
    if claim.kind is not premise.kind:
        return False
    if claim.kind is DetailKind.DATE:
        whole = {claim.unit, premise.unit}
        return len(whole) == 1 or (
            whole == {"year", "date"} and bool(premise.day[0] and claim.day[0])
        )
    if claim.unit == "ordinal" or premise.unit == "ordinal":
        return claim.unit == premise.unit and bool(claim.things & premise.things)
    ours, theirs = dimension(claim.unit), dimension(premise.unit)
    if ours and theirs:
        money = ours.startswith("money") and theirs.startswith("money")
        return ours == theirs or money or claim.value == premise.value
    return not ours and not theirs and bool(claim.things & premise.things)


def _shared(ours: frozenset[str], premise: _Premise, position: int) -> float:
    """Share of the claim's content words in the premise's sentence at ``position``."""
    # The sentences tile their text, which may have thousands of them.
    at = bisect_right(premise.sentences, position, key=itemgetter(0)) - 1
    return len(ours & premise.sentences[at][2]) / len(ours) if ours else 1.0


def _near(text: str, span: StatedQuantity) -> frozenset[str]:
    """Content words of the 30 characters on either side."""
    around = text[max(0, span.start - 30) : span.start] + " " + text[span.end : span.end + 30]
    return _content(_plain_words(around))


def _beside(text: str, span: StatedQuantity) -> frozenset[str]:
    """All words of its clause before it, small ones too: "until" tells "check-out is until 11 a.m."
    from "check-in is from 3 p.m."."""
    clause = _CLAUSE_MARK.split(text[max(0, span.start - 60) : span.start])[-1]
    return frozenset(each.casefold() for each in _BESIDE_WORD.findall(clause))


# --- names ----------------------------------------------------------------------------------


def _has_name(name: _Name, premise: _Premise) -> bool:
    held = premise.read.words
    if all(word in held or singular(word) in premise.read.content for word in name.words):
        return True
    if len(name.words) == 1:
        word = name.words[0]
        return word in premise.acronyms or (len(word) >= 4 and word in premise.initials)
    return "".join(word[0] for word in name.words) in held


@lru_cache(maxsize=2_000)
def _initials(text: str) -> frozenset[str]:
    """Initials of each run of two to six capitalised words, small link words skipped."""
    found: set[str] = set()
    for sentence in re.split(r"[.!?;:,()\n]", text):
        words = _WORDS.findall(sentence)
        for first, word in enumerate(words):
            letters = ""
            for other in words[first : first + 9] if word[0].isupper() else ():
                if other[0].isupper():
                    letters += other[0].lower()
                    if len(letters) >= 2:
                        found.add(letters)
                elif other not in _LINKS:
                    break
    return frozenset(found)


def _other_name(
    name: _Name, own: _Read, premises: Sequence[_Premise]
) -> tuple[int, int, int] | None:
    """Where a premise has another name in place of ``name``: premise, start, end."""
    ours = own.content - {singular(word) for word in name.words}
    said = own.words
    before, behind = _around(own.text, name)
    for index, premise in enumerate(premises):
        for other in premise.read.names:
            if all(word in said for word in other.words):
                continue
            if _shared(ours, premise, other.start) < _SAME_SUBJECT_OF_NAMES:
                continue
            alike = len(set(name.words) & set(other.words))
            if alike and len(name.words) > alike and len(other.words) > alike:
                return index, other.start, other.end
            left, right = _around(premise.text, other)
            same_left = bool(left) and left[-1:] == before[-1:]
            if same_left and (left[-2:-1] == before[-2:-1] != [] or right[:1] == behind[:1] != []):
                return index, other.start, other.end
    return None


def _around(text: str, span: _Name) -> tuple[list[str], list[str]]:
    """The words of the 40 characters before a name, and of those behind it."""
    return (
        _plain_words(text[max(0, span.start - 40) : span.start]),
        _plain_words(text[span.end : span.end + 40]),
    )
