"""Phrases of a sentence, by rule: numbers, dates, names and clauses; and a text without some."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from provenance_core.text.coverage import is_function_word
from provenance_core.text.splitting import Bounds
from provenance_core.text.stems import word_stem

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s+{_MONTH}\.?(?:,?\s+\d{{4}})?|{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?:,?\s+\d{{4}})?|{_MONTH}\.?\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}/\d{{1,2}}/\d{{2,4}})\b"
)
# A unit may stand at the number, as in 16km, 1990s and 3rd.
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d+(?:[.,]\d+)*(?:%|[^\W\d_]{1,3}\b)?(?!\w)")
_WORD = re.compile(r"[^\W\d_][\w'’-]+")
_ANY_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")
# What belongs to the number before it.
_MAGNITUDE = re.compile(r"[ -](?:hundred|thousand|million|billion|trillion|percent|per cent)\b")
_SPELT_NUMBER = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion)\b",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")
# A run of white space is looked at from its beginning alone, so that a long one costs no more.
_CLAUSE = re.compile(
    r"[,;:]\s+|(?<!\s)\s++[-–—]\s+|(?<!\s)\s++(?=(?:and|but|or|while|whereas|although|because|which|who|whose"
    r"|where|when|after|before|so that|as well as|including|with)\b)"
)
# What goes with a phrase that is taken out.
_LEAD = re.compile(
    r"(?:,\s*)?(?:\b(?:and|or|but|in|on|at|by|of|for|from|to|with|during|since|until|about|over"
    r"|under|around|nearly|almost|approximately|than|as)\s+)?(?:\b(?:the|a|an)\s+)?$",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s*\(\s*\)|\s{2,}")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.;:!?)])")
_MARKS = re.compile(r"[,;:]+(?=\s*[.,;:!?])")


class DetailKind(StrEnum):
    """What a detail is; one may stand for another of its kind."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"


class MismatchKind(StrEnum):
    """How the words of a claim differ from those of a premise in the same place."""

    DENIAL = "denial"  # one denies what the other states
    OPPOSITE = "opposite"  # a word stands where the other has one of opposite meaning


@dataclass(frozen=True, slots=True)
class Mismatch:
    """``claim[start:end]`` does not agree with ``premises[premise][other_start:other_end]``, which
    stands in its place. Offsets in characters."""

    kind: MismatchKind
    start: int
    end: int
    premise: int
    other_start: int
    other_end: int


@dataclass(frozen=True, slots=True)
class Detail:
    """A number, date or name, ``text[start:end]``."""

    kind: DetailKind
    start: int
    end: int


def find_details(text: str) -> list[Detail]:
    """Find the numbers, dates and names of a sentence.

    A capital at the head of the sentence does not make a name. An acronym there does.

    In order and apart: a date wins over the numbers inside it.
    """
    return _apart(
        (DetailKind.DATE, [m.span() for m in _DATE.finditer(text)]),
        (DetailKind.NUMBER, [m.span() for m in _NUMBER.finditer(text)]),
        (DetailKind.NAME, find_names(text)),
    )


def find_names(text: str) -> list[Bounds]:
    """Find the names of a sentence.

    A capital at its head does not make one; an acronym there does. Nor does a single capital at the
    head of a cell or of a list's value ("Height: 30 m").

    Start and end of each in characters, in order.

    Examples
    --------
    >>> [text[a:b] for text in ["The mill in Tarn is old."] for a, b in find_names(text)]
    ['Tarn']
    """
    return [
        (a, b)
        for a, b in _name_spans(text, _head(text))
        if " " in text[a:b] or _acronym(text[a:b]) or not _heads_cell(text, a)
    ]


def _heads_cell(text: str, start: int) -> bool:
    """Whether a cell's bar, or a colon or semicolon and a blank, lead to ``start``."""
    end = start
    while end and text[end - 1].isspace():
        end -= 1
    mark = text[end - 1 : end]
    return mark == "|" or (mark in (":", ";") and end < start)


