"""Numbers of a claim that the premises do not state but that follow from theirs: a difference, a
sum, a product, a share, a change in percent, what is left of 100 % or a span of years.

The words of the claim must say which of these is meant, so that no number fits by chance. English
alone; arithmetic on what :func:`find_quantities` reads, no model.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise, permutations
from operator import attrgetter

from provenance_core.text.coverage import is_function_word
from provenance_core.text.detail_reading import Premise, ReadSentence, ReadText, plain_words
from provenance_core.text.numerals import SMALL
from provenance_core.text.phrases import DetailKind
from provenance_core.text.quantities import Edge, StatedQuantity, between
from provenance_core.text.signs import Sign
from provenance_core.text.stems import singular, word_stem
from provenance_core.text.units import UNITS, dimension, in_base_unit

_MORE = (
    "more|longer|higher|larger|bigger|taller|older|heavier|dearer|faster|deeper|wider|further"
    "|farther"
)
_LESS = "less|fewer|cheaper|shorter|lower|smaller|younger|lighter|slower|nearer"
_COMPARED = re.compile(
    rf"\s*(?:[a-z]+\s+){{0,2}}?(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b", re.IGNORECASE
)
_DIFFERENCE = re.compile(r"\b(?:difference|by|gap|lead)\b[^.;]{0,20}$", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_SPAN_BEFORE = re.compile(
    r"\b(?:for|lasted|took|takes|within|after|spent|over)\s+(?:about\s+)?$", re.IGNORECASE
)
_SPAN_BEHIND = re.compile(
    r"\s*(?:later|earlier|after|before|old|long|between|in\s+all)\b", re.IGNORECASE
)
_TOTAL = re.compile(
    r"\b(?:total|altogether|together|combined|in\s+all|overall|sum|both|add\s+up)\b", re.IGNORECASE
)
_PER = re.compile(
    r"\b(?:each|per|apiece|every|a\s+(?:person|head|piece|night|day))\b", re.IGNORECASE
)
_OF_THE = re.compile(r"\s+(?:out\s+)?of\s+(?:the|its|their|all)?\s*$", re.IGNORECASE)
_POINTS = re.compile(r"\s*points?\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_TO = re.compile(r"(?:\s+(?:in|of)\s+\S+)?\s+to\s+", re.IGNORECASE)
_REST = re.compile(r"\bthe\s+(?:rest|remainder|remaining)\b", re.IGNORECASE)
# What stands between the numbers of a list: "40 engineers, 25 clerks and 5 cooks".
_LISTED = re.compile(
    r"(?:\s+[^\W\d_][\w-]*){1,3}(?:\s*,\s*(?:and\s+|plus\s+)?|\s+(?:and|plus|as\s+well\s+as)\s+)",
    re.IGNORECASE,
)
_TIMES = re.compile(
    rf"\b(?:(?P<twice>twice|double)|(?P<half>half)|(?P<n>{'|'.join(SMALL)})\s+times)"
    r"\s+(?:as\s+(?:many|much|long|high|large)|th(?:at|is)\b|the\s+(?:number|amount))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:.]\s|\s(?:and|but|while|whereas)\s")
_LEAST_SHARED = 0.2
_MOST_SUMMED = 4
_HALF_PERCENT = 0.5
_PERCENT = 100.0
_MOST_NUMBERS = 40  # with more of one unit, some two of them make any number
_OF_TOTALS = frozenset(("total", "altogether", "together", "combined", "overall", "sum"))
_NEAR = 10  # characters before a number
_REACH = 120  # characters of a clause on either side


class Derivation(StrEnum):
    """How a number follows from others."""

    DIFFERENCE = "difference"
    SUM = "sum"
    PRODUCT = "product"
    SHARE = "share"
    REST = "rest"
    GROWTH = "growth"


@dataclass(frozen=True, slots=True)
class Operand:
    """A number that a premise states, ``premises[premise][start:end]``; ``premise`` is None for one
    of the claim."""

    premise: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Derived:
    """``how`` a number of a claim follows, and from which numbers."""

    how: Derivation
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A number of a premise, where its sentence starts, and the telling words of that and of its
    clause."""

    quantity: StatedQuantity
    premise: int
    sentence: int
    words: frozenset[str]
    clause: frozenset[str]

    @property
    def operand(self) -> Operand:
        return Operand(self.premise, self.quantity.start, self.quantity.end)


