"""Where a claim gives one named thing the value of another: "Velo Plus has 60 GB" beside "Velo Plus
includes 20 GB. Velo Max includes 60 GB."

Rules over the wording, no model. A value counts as another's where every sentence that states it
begins with the name of something else, and a sentence about the claim's own thing has another value
of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from provenance_core.text.coverage import is_function_word, without_possessive
from provenance_core.text.phrases import DetailKind, Exchange, ExchangeKind, find_clauses
from provenance_core.text.quantities import StatedQuantity, find_quantities
from provenance_core.text.splitting import sentence_bounds
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
# "15 euros more than": a difference, which no sentence need state.
_COMPARED = re.compile(
    r"\s*(?:\w+\s+){0,2}(?:more|less|fewer|longer|shorter|cheaper|higher|lower|older|younger"
    r"|earlier|later|faster|slower|larger|smaller|ahead|behind|after|before|above|below|in total"
    r"|together)\b"
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence or a record of a list: its words, those of its names, those of every name of the
    premise so far, the name that it begins with as words, () where it begins with none, and its
    values with their place in the premise."""

    words: frozenset[str]
    called: frozenset[str]
    names: frozenset[str]
    name: tuple[str, ...]
    quantities: tuple[StatedQuantity, ...]


def find_other_subject(claim: str, premises: Sequence[str]) -> tuple[Exchange, ...]:
    """The values in ``claim`` that ``premises`` state of another than what the claim names, with
    what they state of that.

    >>> claim = "Velo Plus has 60 GB."
    >>> premise = "Velo Plus includes 20 GB. Velo Max includes 60 GB."
    >>> [(claim[e.start : e.end], premise[e.other_start : e.other_end])
    ...  for e in find_other_subject(claim, [premise])]
    [('60 GB', '20 GB')]
    """
    values = _values(claim)
    if not values:
        return ()
    pieces = [_pieces(text) for text in premises]
    known = {word for of_premise in pieces for piece in of_premise for word in piece.names}
    names = [each for each in _names(claim, values) if known.issuperset(each[1])]
    said = _words(claim)
    owners = [_name_of(claim, quantity, names) for quantity in values]
    found: list[Exchange] = []
    for quantity, own in zip(values, owners, strict=True):
        if own is None or not is_of_something(claim, quantity):
            continue
        mates = [each for each, of in zip(values, owners, strict=True) if of == own]
        # A clause with a name of its own may stand beside one about the other thing.
        place = _stated_of_another(
            quantity, own, own if set(owners) - {own} else said, mates, pieces
        )
        if place is not None:
            found.append(Exchange(ExchangeKind.SUBJECT, quantity.start, quantity.end, *place))
    return tuple(found)


def is_of_something(claim: str, quantity: StatedQuantity) -> bool:
    """Whether a quantity of ``claim`` is a value that a premise would state of one thing: no bare
    number, no loose value, and no difference between two things."""
    bare = quantity.kind is DetailKind.NUMBER and not (quantity.unit or quantity.things)
    return not (bare or quantity.weak or _COMPARED.match(claim, quantity.end))


def _stated_of_another(
    quantity: StatedQuantity,
    own: frozenset[str],
    said: frozenset[str],
    values: Sequence[StatedQuantity],
    pieces: Sequence[Sequence[_Piece]],
) -> tuple[int, int, int] | None:
    right: tuple[int, int, int] | None = None
    held = False
    for index, of_premise in enumerate(pieces):
        for piece in of_premise:
            agreeing = any(same_value(quantity, other) for other in piece.quantities)
            # The digit of "Aqua 5" may be a value of another as well.
            if own <= (piece.called if any(w.isdigit() for w in own) else piece.words):
                if agreeing:
                    return None
                for other in piece.quantities:
                    if right is None and comparable(quantity, other) and not other.weak:
                        if any(same_value(each, other) for each in values):
                            return None
                        right = index, other.start, other.end
            elif agreeing:
                # The sentence may be about the claim's own thing unless it names another.
                if not piece.name or set(piece.name) <= said:
                    return None
                held = True
    return right if held else None


def _name_of(
    claim: str, quantity: StatedQuantity, names: Sequence[tuple[int, tuple[str, ...]]]
) -> frozenset[str] | None:
    """The words of the only name in the clause of ``quantity``, else the only one of the claim."""
    for start, end in find_clauses(claim):
        if start <= quantity.start < end:
            inside = {name for at, name in names if start <= at < end}
            if len(inside) == 1:
                return frozenset(next(iter(inside)))
    every = {name for _, name in names}
    lead = _LEAD.match(claim)
    heads = bool(names) and lead is not None and lead.end() >= names[0][0]
    return frozenset(names[0][1]) if heads or len(every) == 1 else None


def _values(text: str) -> list[StatedQuantity]:
    """The quantities of ``text`` but the number of a name ("Aqua 5")."""
    named = [match.span() for match in _NAME.finditer(text)]
    return [
        each
        for each in find_quantities(text)
        if each.kind is DetailKind.DATE
        or not any(start < each.start and each.end <= end for start, end in named)
    ]


def _names(text: str, values: Sequence[StatedQuantity]) -> list[tuple[int, tuple[str, ...]]]:
    found = []
    for match in _NAME.finditer(text):
        in_value = any(q.start <= match.start() < q.end for q in values)
        words = _name_words(match.group())
        if words and not in_value:
            found.append((match.start(), words))
    return found


def _name_words(name: str) -> tuple[str, ...]:
    words = [without_possessive(word).casefold() for word in name.split()]
    return tuple(word for word in words if not is_function_word(word))


@lru_cache(maxsize=2_000)
def _pieces(text: str) -> tuple[_Piece, ...]:
    values = _values(text)
    names = _names(text, values)
    known = frozenset(
        word
        for start, name in names
        for word in name
        if start and not re.search(r"[.!?:;\n|]\s*$", text[max(0, start - 3) : start])
    )
    found: list[_Piece] = []
    for start, end in sentence_bounds(text):
        ends = [match.end() for match in _RECORD_END.finditer(text, start, end)]
        for a, b in zip([start, *ends], [*ends, end], strict=True):
            inside = tuple(q for q in values if a <= q.start < b)
            if inside:
                lead = _leading(text, a, b, known)
                called = {word for at, name in names if a < at < b for word in name}.union(lead)
                found.append(
                    _Piece(_words(text[a:b]), frozenset(called), known.union(called), lead, inside)
                )
    return tuple(found)


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


def _words(text: str) -> frozenset[str]:
    return frozenset(
        without_possessive(word).casefold() for word in re.findall(r"[\w'\u2019-]+", text)
    )