def find_full_names(text: str) -> list[Bounds]:
    """Find names with a capitalised word at the sentence's head as a part of the name behind it.

    As of :func:`find_names`.
    """
    first = _WORD.match(text, _head(text))
    names = find_names(text)
    if first and first.group()[0].isupper() and not is_function_word(first.group()):
        return [(first.start() if a == first.end() + 1 else a, b) for a, b in names]
    return names


def exchangeable_details(text: str) -> list[Detail]:
    """Find details that can stand in another's place.

    These are those of :func:`find_details`, with what makes a value whole ("69 million"), numbers
    in words and days of the week.

    In order and apart.
    """
    numbers = [m.span() for p in (_NUMBER, _SPELT_NUMBER) for m in p.finditer(text)]
    return _apart(
        (DetailKind.DATE, [m.span() for p in (_DATE, _DAY) for m in p.finditer(text)]),
        (DetailKind.NUMBER, [_whole_value(text, a, b) for a, b in sorted(numbers)]),
        # A capital at the head tells nothing, but before another name it is part of it.
        (DetailKind.NAME, find_full_names(text)),
    )


def _head(text: str) -> int:
    """Where the first word of a sentence stands."""
    return len(text) - len(text.lstrip(" \t\r\n\"'“‘([-*•"))


def _whole_value(text: str, start: int, end: int) -> Bounds:
    while match := _MAGNITUDE.match(text, end):
        end = match.end()
    return start, end


def _apart(*found: tuple[DetailKind, list[Bounds]]) -> list[Detail]:
    """Details that do not overlap, the earlier kinds first."""
    kept: list[Detail] = []
    starts: list[int] = []
    for kind, spans in found:
        for a, b in spans:
            # Those kept do not overlap, so that their neighbours in order decide.
            at = bisect_left(starts, b)
            if at == 0 or kept[at - 1].end <= a:
                kept.insert(at, Detail(kind, a, b))
                starts.insert(at, a)
    return kept


def _name_spans(text: str, head: int) -> list[Bounds]:
    """Runs of words with a capital; the word at ``head`` begins none unless it is all capitals,
    since any sentence begins with one."""
    spans: list[Bounds] = []
    end = -1
    for match in _WORD.finditer(text):
        a, b = match.span()
        word = match.group()
        if not word[0].isupper() or (a == head and not _acronym(word)):
            continue
        if spans and end >= 0 and text[end:a].isspace():
            spans[-1] = (spans[-1][0], b)
        else:
            spans.append((a, b))
        end = b
    return spans


def _acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def find_clauses(text: str) -> list[Bounds]:
    """Find the clauses of a sentence.

    Start and end of each, without the marks and white space between them; the sentence itself where
    it has one.

    Examples
    --------
    >>> sentence = "It opened in 1932, and it was closed because a fire broke out."
    >>> [sentence[a:b] for a, b in find_clauses(sentence)]
    ['It opened in 1932', 'and it was closed', 'because a fire broke out']
    """
    edges = [0]
    ends: list[int] = []
    for match in _CLAUSE.finditer(text):
        if match.start() > edges[-1]:
            ends.append(match.start())
            edges.append(match.end())
    ends.append(len(text.rstrip().rstrip(".!?")))
    return [(a, b) for a, b in zip(edges, ends, strict=True) if b > a]


def without(text: str, spans: Sequence[Bounds]) -> str:
    """Take spans out of a text, each with the preposition, article or mark that leads to it.

    The rest, without white space and commas at its ends.

    Examples
    --------
    >>> without("It was opened in 1932 by Anna Berg.", [(17, 21)])
    'It was opened by Anna Berg.'
    """
    kept, position = [], 0
    for start, end in merged(spans):
        before = text[position:start]
        lead = _LEAD.search(before)
        kept.append(before[: lead.start()] if lead else before)
        position = end
    kept.append(text[position:])
    joined = " ".join(part.strip() if i else part.rstrip() for i, part in enumerate(kept))
    joined = _SPACES.sub(" ", joined)
    return _MARKS.sub("", _SPACE_BEFORE_MARK.sub(r"\1", joined)).strip(" ,;:")