def find_derived(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    """How a number that no premise states follows from what they state.

    The arithmetic and its numbers; None where it does not follow, or where the claim's words do not
    say how.
    """
    if quantity.kind is DetailKind.DATE or quantity.weak or quantity.edge is not Edge.NONE:
        return None
    before, behind = claim.text[: quantity.start], claim.text[quantity.end :]
    compared = _COMPARED.match(behind)
    if dimension(quantity.unit) == "share":
        if _POINTS.match(behind):
            return _points(quantity, claim, premises)
        return (
            _share(quantity, claim, premises)
            or _rest(quantity, claim, premises)
            or _growth(quantity, claim, premises)
        )
    if compared or _DIFFERENCE.search(before):
        return _difference(quantity, claim, premises, compared)
    spans = quantity.unit == "year" and (_SPAN_BEFORE.search(before) or _SPAN_BEHIND.match(behind))
    if spans:
        return _years(quantity, claim, premises)
    return (
        _product(quantity, claim, premises)
        or _sum(quantity, claim, premises)
        or _listed_sum(quantity, claim, premises)
        or _multiple(quantity, claim, premises)
    )


def _places(quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]) -> list[_Place]:
    """The numbers of the unit of ``quantity`` in sentences that share words with the claim; none
    where there are many."""
    found = []
    for index, premise in enumerate(premises):
        for each in premise.quantities:
            # "1,840 employees, 160 more than before": the second is a difference itself.
            if each.edge is not Edge.NONE or _COMPARED.match(premise.text, each.end):
                continue
            if not _same_unit(quantity, each):
                continue
            of = _sentence(premise, each)
            if len(of.content & claim.content) >= _LEAST_SHARED * len(claim.content):
                told = _told(premise.text[of.start : of.end])
                found.append(_Place(each, index, of.start, told, _clause(premise.text, each)))
    return found if len(found) <= _MOST_NUMBERS else []


def _same_unit(one: StatedQuantity, other: StatedQuantity) -> bool:
    if other.kind is DetailKind.DATE:
        return False
    ours, theirs = dimension(one.unit), dimension(other.unit)
    if ours or theirs:
        return ours == theirs
    # "25 more people" counts nothing by itself: its comparison says of what.
    return bool(one.things & other.things) or not (one.things and other.things)


def _sentence(premise: Premise, quantity: StatedQuantity) -> ReadSentence:
    at = bisect_right(premise.sentences, quantity.start, key=attrgetter("start")) - 1
    return premise.sentences[at]


def _clause(text: str, quantity: StatedQuantity) -> frozenset[str]:
    """The telling words of the clause around a number."""
    before = _CLAUSE.split(text[max(0, quantity.start - _REACH) : quantity.start])[-1]
    behind = _CLAUSE.split(text[quantity.end : quantity.end + _REACH])[0]
    return _told(f"{before} {behind}")


def _value(quantity: StatedQuantity) -> float:
    known = quantity.unit in UNITS and dimension(quantity.unit)
    return in_base_unit(quantity.value, quantity.unit) if known else quantity.value


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))


def _difference(
    quantity: StatedQuantity,
    claim: ReadText,
    premises: Sequence[Premise],
    compared: re.Match[str] | None,
) -> Derived | None:
    places = _places(quantity, claim, premises)
    pairs = list(combinations(places, 2))
    if compared:
        pairs = _as_compared(quantity, claim.text, compared, places)
    for one, other in pairs:
        if _equal(_value(quantity), abs(_value(one.quantity) - _value(other.quantity))):
            return Derived(Derivation.DIFFERENCE, (one.operand, other.operand))
    return None


def _as_compared(
    quantity: StatedQuantity, claim: str, compared: re.Match[str], places: Sequence[_Place]
) -> list[tuple[_Place, _Place]]:
    """The numbers of the two that the claim compares, where what it calls more has the larger one.

    None where the words of the premises do not tell whose number is whose.
    """
    behind = claim[quantity.end + compared.end() :]
    than = _THAN.search(behind)
    first = _told(claim[: quantity.start] + " " + (behind[: than.start()] if than else behind))
    second = _told(behind[than.end() :]) if than else frozenset[str]()
    of_first = {at: _about(place, first - second) for at, place in enumerate(places)}
    of_second = {at: _about(place, second - first) for at, place in enumerate(places)}
    most = max(of_second.values(), default=0)
    found = []
    for (i, one), (j, other) in permutations(enumerate(places), 2):
        if most and of_second[j] < most:
            continue
        # What stands behind "than" tells alone: "Kessler employed" may stand beside either number.
        tells = of_first[i] - of_second[i] > of_first[j] - of_second[j] or (
            of_second[i] < of_second[j]
        )
        larger = _value(one.quantity) > _value(other.quantity)
        if tells and larger == bool(compared["more"]):
            found.append((one, other))
    return found


