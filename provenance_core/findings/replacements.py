"""A text with other words in it: a detail replaced by one of its kind, or taken out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.phrases import exchangeable_details, find_clauses
from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import content_stems, is_function_word, word_list
from provenance_core.text.splitting import Bounds

# What goes with a phrase that is taken out.
_LEAD = re.compile(
    r"(?:,\s*)?(?:\b(?:and|or|but|in|on|at|by|of|for|from|to|with|during|since|until|about|over"
    r"|under|around|nearly|almost|approximately|than|as)\s+)?(?:\b(?:the|a|an)\s+)?$",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s*\(\s*\)|\s{2,}")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.;:!?)])")
_MARKS = re.compile(r"[,;:]+(?=\s*[.,;:!?])")
_WORD_BEFORE = re.compile(r"([\w\u2019'-]+)\s+$")
_UNIT = 2  # weight of the word behind a detail
_WORD_AFTER = re.compile(r"^[\s-]+([\w\u2019'-]+)")
# They stand before anything.
_ANYWHERE = frozenset(
    "a an and are at by has have in is of on or the to was were with".split()  # noqa: SIM905
)


def without(text: str, spans: Sequence[Bounds]) -> str:
    """Take spans out of a text, each with the preposition, article or mark that leads to it. The
    rest, without white space and commas at its ends.

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
    """Join spans that touch or overlap. In order and apart.

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


def exchanged(text: str, span: Bounds, replacement: str, dropped: Sequence[Bounds] = ()) -> str:
    """Replace a span of a text, and take others out."""
    start, end = span
    moved = len(replacement) - (end - start)
    rest = [(a, b) if b <= start else (a + moved, b + moved) for a, b in dropped]
    return without(text[:start] + replacement + text[end:], rest)


def substitutes(text: str, span: Bounds, source: str) -> tuple[str, ...]:
    """Find the details of a source that could stand for a detail of a text. Each once, of the same
    kind and not said in ``text`` already; none where the span is no detail."""
    return tuple(dict.fromkeys(source[a:b] for a, b in _substitute_spans(text, span, source)))


def fitting_substitutes(
    text: str, span: Bounds, source: str, query: str = ""
) -> tuple[Bounds, ...]:
    """Find those substitutes that stand beside the same words, where some do. To "under 16" that is
    "under 12", not the "9" of "9 euros". Of numbers, those whose clause has the most words of
    ``text`` and its ``query``; none where that does not tell which of several with one unit is
    meant. Start and end of each in characters of ``source``.

    >>> source = "It costs 9 euros and is free under 12."
    >>> [source[a:b] for a, b in fitting_substitutes("Free under 16.", (11, 13), source)]
    ['12']
    """
    found = _substitute_spans(text, span, source)
    kinds = {(d.start, d.end): d.kind for d in exchangeable_details(text)}
    if found and kinds[span] is not DetailKind.NUMBER:
        beside = {other: _shared_neighbours(text, span, source, other) for other in found}
        return tuple(each for each in found if beside[each] == max(beside.values()))
    read = {other: _in_full(source, other, found[0]) for other in found}
    beside = {other: _shared_neighbours(text, span, *read[other]) for other in found}
    # A number is told by its unit first; the word before it may be said of several.
    unit = max((shared // _UNIT for shared in beside.values()), default=0)
    found = [other for other in found if beside[other] // _UNIT == unit]
    wanted = content_stems(f"{query} {text[: span[0]]} {text[span[1] :]}")
    said = {other: wanted & content_stems(read[other][0]) for other in found}
    found = [a for a in found if not any(said[a] < said[b] for b in found)]
    if len({said[other] for other in found}) < 2:
        most = max((beside[other] for other in found), default=0)
        found = [other for other in found if beside[other] == most]
    several = len({source[slice(*other)] for other in found}) > 1
    return () if unit and several else tuple(found)


def _in_full(source: str, value: Bounds, first: Bounds) -> tuple[str, Bounds]:
    """The clause around a value, and its place there. Before one that begins with it ("and 90 euros
    on long routes") stands what is before the ``first`` value."""
    start, end = next((a, b) for a, b in find_clauses(source) if a < value[1] and value[0] < b)
    lead = source[start : value[0]]
    if all(is_function_word(word) for word in word_list(lead)):
        lead = source[: first[0]]
    said = source[slice(*value)]
    return f"{lead}{said}{source[value[1] : end]}", (len(lead), len(lead) + len(said))


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
    for weight, (own, its) in ((_UNIT, behind), (1, before)):
        if own is not None and its is not None and own[1].casefold() not in _ANYWHERE:
            same = word_stem(own[1].casefold()) == word_stem(its[1].casefold())
            shared += weight if same else 0
    return shared