def merged(spans: Sequence[Bounds]) -> list[Bounds]:
    """Join spans that touch or overlap.

    In order and apart.

    Examples
    --------
    >>> merged([(4, 6), (0, 2), (5, 9)])
    [(0, 2), (4, 9)]
    """
    result: list[Bounds] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def word_bounds(text: str) -> list[Bounds]:
    """Find the words and numbers of a text.

    Start and end of each in characters.

    Examples
    --------
    >>> word_bounds("It is 1,000 m.")
    [(0, 2), (3, 5), (6, 11), (12, 13)]
    """
    return [match.span() for match in _ANY_WORD.finditer(text)]


def exchanged(text: str, span: Bounds, replacement: str, dropped: Sequence[Bounds] = ()) -> str:
    """Replace a span of a text, and take others out.

    The new sentence.
    """
    start, end = span
    moved = len(replacement) - (end - start)
    rest = [(a, b) if b <= start else (a + moved, b + moved) for a, b in dropped]
    return without(text[:start] + replacement + text[end:], rest)


def substitutes(text: str, span: Bounds, source: str) -> tuple[str, ...]:
    """Find the details of a source that could stand for a detail of a text.

    Each once, of the same kind and not said in ``text`` already; none where the span is no detail.
    """
    return tuple(dict.fromkeys(source[a:b] for a, b in _substitute_spans(text, span, source)))


def fitting_substitutes(text: str, span: Bounds, source: str) -> tuple[Bounds, ...]:
    """Find those substitutes that stand beside the same words, where some do.

    To "under 16" that is "under 12", not the "9" of "9 euros".

    Start and end of each in characters of ``source``.

    Examples
    --------
    >>> source = "It costs 9 euros and is free under 12."
    >>> [source[a:b] for a, b in fitting_substitutes("Free under 16.", (11, 13), source)]
    ['12']
    """
    found = [
        (_shared_neighbours(text, span, source, other), other)
        for other in _substitute_spans(text, span, source)
    ]
    most = max((shared for shared, _ in found), default=0)
    return tuple(other for shared, other in found if shared == most)


def _substitute_spans(text: str, span: Bounds, source: str) -> list[Bounds]:
    kinds = [d.kind for d in exchangeable_details(text) if (d.start, d.end) == span]
    if not kinds:
        return []
    said = text.casefold()
    return [
        (d.start, d.end)
        for d in exchangeable_details(source)
        if d.kind is kinds[0] and source[d.start : d.end].casefold() not in said
    ]


_WORD_BEFORE = re.compile(r"([\w\u2019'-]+)\s+$")
_WORD_AFTER = re.compile(r"^[\s-]+([\w\u2019'-]+)")
# They stand before anything.
_ANYWHERE = frozenset(
    "a an and are at by has have in is of on or the to was were with".split()  # noqa: SIM905
)


def _shared_neighbours(text: str, span: Bounds, source: str, other: Bounds) -> int:
    """How much the words beside two details say that they are of the same: 2 for the word behind
    them, such as a unit, 1 for the one before them."""
    behind = [
        _WORD_AFTER.match(each[end : end + 40])
        for each, end in ((text, span[1]), (source, other[1]))
    ]
    before = [
        _WORD_BEFORE.search(each[max(0, start - 40) : start])
        for each, start in ((text, span[0]), (source, other[0]))
    ]
    shared = 0
    for weight, (own, its) in ((2, behind), (1, before)):
        if own is not None and its is not None and own[1].casefold() not in _ANYWHERE:
            same = word_stem(own[1].casefold()) == word_stem(its[1].casefold())
            shared += weight if same else 0
    return shared