def _about(place: _Place, words: frozenset[str]) -> int:
    """How much the place of a number says of ``words``."""
    return 2 * len(place.clause & words) + len(place.words & words)


def _told(text: str) -> frozenset[str]:
    """Words that tell one thing from another, the number of a name ("Aqua 7") as well."""
    return frozenset(
        singular(word)
        for word in plain_words(text)
        if word[0].isdigit() or not is_function_word(word)
    )


def _years(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    said = {word_stem(word) for word in claim.content} - {"year"}
    dates = [
        (index, each)
        for index, premise in enumerate(premises)
        for each in premise.quantities
        if each.kind is DetailKind.DATE and each.day[0] and each.edge is Edge.NONE
    ]
    for (i, one), (j, other) in combinations(dates if len(dates) <= _MOST_NUMBERS else (), 2):
        sentences = _sentence(premises[i], one).content | _sentence(premises[j], other).content
        about = {word_stem(word) for word in sentences} & said
        if about and abs(one.day[0] - other.day[0]) == quantity.value:
            operands = Operand(i, one.start, one.end), Operand(j, other.start, other.end)
            return Derived(Derivation.DIFFERENCE, operands)
    return None


def _sum(quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]) -> Derived | None:
    places = _places(quantity, claim, premises)
    groups: dict[tuple[int, int], list[_Place]] = {}
    for place in places:
        groups.setdefault((place.premise, place.sentence), []).append(place)
    for group in groups.values():
        if not 2 <= len(group) <= _MOST_SUMMED:
            continue
        # Without a word that says so, the sum of things of one kind alone.
        counted = not dimension(quantity.unit) and any(
            place.quantity.things & quantity.things for place in group
        )
        total = sum(_value(place.quantity) for place in group)
        if (counted or _TOTAL.search(claim.text)) and _equal(_value(quantity), total):
            return Derived(Derivation.SUM, tuple(place.operand for place in group))
    if _TOTAL.search(claim.text):
        for one, other in combinations(places, 2):
            if _equal(_value(quantity), _value(one.quantity) + _value(other.quantity)):
                return Derived(Derivation.SUM, (one.operand, other.operand))
    return None


