"""Where a claim gives one of two parallel things the value of the other: "The rye loaf costs 6.40
euros" beside "The rye loaf costs 5.20 euros, the spelt loaf 6.40 euros."

Rules over the wording, no model. A sentence of the context is read in parts, each with a value. The
value of one part counts as another's where the claim has every word that tells the other part from
it and lacks a word of its own, and where no other sentence states the value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core.text.coverage import is_function_word
from provenance_core.text.other_subjects import is_of_something
from provenance_core.text.phrases import Exchange, ExchangeKind
from provenance_core.text.premise_span import PremiseSpan
from provenance_core.text.quantities import StatedQuantity, between, find_quantities
from provenance_core.text.read_once import read_once
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import word_stem
from provenance_core.text.values import comparable, same_value

_BETWEEN = re.compile(r",\s+(?:(?:and|but|while|whereas)\s+)?|;\s+|\s+(?:and|but|while|whereas)\s+")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
# A day of the week tells one part from another, and is no value here.
_DAY = re.compile(r"(?:on\s+)?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?", re.IGNORECASE)
# Lists that belong to other lists, and remarks on a value.
_UNCLEAR = re.compile(r"[()]|\brespectively\b", re.IGNORECASE)
_ARTICLES = frozenset(("a", "an", "the"))
# Parts that each have one of these are parallel, though they share no other word.
_TIMES = frozenset(
    map(
        word_stem,
        """monday tuesday wednesday thursday friday saturday sunday weekday weekend holiday
        spring summer autumn fall winter morning afternoon evening night""".split(),  # noqa: SIM905
    )
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence: the stems of its content words, whether it has no other words than
    these, articles and its values ("the spelt loaf 6.40 euros"), and its values with their places
    in the premise."""

    stems: frozenset[str]
    bare: bool
    quantities: tuple[StatedQuantity, ...]


def find_other_parallel(claim: str, premises: Sequence[str]) -> tuple[Exchange, ...]:
    """Find the values in a claim that the premises state of a parallel thing.

    The value in the claim, and what the same sentence of a premise states of the claim's own thing.

    Examples
    --------
    >>> claim = "The rye loaf costs 6.40 euros."
    >>> premise = "The rye loaf costs 5.20 euros, the spelt loaf 6.40 euros."
    >>> [(claim[e.start : e.end], premise[e.other_start : e.other_end])
    ...  for e in find_other_parallel(claim, [premise])]
    [('6.40 euros', '5.20 euros')]
    """
    every = _values(claim)
    values = [each for each in every if is_of_something(claim, each)]
    # A claim of several parts, each with a value, may state both things.
    if not values or any(len(parts) > 1 for parts in _sentences(claim)):
        return ()
    said = _part(claim, every, 0).stems
    sentences = [(at, parts) for at, text in enumerate(premises) for parts in _sentences(text)]
    found = []
    for value in values:
        place = _of_another(value, said, values, sentences)
        if place is not None:
            found.append(
                Exchange(
                    ExchangeKind.SUBJECT,
                    value.start,
                    value.end,
                    place.premise,
                    place.start,
                    place.end,
                )
            )
    return tuple(found)


def _of_another(
    value: StatedQuantity,
    said: frozenset[str],
    values: Sequence[StatedQuantity],
    sentences: Sequence[tuple[int, Sequence[_Part]]],
) -> PremiseSpan | None:
    """What is stated of the claim's own thing; None where the value may be right."""
    stating = [
        (at, parts, part)
        for at, parts in sentences
        for part in parts
        if any(same_value(value, other) for other in part.quantities)
    ]
    if len(stating) != 1:
        return None
    at, parts, theirs = stating[0]
    for own in parts:
        if own is theirs or not _is_parallel(own, theirs, said):
            continue
        if any(same_value(each, other) for each in values for other in own.quantities):
            continue
        # "From 10 am to 4 pm": the value at the same place first.
        place = next(i for i, q in enumerate(theirs.quantities) if same_value(value, q))
        for other in (*own.quantities[place:], *own.quantities[:place]):
            if comparable(value, other) and not other.weak:
                return PremiseSpan(at, other.start, other.end)
    return None


def _is_parallel(own: _Part, theirs: _Part, said: frozenset[str]) -> bool:
    """Whether the claim, which has the words ``said``, is about ``own`` and not about ``theirs``,
    a part of the same making."""
    of_own, of_theirs = own.stems - theirs.stems, theirs.stems - own.stems
    if not of_own or not of_own <= said or not of_theirs or of_theirs <= said:
        return False
    at_times = bool(of_own & _TIMES) and bool(of_theirs & _TIMES)
    return at_times or bool(own.stems & theirs.stems) or (theirs.bare and not of_theirs & said)


@read_once
def _sentences(text: str) -> tuple[tuple[_Part, ...], ...]:
    """The parts of each sentence with a value. What has no value belongs to the part behind it, at
    the end to the part before."""
    values = _values(text)
    found = []
    for start, end in sentence_bounds(text):
        inside = between(values, start, end)
        edges = [start]
        marks = [] if _UNCLEAR.search(text, start, end) else _BETWEEN.finditer(text, start, end)
        for match in marks:
            before = between(inside, edges[-1], match.end())
            # The last one before its end alone may reach into the mark.
            cuts = bool(before) and match.start() < before[-1].end
            if not cuts and before:
                edges.append(match.end())
        if len(edges) > 1 and not between(inside, edges[-1], end):
            edges.pop()
        if inside:
            found.append(
                tuple(
                    _part(text[a:b], between(inside, a, b), a)
                    for a, b in zip(edges, [*edges[1:], end], strict=True)
                )
            )
    return tuple(found)


def _values(text: str) -> list[StatedQuantity]:
    return [q for q in find_quantities(text) if not _DAY.fullmatch(text[q.start : q.end])]


def _part(text: str, quantities: Sequence[StatedQuantity], at: int) -> _Part:
    """The part ``text``, which begins at ``at``, with its quantities."""
    plain = _without(text, quantities, at)
    words = {match.group().casefold() for match in _WORD.finditer(plain)}
    others = {word for word in words if is_function_word(word)}
    stems = frozenset(map(word_stem, words - others))
    return _Part(stems, others <= _ARTICLES, tuple(quantities))


def _without(text: str, quantities: Sequence[StatedQuantity], at: int) -> str:
    """``text``, which begins at ``at``, less its values."""
    kept, position = [], 0
    for each in sorted(quantities, key=lambda q: q.start):
        kept.append(text[position : max(position, each.start - at)])
        position = max(position, each.end - at)
    return " ".join([*kept, text[position:]])
