"""Where a claim gives one named thing the value of another: "Velo Plus has 60 GB" beside "Velo Plus
includes 20 GB. Velo Max includes 60 GB."

Rules over the wording, no model. A value counts as another's where every sentence that states it
begins with the name of something else, and a sentence about the claim's own thing has another value
of the same kind.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

from provenance_core.text.coverage import is_function_word, without_possessive
from provenance_core.text.phrases import DetailKind, Exchange, ExchangeKind, find_clauses
from provenance_core.text.premise_span import PremiseSpan
from provenance_core.text.quantities import StatedQuantity, between, find_quantities
from provenance_core.text.read_once import read_once
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import singular
from provenance_core.text.units import UNITS
from provenance_core.text.values import comparable, same_value

_NAME = re.compile(
    r"\b[A-Z][\w'\u2019-]*(?:\s+(?:(?:of|de|van)\s+)?[A-Z][\w'\u2019-]*)*(?:\s+\d{1,4}(?![\d%]|[.,]\d))?"
)
# What ends one record of a list in running text.
_RECORD_END = re.compile(r";\s+|\n+")
_DATED = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Week\b|Day\b")
_LEAD = re.compile(r"(?:[Tt]he\s+|[-*\u2022]\s+|\d{1,2}[.)]\s+)?")
# "Towns by population: Estrand 84,200", "Friday, 11 July: Tin Harbour".
_LABEL = re.compile(r"[^.;:\n]{1,80}:\s+(?=[A-Z])")
_HEAD = re.compile(
    r"(?P<name>[A-Z][\w'\u2019-]+)(?:,[^,;.\n]{1,60},)?"
    r"\s+(?:has|had|is|was|(?:[a-z]+(?:[^aious\W]s|es)))\s"
)
_NAMED_BEHIND = re.compile(r"(?:\b(?:is|was)|,)\s+\Z")
# "15 euros more than": a difference, which no sentence need state.
_COMPARED = re.compile(
    r"\s*(?:\w+\s+){0,2}(?:more|less|fewer|longer|shorter|cheaper|higher|lower|older|younger"
    r"|earlier|later|faster|slower|larger|smaller|ahead|behind|after|before|above|below|in total"
    r"|together)\b"
)
# "An hour instead of 35 minutes": the value of what the claim's own thing is compared with.
_CONTRAST = re.compile(
    r"\b(?:instead\s+of|rather\s+than|as\s+opposed\s+to|compared\s+(?:with|to)|against|versus|vs\.?"
    r"|unlike|not|up\s+from|down\s+from)\s+(?:\w+['\u2019]?s?\s+){0,2}$",
    re.IGNORECASE,
)
_REACH = 40
_PRONOUN = re.compile(r"(?:it|they|he|she|this|that|these|those)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence or a record of a list: its words, those of its names, the name that it is about
    as words, () where it shows none, and its values with their place in the premise. ``sure``:
    whether the name begins it and is no word of another kind."""

    words: frozenset[str]
    called: frozenset[str]
    name: tuple[str, ...]
    sure: bool
    quantities: tuple[StatedQuantity, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """The pieces of a premise that have a value, and the words of all names beside them."""

    pieces: tuple[_Piece, ...]
    names: frozenset[str]


def find_other_subject(claim: str, premises: Sequence[str]) -> tuple[Exchange, ...]:
    """Find the values in a claim that the premises state of another thing than it names.

    The value in the claim, and what a premise states of the thing that the claim names.

    Examples
    --------
    >>> claim = "Velo Plus has 60 GB."
    >>> premise = "Velo Plus includes 20 GB. Velo Max includes 60 GB."
    >>> [(claim[e.start : e.end], premise[e.other_start : e.other_end])
    ...  for e in find_other_subject(claim, [premise])]
    [('60 GB', '20 GB')]
    """
    values = _values(claim)
    if not values:
        return ()
    read = [_read(text) for text in premises]
    known = frozenset().union(*(each.names for each in read))
    names = [each for each in _names(claim, values) if known.issuperset(each[1])]
    said = _words(claim)
    owners = [_name_of(claim, quantity, names) for quantity in values]
    found: list[Exchange] = []
    for quantity, own in zip(values, owners, strict=True):
        if own is None or not is_of_something(claim, quantity):
            continue
        mates = [each for each, of in zip(values, owners, strict=True) if of == own]
        # A clause with a name of its own may stand beside one about the other thing.
        place = _stated_of_another(quantity, own, own if set(owners) - {own} else said, mates, read)
        if place is not None:
            found.append(
                Exchange(
                    ExchangeKind.SUBJECT,
                    quantity.start,
                    quantity.end,
                    place.premise,
                    place.start,
                    place.end,
                )
            )
    return tuple(found)


def is_of_something(claim: str, quantity: StatedQuantity) -> bool:
    """Whether a quantity is a value that a premise would state of one thing.

    False for a bare number, a loose value, a difference between two things and the value of what
    the thing is compared with.
    """
    bare = quantity.kind is DetailKind.NUMBER and not (quantity.unit or quantity.things)
    before = claim[max(0, quantity.start - _REACH) : quantity.start]
    compared = _COMPARED.match(claim, quantity.end) or _CONTRAST.search(before)
    return not (bare or quantity.weak or compared)


def _stated_of_another(
    quantity: StatedQuantity,
    own: frozenset[str],
    said: frozenset[str],
    values: Sequence[StatedQuantity],
    read: Sequence[_Read],
) -> PremiseSpan | None:
    """Where the context states the own thing's value, if it states the quantity of another one
    alone. ``own``: the words of the own thing; ``said``: those of the clause; ``values``: of the
    claim's quantities, those of the own thing."""
    pieces = [(index, piece) for index, of_one in enumerate(read) for piece in of_one.pieces]
    about_own: list[tuple[int, _Piece]] = []
    about_others: list[tuple[int, _Piece]] = []
    for index, piece in pieces:
        # The digit of "Aqua 5" may be a value of another as well.
        words = piece.called if any(word.isdigit() for word in own) else piece.words
        (about_own if own <= words else about_others).append((index, piece))
    agreeing = [piece for _, piece in about_others if _has_value(piece, quantity)]
    if not agreeing or any(_has_value(piece, quantity) for _, piece in about_own):
        return None
    predicate = _predicate(said - own)
    # A sentence may be about the claim's own thing unless it names another. What may be no name
    # counts where all is said that the claim says.
    if not all(piece.name and not set(piece.name) <= said for piece in agreeing):
        return None
    guessed = [piece for piece in agreeing if not piece.sure]
    if not all(predicate and predicate <= _predicate(piece.words) for piece in guessed):
        return None
    own_values = [
        (PremiseSpan(index, other.start, other.end), piece, other)
        for index, piece in about_own
        for other in piece.quantities
        if comparable(quantity, other) and not other.weak
    ]
    if not own_values:
        return None
    right, piece, other = own_values[0]
    said_already = any(same_value(each, other) for each in values)
    said_beside = bool(predicate & _predicate(piece.words))
    return None if said_already or (guessed and not said_beside) else right


def _has_value(piece: _Piece, quantity: StatedQuantity) -> bool:
    return any(same_value(quantity, other) for other in piece.quantities)


def _predicate(words: frozenset[str]) -> frozenset[str]:
    """What ``words`` say but for numbers, units and function words."""
    content = (singular(word) for word in words if word and not word[0].isdigit())
    return frozenset(word for word in content if not (is_function_word(word) or word in UNITS))


def _name_of(
    claim: str, quantity: StatedQuantity, names: Sequence[tuple[int, tuple[str, ...]]]
) -> frozenset[str] | None:
    """The words of the only name in the clause of ``quantity``, else the only one of the claim."""
    for start, end in find_clauses(claim):
        if start <= quantity.start < end:
            inside = {name for at, name in names if start <= at < end}
            if len(inside) == 1:
                return frozenset(next(iter(inside)))
    if _PRONOUN.match(claim):
        return None  # "It's 4 km long, whereas the Ridge Walk has two ladders."
    every = {name for _, name in names}
    lead = _LEAD.match(claim)
    heads = bool(names) and lead is not None and lead.end() >= names[0][0]
    return frozenset(names[0][1]) if heads or len(every) == 1 else None


def _values(text: str) -> list[StatedQuantity]:
    """The quantities of ``text`` but the number of a name ("Aqua 5")."""
    named = [match.span() for match in _NAME.finditer(text)]
    found = []
    for each in find_quantities(text):
        at = bisect_left(named, (each.start, 0)) - 1  # the last name that begins before it
        if each.kind is DetailKind.DATE or at < 0 or each.end > named[at][1]:
            found.append(each)
    return found


def _names(text: str, values: Sequence[StatedQuantity]) -> list[tuple[int, tuple[str, ...]]]:
    found = []
    for match in _NAME.finditer(text):
        before = bisect_right(values, match.start(), key=attrgetter("start"))
        in_value = before > 0 and match.start() < values[before - 1].end
        words = _name_words(match.group())
        if words and not in_value:
            found.append((match.start(), words))
    return found


def _name_words(name: str) -> tuple[str, ...]:
    words = [without_possessive(word).casefold() for word in name.split()]
    return tuple(word for word in words if not is_function_word(word))


@read_once
def _read(text: str) -> _Read:
    values = _values(text)
    names = _names(text, values)
    known = frozenset(
        word
        for start, name in names
        for word in name
        if start and not re.search(r"[.!?:;\n|]\s*$", text[max(0, start - 3) : start])
    )
    common = frozenset(re.findall(r"\b[a-z][\w'\u2019-]*", text))
    found: list[_Piece] = []
    for start, end in sentence_bounds(text):
        ends = [match.end() for match in _RECORD_END.finditer(text, start, end)]
        for a, b in zip([start, *ends], [*ends, end], strict=True):
            inside = tuple(between(values, a, b))
            if inside:
                sure = _leading(text, a, b, known)
                first = bisect_right(names, a, key=itemgetter(0))
                within = names[first : bisect_left(names, b, first, key=itemgetter(0))]
                lead = sure or _guessed(text, a, b, common, within)
                called = {word for _, name in within for word in name}.union(lead)
                found.append(_Piece(_words(text[a:b]), frozenset(called), lead, bool(sure), inside))
    return _Read(tuple(found), known.union(*(piece.called for piece in found)) if found else known)


def _leading(text: str, start: int, end: int, known: frozenset[str]) -> tuple[str, ...]:
    """The name that ``text[start:end]`` begins with; of one word only where the text has it as a
    name elsewhere, or a colon or a number follows."""
    lead = _LEAD.match(text, start)
    at = lead.end() if lead else start
    label = _LABEL.match(text, at, end)
    for first in (at, label.end() if label else at):
        match = _NAME.match(text, first, end)
        words = _name_words(match.group()) if match else ()
        if match is None or _DATED.match(text, first):
            continue
        sure = len(words) > 1 or set(words) <= known
        if words and (sure or re.match(r":|\s+\d", text[match.end() : end])):
            return words
    return ()


def _guessed(
    text: str,
    start: int,
    end: int,
    common: frozenset[str],
    names: Sequence[tuple[int, tuple[str, ...]]],
) -> tuple[str, ...]:
    """What ``text[start:end]`` is about where that is no sure name: the one word before its verb,
    which the text has nowhere in small letters ("Lomma has 2,310 inhabitants"), or its only name
    behind "is" or a comma ("The largest village, Lomma, has ...")."""
    head = _HEAD.match(text, start, end)
    words = _name_words(head["name"]) if head else ()
    if words and common.isdisjoint(words) and not _DATED.match(text, start):
        return words
    if len(names) == 1 and _NAMED_BEHIND.search(text[start : names[0][0]]):
        return names[0][1]
    return ()


def _words(text: str) -> frozenset[str]:
    return frozenset(
        without_possessive(word).casefold() for word in re.findall(r"[\w'\u2019-]+", text)
    )