def _listed_sum(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    """All of a list that counts several things: "40 engineers and 30 clerks" are 70 people in
    total, whatever the claim calls them together. None where the claim compares as well: then a
    right total would hide a wrong difference of two totals, which nobody computes here."""
    if not _TOTAL.search(claim.text) or quantity.unit or not quantity.things:
        return None
    if any(_COMPARED.match(claim.text, each.end) for each in claim.quantities):
        return None
    told = claim.content - quantity.things - _OF_TOTALS
    for index, premise in enumerate(premises):
        for numbers in _lists(premise):
            words = _sentence(premise, numbers[0]).content
            same = len(words & told) >= _LEAST_SHARED * len(told)
            if same and _equal(quantity.value, sum(each.value for each in numbers)):
                return Derived(
                    Derivation.SUM, tuple(Operand(index, each.start, each.end) for each in numbers)
                )
    return None


def _lists(premise: Premise) -> list[list[StatedQuantity]]:
    """The lists of exact counts in a premise, two or more to a list, each as long as it is."""
    found: list[list[StatedQuantity]] = []
    last: StatedQuantity | None = None
    for each in premise.quantities:
        counts = each.kind is DetailKind.NUMBER and not each.unit and bool(each.things)
        if last is not None and _LISTED.fullmatch(premise.text, last.end, each.start) and counts:
            found[-1].append(each)
        elif counts:
            found.append([each])
        last = each if counts else None
    return [
        numbers
        for numbers in found
        if len(numbers) > 1 and all(n.edge is Edge.NONE and not n.about for n in numbers)
    ]


def _multiple(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    """So many times the number before: "240 rolls on Friday and twice as many on Saturday"."""
    for place in _places(quantity, claim, premises):
        premise = premises[place.premise]
        end = _sentence(premise, place.quantity).end
        times = _TIMES.search(premise.text, place.quantity.end, end)
        if times is None or any(
            each.kind is DetailKind.NUMBER
            for each in between(premise.quantities, place.quantity.end, times.start())
        ):
            continue
        factor = 2.0 if times["twice"] else 0.5 if times["half"] else SMALL[times["n"].lower()]
        about = _told(_CLAUSE.split(premise.text[times.end() : end])[0])
        if about & claim.words and _equal(_value(quantity), factor * _value(place.quantity)):
            operand = Operand(place.premise, times.start(), times.end())
            return Derived(Derivation.PRODUCT, (place.operand, operand))
    return None


def _product(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    """So many times what one costs or has."""
    for place in _places(quantity, claim, premises):
        text = premises[place.premise].text
        if not _PER.search(text[max(0, place.quantity.start - 30) : place.quantity.end + 30]):
            continue
        for times in claim.quantities:
            if times is quantity or times.kind is DetailKind.DATE or dimension(times.unit):
                continue
            if _equal(_value(quantity), times.value * _value(place.quantity)):
                own = Operand(None, times.start, times.end)
                return Derived(Derivation.PRODUCT, (own, place.operand))
    return None


def _points(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    """The percentage points between two shares that stand next to each other: "from 41 % to 59 %".
    No fall where the second is larger, and no rise where the first is."""
    places = _places(quantity, claim, premises)
    for one, other in pairwise(places):
        if (one.premise, one.sentence) != (other.premise, other.sentence):
            continue
        rise = other.quantity.value - one.quantity.value
        wrong = Sign.DOWN if rise > 0 else Sign.PLUS
        if quantity.sign is not wrong and _equal(quantity.value, abs(rise)):
            return Derived(Derivation.DIFFERENCE, (one.operand, other.operand))
    return None


def _growth(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    """By how much in percent a number grew or fell: "from 200 to 230" is a rise of 15 %. The claim
    must say which of both it did."""
    for index, premise in enumerate(premises):
        for one, other in pairwise(premise.quantities):
            numbers = one.kind is other.kind is DetailKind.NUMBER and one.value > 0
            units = one.unit == other.unit and dimension(one.unit) != "share"
            moves = _FROM.search(
                premise.text[max(0, one.start - _NEAR) : one.start]
            ) and _TO.fullmatch(premise.text, one.end, other.start)
            shared = len(_sentence(premise, one).content & claim.content)
            if not (numbers and units and moves and shared >= _LEAST_SHARED * len(claim.content)):
                continue
            growth = _PERCENT * (other.value - one.value) / one.value
            said = Sign.PLUS if growth > 0 else Sign.DOWN
            if quantity.sign is said and abs(abs(growth) - quantity.value) <= _HALF_PERCENT:
                operands = (
                    Operand(index, one.start, one.end),
                    Operand(index, other.start, other.end),
                )
                return Derived(Derivation.GROWTH, operands)
    return None


def _rest(quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]) -> Derived | None:
    """What is left of 100 %: "wind 61 %, the sun 24 % and oil the rest" is 15 % for oil."""
    for index, premise in enumerate(premises):
        for match in _REST.finditer(premise.text):
            sentence = premise.sentences[
                bisect_right(premise.sentences, match.start(), key=attrgetter("start")) - 1
            ]
            shares = [
                each
                for each in between(premise.quantities, sentence.start, sentence.end)
                if dimension(each.unit) == "share"
            ]
            before = _CLAUSE.split(premise.text[sentence.start : match.start()])[-1]
            behind = _CLAUSE.split(premise.text[match.end() : sentence.end])[0]
            named = _told(f"{before} {behind}") & claim.words
            left = _PERCENT - sum(each.value for each in shares)
            if (
                len(shares) > 1
                and named
                and sentence.content & claim.content
                and quantity.value == left
            ):
                return Derived(
                    Derivation.REST, tuple(Operand(index, each.start, each.end) for each in shares)
                )
    return None


def _share(
    quantity: StatedQuantity, claim: ReadText, premises: Sequence[Premise]
) -> Derived | None:
    """So many of so many, in percent: "twelve of the 40 rooms"."""
    for index, premise in enumerate(premises):
        for part, whole in zip(premise.quantities, premise.quantities[1:], strict=False):
            plain = not (dimension(part.unit) or dimension(whole.unit)) and whole.value
            of = _OF_THE.fullmatch(premise.text[part.end : whole.start])
            dated = DetailKind.DATE in (part.kind, whole.kind)
            if dated or not (plain and of and whole.things & claim.content):
                continue
            if abs(100 * part.value / whole.value - quantity.value) <= _HALF_PERCENT:
                operands = (
                    Operand(index, part.start, part.end),
                    Operand(index, whole.start, whole.end),
                )
                return Derived(Derivation.SHARE, operands)
    return None
