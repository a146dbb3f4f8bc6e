"""Phrases of a sentence, by rule: numbers, dates, names and clauses."""

from __future__ import annotations

import re
from bisect import bisect_left

from provenance_core.findings.kinds import Detail, DetailKind
from provenance_core.lexicon.units import MONTH, WEEKDAY
from provenance_core.lexicon.words import is_function_word
from provenance_core.text.splitting import Bounds

_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s+{MONTH}\.?(?:,?\s+\d{{4}})?|{MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?:,?\s+\d{{4}})?|{MONTH}\.?\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}/\d{{1,2}}/\d{{2,4}})\b"
)
# A unit may stand at the number, as in 16km, 1990s and 3rd.
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d+(?:[.,]\d+)*(?:%|[^\W\d_]{1,3}\b)?(?!\w)")
_WORD = re.compile(r"[^\W\d_][\w'’-]*\w")
_ANY_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")
# What belongs to the number before it.
_MAGNITUDE = re.compile(r"[ -](?:hundred|thousand|million|billion|trillion|percent|per cent)\b")
_SPELT_NUMBER = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion)\b",
    re.IGNORECASE,
)
# A run of white space is looked at from its beginning alone, so that a long one costs no more.
_CLAUSE = re.compile(
    r"[,;:]\s+|(?<!\s)\s++[-–—]\s+|(?<!\s)\s++(?=(?:and|but|or|while|whereas|although|because|which|who|whose"
    r"|where|when|after|before|so that|as well as|including|with)\b)"
)


def find_details(text: str) -> list[Detail]:
    """Find the numbers, dates and names of a sentence. A capital at the head of the sentence does
    not make a name. An acronym there does. In order and apart: a date wins over the numbers inside
    it."""
    return _apart(
        (DetailKind.DATE, [m.span() for m in _DATE.finditer(text)]),
        (DetailKind.NUMBER, [m.span() for m in _NUMBER.finditer(text)]),
        (DetailKind.NAME, find_names(text)),
    )


def find_names(text: str) -> list[Bounds]:
    """Find the names of a sentence. A capital at its head does not make one; an acronym there does.
    Nor does a single capital at the head of a cell or of a list's value ("Height: 30 m"). Start and
    end of each in characters, in order.

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
    """Find names with a capitalised word at the sentence's head as a part of the name behind it. As
    of :func:`find_names`."""
    first = _WORD.match(text, _head(text))
    names = find_names(text)
    if first and first.group()[0].isupper() and not is_function_word(first.group()):
        return [(first.start() if a == first.end() + 1 else a, b) for a, b in names]
    return names


def exchangeable_details(text: str) -> list[Detail]:
    """Find details that can stand in another's place. These are those of :func:`find_details`, with
    what makes a value whole ("69 million"), numbers in words and days of the week. In order and
    apart."""
    numbers = [m.span() for p in (_NUMBER, _SPELT_NUMBER) for m in p.finditer(text)]
    return _apart(
        (DetailKind.DATE, [m.span() for p in (_DATE, WEEKDAY) for m in p.finditer(text)]),
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
    """Find the clauses of a sentence. Start and end of each, without the marks and white space
    between them; the sentence itself where it has one.

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


def word_bounds(text: str) -> list[Bounds]:
    """Find the words and numbers of a text. Start and end of each in characters.

    >>> word_bounds("It is 1,000 m.")
    [(0, 2), (3, 5), (6, 11), (12, 13)]
    """
    return [match.span() for match in _ANY_WORD.finditer(text)]
