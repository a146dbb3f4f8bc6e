"""Numbers, dates and times of a text as values: what they are, not how they are written."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, pairwise
from operator import itemgetter

from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.replacements import merged
from provenance_core.findings.signs import Sign, find_sign, signed_start
from provenance_core.lexicon.numerals import (
    DIGITS,
    LARGE,
    SMALL,
    TENS,
    in_thousands,
    plain_digits,
    words_value,
)
from provenance_core.lexicon.readings import kept_readings
from provenance_core.lexicon.stems import singular
from provenance_core.lexicon.units import MONTH, UNITS, WEEKDAY
from provenance_core.lexicon.words import is_function_word
from provenance_core.text.citations import find_citations

_OTHER_LARGE = {  # German and French
    "tsd": 1e3,
    "tausend": 1e3,
    "mio": 1e6,
    "millionen": 1e6,
    "mrd": 1e9,
    "milliard": 1e9,
    "milliards": 1e9,
    "milliarde": 1e9,
    "milliarden": 1e9,
}
_MAGNITUDES = frozenset((1e3, 1e6, 1e9, 1e12))
_DIGITS = re.compile(DIGITS)
_SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "mil": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
_ORDINALS = {
    word: float(i)
    for i, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
        ],
        1,
    )
} | {word.replace("y", "ieth"): 10.0 * i for i, word in enumerate(TENS.split(), 2)}
_FRACTIONS = {
    "half": 50.0,
    "halves": 50.0,
    "third": 100 / 3,
    "thirds": 100 / 3,
    "quarter": 25.0,
    "quarters": 25.0,
    "fifth": 20.0,
    "fifths": 20.0,
    "tenth": 10.0,
    "tenths": 10.0,
}
_PARTS = {"1/2": 0.5, "½": 0.5, "half": 0.5, "1/4": 0.25, "¼": 0.25, "quarter": 0.25, "3/4": 0.75}
_PARTS["¾"] = 0.75
_MONTHS = "january february march april may june july august september october november december"
_GERMAN_MONTHS = (
    "januar februar märz april mai juni juli august september oktober november dezember"
)
_MONTH_NUMBER = {
    name[:3]: i for names in (_MONTHS, _GERMAN_MONTHS) for i, name in enumerate(names.split(), 1)
}
_MONTHS_OF_YEAR, _DAYS_OF_MONTH = 12, 31
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_SYMBOL = re.compile(
    r"(?:%|°\s?[CF]?\b|°|(?:km/h|(?:km|cm|m|mi|ft)²|m³|kms?|mm|cm|m|ft|mi|yd|mg|g|kg|t|oz|lbs?|ml|l|ha|sec|s|min|hrs?|h|yrs?"
    r"|kW|MW|GW|W|MB|GB|TB|mph|kph|USD|EUR|GBP|k|K|mn|mil|bn|B|tn|M)\b(?!/))"
)
_MONTH = rf"{MONTH}\b\.?"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<y>\d{4})"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)  # texts in small letters alone have dates too
    for pattern in (
        rf"\b{_DAY}\s+(?:of\s+)?(?P<m>{_MONTH})(?:,?\s+(?:of\s+)?{_YEAR}\b)?",
        rf"\b(?P<m>{_MONTH})\s+(?:the\s+)?{_DAY}\b(?!\s*(?:[%:€$£]|euros?\b|dollars?\b|pounds?\b|EUR\b|USD\b|GBP\b)|,\d)(?:,?\s+{_YEAR}\b)?",
        rf"\b(?P<m>{_MONTH}),?\s+(?:of\s+)?{_YEAR}\b",
        r"\b(?P<y>\d{4})[-/](?P<n>\d{2})[-/](?P<d>\d{2})(?:\b|(?=T\d))",
        rf"\b(?P<d>\d{{1,2}})\.\s+(?P<m>{_GERMAN_MONTHS.replace(' ', '|')})\b(?:\s+{_YEAR}\b)?",
    )
)
_MONTH_ALONE = re.compile(
    rf"\b(?:in|by|of|since|until|late|early|mid|every|last|next|this|and|to|from|during|for)[\s-]"
    rf"(?P<m>{_MONTH})(?!\s*\d)"
)
_SLASHED = re.compile(r"\b(\d{1,2})(?P<mark>[/.-])(\d{1,2})(?P=mark)(\d{4})\b")
_DECADE = re.compile(r"\b(?P<y>\d{3}0)['’]?s\b|(?<!\w)['’](?P<s>\d0)s\b")
_YEAR_ALONE = re.compile(r"(?<![\w.,$€£#-])(?P<y>1[0-9]\d\d|20\d\d)(?![\w%]|[.,]\d)")
_YEARS = re.compile(r"(?<![\w.,$€£])(?P<y>1[0-9]\d\d|20\d\d)\s?[-–—/]\s?(?P<z>\d{4}|\d{2})\b(?!-)")
_TIME = re.compile(
    r"(?<![$€£¥])(?<!\D\D[$€£¥] )(?<!\b(?:EUR|USD|GBP|CHF) )(?<!\d[.,])"
    r"\b(?P<h>\d{1,2})(?:[:.](?P<m>\d{1,2}))?\s?(?P<half>[aApP])"
    r"\.?\s?[mM]\b(?:\.(?=\s*[a-z,;)]))?"
    r"|(?<![$€£¥])\b(?P<h2>\d{1,2}):(?P<m2>\d{1,2})\b|\b(?P<word>noon|midday|midnight)\b"
)
# A symbol between two blanks is that of the number before it: "15 € 6 pm".
_MONEY = (
    r"(?:(?:US)?\$[ \u00a0]?|(?:(?<!\d)(?<!\d[ \u00a0])[€£¥]|[€£¥](?=\d))[ \u00a0]?"
    r"|(?:USD|EUR|GBP|CHF)[ \u00a0])"
)
_MONEY_BEHIND = re.compile(
    r"[ \u00a0\u202f]?(?:(?P<symbol>[€£¥]|\$)(?![ \u00a0]?\d)|(?P<spaced>[€£¥])(?=[ \u00a0]\d))"
)
_CURRENCY_BEHIND = re.compile(
    r"[ \u00a0]?(?:[€£¥$]|(?:euros?|dollars?|pounds?|francs?|EUR|USD|GBP|CHF)\b)", re.IGNORECASE
)
_CODES = frozenset(("usd", "eur", "gbp", "chf"))
_WORD_NUMBER = "|".join([*SMALL, *LARGE])
_NUMBER = re.compile(
    rf"(?<![\w.])(?<![A-Za-z]-)(?P<money>{_MONEY})?(?:(?P<digits>{DIGITS})(?P<ord>st|nd|rd|th)?"
    rf"|\b(?P<words>(?:(?:an?\s+)?(?:{_WORD_NUMBER})\b)(?:(?:[\s-]+|\s+and\s+)(?:{_WORD_NUMBER})\b)*))"
    r"(?P<part>[\s-]?(?:1/2|1/4|3/4|½|¼|¾)(?!\d)|[\s-]and[\s-]a[\s-](?:half|quarter)\b)?"
    r"(?P<large>(?:[\s-]+(?:hundred|dozen|thousand|million|billion|trillion)s?\b"
    r"|[ \u00a0](?:Mio|Mrd|Tsd)\b\.?|[ \u00a0](?:Millionen|Milliard(?:en?|s)?|Tausend)\b)*)",
    re.IGNORECASE,
)
_ORDINAL_WORD = re.compile(
    rf"\b(?:(?:{TENS.replace(' ', '|')})-)?(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE
)
_FRACTION_WORD = re.compile(
    r"\b(?:(?P<n>an?|one|two|three|four|nine)[\s-]+)?"
    rf"(?P<f>{'|'.join(_FRACTIONS)})\b(?(n)|(?=\s+(?:of|the|as|its|their|his|her|all)\b))",
    re.IGNORECASE,
)
# "One in five", "fewer than 1 in 100 patients"; not "3 in 10 minutes".
_ONE_IN = re.compile(
    rf"(?<![\w.,-])(?P<n>[1-9]|{'|'.join(list(SMALL)[1:10])})\s+(?:in|out\s+of)\s+(?:every\s+)?"
    r"(?P<m>two|three|four|five|six|ten|twenty|[2-6]|10{1,6}|10{0,2},0{3}|[2-5]0)(?![\w.,%-]*\d)\b"
    r"(?!\s*(?:%|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?|points?\b))",
    re.IGNORECASE,
)
# Not what is said, but where it stands: "passage 2", "Passage ID 2", "the third passage",
# "According to 1, ...", "2) dry it" within a sentence.
_PLACES = r"(?:passages?|documents?|sources?|contexts?|chunks?|excerpts?|snippets?|results?|texts?)"
_POINTERS = re.compile(
    rf"\b{_PLACES}\s+(?:ID\s)?"
    r"#?\d{1,2}(?:(?:\s*,\s*|\s*,?\s+(?:and|&|or|to)\s+)\d{1,2})*\b"
    r"|\bthe\s+(?:first|second|third|fourth|fifth|last)\s+(?:passage|excerpt|snippet|chunk)\b"
    r"|\baccording\s+to\s+\d{1,2}(?:(?:\s*,\s*|\s+and\s+)\d{1,2})*(?=,\s+[^\W\d_]|[.;]?\s*\Z)"
    r"|(?<![\w(.,/:%\u2013-])(?P<step>\d{1,2}\))(?=\s)|(?m:^[ \t]*\d{1,2}\.\s)",
    re.IGNORECASE,
)
_REACH_OF_BRACKET = 60
_ADDRESS = re.compile(r"\bhttps?://\S+", re.IGNORECASE)
# "Half past five", "a quarter to nine".
_SPOKEN_TIME = re.compile(
    rf"\b(?P<part>half|quarter)\s+(?P<side>past|to)\s+(?P<hour>\d{{1,2}}|{'|'.join(list(SMALL)[1:13])})\b",
    re.IGNORECASE,
)
# "Eight o'clock", "just after four on Wednesday morning", "at five in the afternoon".
_PART_OF_DAY = (
    r"\s+(?:on\s+\w+day|in\s+the|that|this|yesterday)\s+(?P<{}>morning|afternoon|evening)\b"
)
_SPOKEN_HOUR = re.compile(
    rf"\b(?P<hour>\d{{1,2}}|{'|'.join(list(SMALL)[1:13])})"
    rf"(?:\s+o['\u2019]clock\b(?:{_PART_OF_DAY.format('later')})?|{_PART_OF_DAY.format('part')})",
    re.IGNORECASE,
)
_HOUR_LEAD = re.compile(
    r"\b(?:at|by|after|before|from|until|till|since|about|around|past)\s+$", re.IGNORECASE
)
# "The second quarter" is no share, nor is the half of "two and a half".
_PERIOD_BEFORE = re.compile(
    rf"\b(?:\d+|{'|'.join(SMALL)})\s+and\s+$|\b(?:first|second|third|fourth|last|next|previous|final|same|latter|[1-4](?:st|nd|rd|th))\s+$",
    re.IGNORECASE,
)
_SQUARE = re.compile(
    r"\s*(?:(?P<square>square|sq\.?)|cubic)\s+(?P<unit>[^\W\d_]+)\b", re.IGNORECASE
)
_PER_HOUR = re.compile(r"\s?(?:(?:per|an)\s+hour\b|/\s?h(?:our)?\b)")
_SPEEDS = {"km": "km/h", "kilometre": "km/h", "kilometer": "km/h", "mile": "mph", "mi": "mph"}
_POWERS = {"metre": "m", "meter": "m", "kilometre": "km", "kilometer": "km", "centimetre": "cm"}
_POWERS |= {"centimeter": "cm", "mile": "mi", "foot": "ft", "feet": "ft"}
_POWERS |= {short: short for short in ("m", "km", "cm", "mi", "ft")}
# "Half an hour", "an hour and a half", "three quarters of an hour".
_PARTS_OF = (
    "hour|day|year|mile|kilomet(?:er|re)|kilo|lit(?:er|re)|met(?:er|re)|tonne|minute|month|pound"
)
_PART_OF_UNIT = re.compile(
    rf"\bhalf\s+an?\s+(?P<half>{_PARTS_OF})\b"
    rf"|\b(?:an?|one)\s+(?P<more>{_PARTS_OF})\s+and\s+a\s+(?P<by>half|quarter)\b"
    rf"|\b(?P<n>a|three)\s+quarters?\s+of\s+an?\s+(?P<quarter>{_PARTS_OF})\b",
    re.IGNORECASE,
)
_UNIT_WORD = re.compile(r"[\s-]*([^\W\d_][\w'’/-]*)")
_ABOUT = re.compile(
    r"\b(?:about|around|nearly|almost|roughly|approximately|approx\.?|some|over|under|more\s+than"
    r"|less\s+than|at\s+least|up\s+to|an?\s+estimated|close\s+to|circa|ca\.?)\s+[$€£]?$|[~≈<>]\s?$",
    re.IGNORECASE,
)
# Where a value is an edge: "more than 8 km", "8 km or less", "before 1920". "Up to 8", "at most 8"
# and "no more than 8" mostly state a limit, which is another if its number is.
_NOT = r"(?:no|not|never)\s+"
_MORE = r"(?:more|greater|higher|longer|later)\s+than|over|above|after|exceed(?:s|ed|ing)?"
_LESS = r"(?:less|fewer|lower|shorter|earlier)\s+than|under|below|before"
_EDGES = re.compile(
    rf"(?:\b(?:(?P<limit>{_NOT}(?:{_MORE})|at\s+most|up\s+to|(?:an?\s+)?maximum(?:\s+of)?)"
    rf"|(?P<above>{_NOT}(?:{_LESS})|{_MORE}|in\s+excess\s+of|upwards\s+of|at\s+least)"
    rf"|(?P<below>{_LESS}|prior\s+to))"
    r"\s+(?:the\s+year\s+)?|(?P<over>>\s?)|(?P<under><\s?))$",
    re.IGNORECASE,
)
_EDGES_BEHIND = re.compile(
    r"\s+or\s+(?:(?P<above>more|over|later)|(?P<below>less|fewer|earlier))\b"
)
_REACH_OF_EDGE = 24
RANGE = re.compile(r"\s?(?:[-–—]|to|and|or)\s?")
_TOGETHER = re.compile(r"\s?|,?\s(?:and\s)?")
_QUARTER = re.compile(r"\bQ(?P<quarter>[1-4])\b")
_YEAR_LEAD = re.compile(
    r"(?:^|[(,]|\b(?:in|since|by|from|until|till|of|during|to|and|after|before|between|early|late|the"
    r"|year|summer|winter|spring|autumn|fall|around|about|circa|for|through))\s*$",
    re.IGNORECASE,
)
# Adjectives that say nothing of what is counted.
_ANY_THING = frozenset(
    [
        "new",
        "old",
        "other",
        "different",
        "more",
        "main",
        "major",
        "large",
        "small",
        "few",
        "additional",
        "total",
        "key",
        "of",
    ]
)


class Edge(StrEnum):
    """On which side of a stated value the meant one is."""

    NONE = "none"
    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class StatedQuantity:
    """A value, ``text[start:end]``.

    ``kind``: a number or a date. ``unit``: "km", "%", "$", "ordinal", "time", "year", "month",
    "weekday", or "". ``things``: the words behind a number without unit, what it counts among
    them ("employee"). ``value``: in that unit, with
    "million" and the like multiplied out; of a date ``day`` holds (year, month, day), 0 where it
    says none. ``about``: an approximate one ("nearly 8"). ``edge``: a value that is not reached or
    not passed ("over 8"), whose words are ``text[edge_start:edge_end]`` with the value, as those of
    a limit are ("at most 8", whose ``edge`` is none) and those of an approximate value. ``weak``:
    too common to be missed where it is not stated ("one", "two", "first", "half"). ``sign``: what
    the words say of the sign of a number, ``text[sign_start:sign_end]`` with it; ``value`` is
    without it. ``in_thousands``: what a number as "1.240" is besides, which may be 1240.
    ``other_day``: what a date as "05/11/2023" is where the month stands first."""

    kind: DetailKind
    start: int
    end: int
    value: float
    unit: str
    digits: int = 0  # significant ones, as written; 0 of a share in words and of an unsure hour
    day: tuple[int, int, int] = (0, 0, 0)
    things: frozenset[str] = frozenset()
    about: bool = False
    weak: bool = False
    edge: Edge = Edge.NONE
    edge_start: int = 0
    edge_end: int = 0
    sign: Sign = Sign.NONE
    sign_start: int = 0
    sign_end: int = 0
    in_thousands: float | None = None
    other_day: tuple[int, int, int] | None = None


def find_pointers(text: str) -> list[tuple[int, int]]:
    """Find what tells where something stands and not what is said, citations among it. Start and
    end of each in characters, in order and apart.

    >>> text = "Passage ID 2 and the third passage say that the mill has 12 wheels [4]."
    >>> [text[a:b] for a, b in find_pointers(text)]
    ['Passage ID 2', 'the third passage', ' [4]']
    """
    pointers = (
        found.span()
        for found in _POINTERS.finditer(text)
        if not (found["step"] and _in_brackets(text, found.start()))
    )
    return merged([*find_citations(text), *pointers])


def _in_brackets(text: str, at: int) -> bool:
    """Whether a "(" shortly before a place is still open: "(about 12) stops" has no step 12."""
    before = text[max(0, at - _REACH_OF_BRACKET) : at]
    return before.rfind("(") > before.rfind(")")


@kept_readings
def find_quantities(text: str) -> tuple[StatedQuantity, ...]:
    """Find the numbers, dates and times of a text. List markers, citations and the like ("[2]",
    "passage 3") do not count. In order and apart: a date wins over the numbers inside it."""
    # In order and apart, so that one look tells an overlap: a text may have thousands of numbers.
    addresses = (match.span() for match in _ADDRESS.finditer(text))
    taken = merged([*find_pointers(text), *addresses])
    found: list[StatedQuantity] = []
    dated = any(c.isdigit() for c in text) or _HAS_DATE_WORD.search(text)
    for quantity in chain(_dates_in(text) if dated else (), _numbers_in(text)):
        if quantity is None:
            continue
        span = quantity.start, quantity.end
        before = bisect_left(taken, span[1], key=itemgetter(0))
        if not before or taken[before - 1][1] <= span[0]:
            insort(taken, span)
            found.append(quantity)
    found.sort(key=lambda quantity: quantity.start)
    return tuple(
        _with_sign(text, _with_edge(text, quantity))
        for quantity in _with_unit_of_range(text, _in_one_unit(text, found))
    )


def _dates_in(text: str) -> Iterator[StatedQuantity | None]:
    """The dates and times of ``text``, what wins over what it overlaps first; None for what only
    looks like one."""
    for pattern in _DATES:
        yield from map(_date, pattern.finditer(text))
    yield from _slashed_dates(text)
    for match in _MONTH_ALONE.finditer(text):
        month = _MONTH_NUMBER[match["m"][:3].lower()]
        yield _day_of(match.start("m"), match.end("m"), (0, month, 0))
    for match in _YEARS.finditer(text):
        first = int(match["y"])
        last = match["z"]
        second = int(last) if len(last) == 4 else first // 100 * 100 + int(last)
        if first < second < first + 200:
            yield _day_of(match.start("y"), match.end("y"), (first, 0, 0))
            yield _day_of(match.start("z"), match.end("z"), (second, 0, 0))
    for match in _DECADE.finditer(text):
        decade = int(match["y"]) if match["y"] else 1900 + int(match["s"])
        yield _plain(match, DetailKind.DATE, decade, "decade")
    for match in WEEKDAY.finditer(text):
        number = _WEEKDAYS.index(match[1][:3].lower())
        yield _plain(match, DetailKind.DATE, number, "weekday")
    yield from map(_time, _TIME.finditer(text))
    yield from map(_spoken_time, _SPOKEN_TIME.finditer(text))
    yield from map(_spoken_hour, _SPOKEN_HOUR.finditer(text))
    for match in _YEAR_ALONE.finditer(text):
        if not _is_counted(text, match.start(), match.end()):
            yield _day_of(match.start(), match.end(), (int(match["y"]), 0, 0))


def _slashed_dates(text: str) -> Iterator[StatedQuantity]:
    """Dates such as 05/11/2023. One that names no month above 12 is read in the order that another
    of the text shows; where none does, as the 5th of November, and it may be the 11th of May."""
    read = [
        (match, int(match[1]), int(match[3]), int(match[4])) for match in _SLASHED.finditer(text)
    ]
    months_first = any(b > _MONTHS_OF_YEAR >= a for _, a, b, _ in read)
    days_first = any(a > _MONTHS_OF_YEAR >= b for _, a, b, _ in read)
    for match, a, b, year in read:
        unsure = max(a, b) <= _MONTHS_OF_YEAR and match["mark"] != "."
        swapped = b > _MONTHS_OF_YEAR or (unsure and months_first and not days_first)
        month, day = (a, b) if swapped else (b, a)
        if 1 <= month <= _MONTHS_OF_YEAR and 1 <= day <= _DAYS_OF_MONTH:
            found = _day_of(match.start(), match.end(), (year, month, day))
            either = unsure and months_first == days_first and a != b
            yield replace(found, other_day=(year, day, month)) if either else found


def _numbers_in(text: str) -> Iterator[StatedQuantity | None]:
    """The numbers of ``text``, what wins over what it overlaps first; None for what only looks like
    one."""
    yield from map(_part_of_unit, _PART_OF_UNIT.finditer(text))
    for match in _ONE_IN.finditer(text):
        count, total = (_small(match[each]) for each in ("n", "m"))
        if count < total:
            share = 100 * count / total
            sure = 2 if share == int(share) else 0  # "two in three" are 66 or 67 %
            yield _plain(match, DetailKind.NUMBER, share, "%", digits=sure)
    for match in _FRACTION_WORD.finditer(text):
        share = _FRACTIONS[match["f"].lower()] * SMALL.get((match["n"] or "").lower(), 1.0)
        half = match["f"].lower() == "half"
        before = text[max(0, match.start() - _REACH_OF_EDGE) : match.start()]
        if share <= 100 and not _PERIOD_BEFORE.search(before):
            yield _plain(match, DetailKind.NUMBER, share, "%", weak=half, digits=0)
    for match in _QUARTER.finditer(text):
        third = float(match["quarter"])
        yield replace(
            _plain(match, DetailKind.NUMBER, third, "ordinal"), things=frozenset(("quarter",))
        )
    for match in _ORDINAL_WORD.finditer(text):
        word = match.group().lower()
        value = sum(SMALL.get(part) or _ORDINALS.get(part, 0.0) for part in word.split("-"))
        if _SECOND.match(text, match.end()) and value <= 3:
            continue  # "third-party", "first of all", "a second later"
        yield _ordinal(text, match.start(), match.end(), value, weak=value <= 2)
    for match in _NUMBER.finditer(text):
        yield _number(text, match)


def _in_one_unit(text: str, found: Sequence[StatedQuantity]) -> list[StatedQuantity]:
    """The same in order, where "2 h 5 min" is 125 min."""
    result: list[StatedQuantity] = []
    for right in found:
        left = result[-1] if result else None
        if left is not None and _adds_to(text, left, right):
            value = left.value * UNITS[left.unit][1] / UNITS[right.unit][1] + right.value
            result[-1] = replace(right, start=left.start, value=value, digits=4)
        else:
            result.append(right)
    return result


def _adds_to(text: str, left: StatedQuantity, right: StatedQuantity) -> bool:
    """Whether the minutes of ``right`` go on with the hours of ``left``, or inches with feet."""
    if left.unit not in UNITS or right.unit not in UNITS or left.edge is not Edge.NONE:
        return False
    (kind, larger), (same, smaller) = UNITS[left.unit], UNITS[right.unit]
    return (
        kind == same
        and kind in ("duration", "length", "mass")
        and larger > smaller
        and right.value < larger / smaller
        and left.value == int(left.value)
        and _TOGETHER.fullmatch(text, left.end, right.start) is not None
    )


def _with_unit_of_range(text: str, found: list[StatedQuantity]) -> list[StatedQuantity]:
    """The same in order, where "5 to 8 km" has its unit for both."""
    result = list(found)
    for index, (left, right) in enumerate(pairwise(found)):
        alone = left.kind is right.kind is DetailKind.NUMBER and not (left.unit or left.things)
        # "Open until 6 - €15": the symbol ahead is that of one number.
        alone = alone and text[right.start].isalnum()
        if alone and RANGE.fullmatch(text, left.end, right.start) and right.unit != "ordinal":
            value = left.value * _magnitude(text, left, right)
            result[index] = replace(left, value=value, unit=right.unit, things=right.things)
    return result


def _magnitude(text: str, left: StatedQuantity, right: StatedQuantity) -> float:
    """What multiplies both ends of "40 to 55 thousand"; 1 where the left one is a number of its
    own, as it is in "900 to 1 million"."""
    written = _DIGITS.match(text, right.start)
    bare = float(plain_digits(written.group())) if written else 0.0
    factor = right.value / bare if bare else 1.0
    return factor if factor in _MAGNITUDES and left.value < bare else 1.0


def _with_edge(text: str, quantity: StatedQuantity) -> StatedQuantity:
    """``quantity`` with the side that the words around it name."""
    first = max(0, quantity.start - _REACH_OF_EDGE)
    match = _EDGES.search(text[first : quantity.start])
    if match and match["limit"]:
        start = first + match.start()
        return replace(quantity, edge_start=start, edge_end=quantity.end)
    if match:
        above = match["above"] or match["over"]
        start, end = first + match.start(), quantity.end
    else:
        behind = _EDGES_BEHIND.match(text, quantity.end)
        if behind is None:
            return quantity
        above, start, end = behind["above"], quantity.start, behind.end()
    edge = Edge.ABOVE if above else Edge.BELOW
    return replace(quantity, about=False, edge=edge, edge_start=start, edge_end=end)


def _with_sign(text: str, quantity: StatedQuantity) -> StatedQuantity:
    if quantity.kind is DetailKind.DATE or quantity.unit == "ordinal":
        return quantity
    lead = min(quantity.start, quantity.edge_start) if quantity.edge_end else quantity.start
    said = find_sign(text, quantity.start, quantity.end, lead)
    return replace(quantity, sign=said.sign, sign_start=said.start, sign_end=said.end)


_HAS_DATE_WORD = re.compile(
    rf"{_MONTH}|day|noon|midnight|morning|evening|clock|(?:half|quarter)\s+(?:past|to)\b",
    re.IGNORECASE,
)
_SECOND = re.compile(r"-?\s?(?:party|parties|hand|of all|aid|later\b)|[,:]")


def _plain(
    match: re.Match[str],
    kind: DetailKind,
    value: float,
    unit: str,
    *,
    weak: bool = False,
    digits: int = 4,
) -> StatedQuantity:
    return StatedQuantity(kind, match.start(), match.end(), float(value), unit, digits, weak=weak)


def _day_of(start: int, end: int, day: tuple[int, int, int]) -> StatedQuantity:
    unit = "year" if day[1:] == (0, 0) else "month" if day[::2] == (0, 0) else "date"
    value = float(day[0] or day[1])
    return StatedQuantity(DetailKind.DATE, start, end, value, unit, 4, day)


def _date(match: re.Match[str]) -> StatedQuantity | None:
    parts = match.groupdict()
    if parts.get("m"):
        month = _MONTH_NUMBER[parts["m"][:3].lower()]
    elif parts.get("n"):
        month = int(parts["n"])
    else:
        return None
    day, year = int(parts.get("d") or 0), int(parts.get("y") or 0)
    if not 1 <= month <= 12 or day > 31:
        return None
    if parts.get("m") == "may" and not year and _VERB.match(match.string, match.end()):
        return None  # "children of 12 may use it"
    end = match.end()
    return _day_of(match.start(), end, (year, month, day))


def _small(number: str) -> float:
    """Of a small number in digits or as a word."""
    plain = number.replace(",", "").lower()
    return float(plain) if plain.isdigit() else float(SMALL[plain])


def _part_of_unit(match: re.Match[str]) -> StatedQuantity:
    unit = (match["half"] or match["more"] or match["quarter"]).lower()
    if match["quarter"]:
        value = 0.75 if match["n"].lower() == "three" else 0.25
    elif match["half"]:
        value = 0.5
    else:
        value = 1.5 if match["by"].lower() == "half" else 1.25
    return _plain(match, DetailKind.NUMBER, value, unit, digits=2)


_HOURS_OF_DAY, _NOON = 24, 12
_VERB = re.compile(r"\s+[a-z]")
_OF_DECADE = re.compile(r"\b(?:the|early|mid|late)[\s-]$", re.IGNORECASE)
_LEAST_DECADE = 1000


def _spoken_time(match: re.Match[str]) -> StatedQuantity:
    hour = int(_small(match["hour"]))
    part = 30 if match["part"].lower() == "half" else 15
    minutes = 60 * hour + (part if match["side"].lower() == "past" else -part)
    return _plain(match, DetailKind.DATE, minutes % 1440, "time", digits=0)


def _spoken_hour(match: re.Match[str]) -> StatedQuantity | None:
    """None for a number that counts: "two in the morning and three in the afternoon"."""
    first = max(0, match.start() - _REACH_OF_EDGE)
    if match["part"] and not _HOUR_LEAD.search(match.string[first : match.start()]):
        return None
    hour, part = int(_small(match["hour"])), (match["part"] or match["later"] or "").lower()
    if hour > _HOURS_OF_DAY:
        return None
    late = part in ("afternoon", "evening") or (part == "" and hour == _NOON)
    hour = hour % _NOON + _NOON if late and hour <= _NOON else hour
    return replace(
        _plain(match, DetailKind.DATE, 60 * (hour % 24), "time", digits=4 * bool(part)),
        end=match.end("hour") if match["part"] else match.end(),
    )


def _time(match: re.Match[str]) -> StatedQuantity | None:
    if match["word"]:
        hour, minute = (0, 0) if match["word"] == "midnight" else (12, 0)
    else:
        hour = int(match["h"] or match["h2"])
        minute = int(match["m"] or match["m2"] or 0)
    if hour > 24 or minute > 59:
        return None
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    # Without "a.m." or "p.m." a small hour may be either: no digit of it is sure.
    sure = bool(match["half"] or match["word"] or hour > 12)
    return _plain(match, DetailKind.DATE, 60 * (hour % 24) + minute, "time", digits=4 * sure)


def _is_counted(text: str, start: int, end: int) -> bool:
    """Whether the four digits ``text[start:end]`` count something ("1500 people", "2000 km")."""
    if _MONEY_BEHIND.match(text, end):
        return True
    unit = _UNIT_WORD.match(text, end)
    if unit is None or "\n" in unit.group():
        return False
    word = singular(unit[1])
    if f"{word}s" in LARGE or word in LARGE or word in UNITS or word in _COUNTED:
        return unit[1].lower() != "in"
    plural = word != unit[1].lower() and unit[1].islower()
    return plural and not _YEAR_LEAD.search(text[max(0, start - 12) : start])


_COUNTED = frozenset(
    [
        "people",
        "person",
        "employee",
        "student",
        "visitor",
        "guest",
        "soldier",
        "word",
        "page",
        "seat",
    ]
)


def _ordinal(text: str, start: int, end: int, value: float, *, weak: bool) -> StatedQuantity:
    century = re.match(r"[\s-]+(century|centuries|millennium)\b", text[end : end + 14], re.I)
    if century:
        return StatedQuantity(DetailKind.DATE, start, end + century.end(), value, "century", 2)
    _, things, _ = _unit_behind(text, end)
    return StatedQuantity(
        DetailKind.NUMBER, start, end, value, "ordinal", 4, things=things, weak=weak
    )


def _number(text: str, match: re.Match[str]) -> StatedQuantity | None:
    start, end = match.span()
    start = signed_start(text, start)
    if match["ord"]:
        value = float(plain_digits(match["digits"]))
        return _ordinal(text, start, match.end("ord"), value, weak=False)
    value, digits = _written_value(match)
    unit, kind, things = "", DetailKind.NUMBER, frozenset[str]()
    symbol = _SYMBOL.match(text, end + (text[end : end + 1] == " ")) if match["digits"] else None
    # "30 s" is a duration, "in the 1990 s" is none.
    spaced = symbol is not None and symbol.group() == "s" and symbol.start() > end
    decade = _OF_DECADE.search(text[max(0, start - _REACH_OF_EDGE) : start]) is not None
    if spaced and (decade or value >= _LEAST_DECADE):
        symbol = None
    if match["digits"] and text[end : end + 1].isalpha() and not symbol:
        # "3D", "5G", "B2B": a name rather than a number.
        last = _word_end(text, end)
        return StatedQuantity(kind, start, last, value, text[end:last].lower(), max(digits, 1))
    if symbol:
        mark = symbol.group().replace(" ", "")
        glued = symbol.start() == end
        is_money = match["money"] or _CURRENCY_BEHIND.match(text, symbol.end())
        if mark.lower() in _SHORT and (is_money or mark != "m"):
            value *= _SHORT[mark.lower()]
            end = symbol.end()
        elif not (mark == "M" and not glued):
            unit, end = mark.lower(), symbol.end()
    if match["money"]:
        unit = match["money"].strip().lower().replace("us$", "$")
    elif match["digits"] and not unit and (behind := _MONEY_BEHIND.match(text, end)):
        unit, end = behind["symbol"] or behind["spaced"], behind.end()
    if not unit and (power := _SQUARE.match(text, end)):
        base = _POWERS.get(singular(power["unit"]), "")
        mark = f"{base}{'²' if power['square'] else '³'}"
        if mark in UNITS:
            unit, end = mark, power.end()
    if not unit:
        unit, things, end = _unit_behind(text, end)
    if unit in _SPEEDS and (per := _PER_HOUR.match(text, end)):
        unit, end = _SPEEDS[unit], per.end()
    weak = value <= 3 and not match["digits"] and unit not in UNITS
    first = max(0, start - _REACH_OF_EDGE)
    about = _ABOUT.search(text[first:start])
    return StatedQuantity(
        kind,
        start,
        end,
        value,
        unit,
        max(digits, 1),
        things=things,
        about=about is not None,
        weak=weak,
        edge_start=first + about.start() if about else 0,
        edge_end=end if about else 0,
        in_thousands=None if match["large"] else in_thousands(match["digits"] or ""),
    )


def _written_value(match: re.Match[str]) -> tuple[float, int]:
    """The value of a number with its "million" and its half, and its significant digits."""
    if match["digits"]:
        written = plain_digits(match["digits"])
        value = float(written)
        digits = len(written.replace(".", "").lstrip("0").rstrip("0" if "." not in written else ""))
    else:
        value, digits = words_value(match["words"]), 2
    if match["part"]:
        value += next(size for mark, size in _PARTS.items() if mark in match["part"].lower())
        digits += 1
    for word in re.findall(r"[a-z]+", match["large"].lower()):
        value *= _OTHER_LARGE.get(word) or LARGE[word.removesuffix("s")]
    return value, digits


def _word_end(text: str, end: int) -> int:
    while end < len(text) and (text[end].isalnum() or text[end] == "-"):
        end += 1
    return end


# Units that are words of their own besides.
_SHORT_UNITS = frozenset(("in", "s", "h", "m", "l", "g", "t", "w", "second"))


def _unit_behind(text: str, end: int) -> tuple[str, frozenset[str], int]:
    """The unit behind a number; else the words in which it says what it counts; and where the
    value ends: a unit belongs to it, a counted thing does not."""
    position = end
    things: list[str] = []
    for step in range(3):
        match = _UNIT_WORD.match(text, position)
        if match is None or "\n" in match.group():
            break
        written = match[1].lower()
        # "6 o'clock/15 euros", "at six the tour costs EUR 15": the unit is that of the next number.
        if "o'clock" in written.replace("\u2019", "'") or re.search(r"/\d", written):
            break
        if written in _CODES and re.match(r"\s\d", text[match.end() : match.end() + 2]):
            break
        word = singular(re.split(r"[-/]", written)[0])
        if word == "per" and (cent := re.match(r"\s+cent\b", text[match.end() :])):
            return "%", frozenset(), match.end() + cent.end()
        if singular(written) in UNITS and singular(written) not in _SHORT_UNITS:
            return singular(written), frozenset(), match.end()
        if word in UNITS and word not in _SHORT_UNITS:
            return word, frozenset(), match.start(1) + len(re.split(r"[-/]", written)[0])
        if step == 0 and (written in ("m", "l", "g") or written == "seconds"):
            return word, frozenset(), match.end()
        if is_function_word(written) or word in SMALL:
            break
        things.append(word)
        position = match.end()
    return "", frozenset(things) - _ANY_THING, end
