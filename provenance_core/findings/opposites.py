"""Where a claim says "increase" and the premise says "decrease" of the same thing.

English alone: pairs of words of opposite meaning, in two clauses that share nearly all of their
other content words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from provenance_core.findings.clauses import Clause, numbered_clauses, read_clauses
from provenance_core.findings.compare_values import same_value
from provenance_core.findings.kinds import Mismatch, MismatchKind
from provenance_core.findings.quantities import StatedQuantity, find_quantities
from provenance_core.lexicon.opposites import OPPOSITES

_SHARED = 0.8  # of the other content words of the shorter clause
_OF_CLAIM = 0.75  # of the claim's
_FEWEST = 2


def find_opposites(claim: str, premises: Sequence[str]) -> tuple[Mismatch, ...]:
    """Find the words of a claim in whose place a clause of the premises has their opposite. None is
    found where a clause of the premises that is as close has no opposite of the claim's words, or
    where one of the two clauses denies and the other does not. The units of one value are no
    opposites: "14 days" are "2 weeks".

    >>> claim = "Oil prices rose in the north."
    >>> premise = "Oil prices fell in the north in May."
    >>> (found,) = find_opposites(claim, [premise])
    >>> claim[found.start : found.end], premise[found.other_start : found.other_end]
    ('rose', 'fell')
    """
    others = numbered_clauses(premises)
    return tuple(
        found
        for own in read_clauses(claim)
        if (found := _opposite(claim, own, premises, others)) is not None
    )


def _opposite(
    claim: str, own: Clause, premises: Sequence[str], others: Sequence[tuple[int, Clause]]
) -> Mismatch | None:
    best: Mismatch | None = None
    most = agreed = 0.0
    for index, other in others:
        shared = len(own.stems & other.stems)
        if shared < _FEWEST:
            continue
        share = shared / len(own.stems)
        shorter, pairs = min(len(own.stems), len(other.stems)), _pairs(own, other)
        if shared < _SHARED * (shorter - len(pairs)):
            continue
        pairs = [
            (a, b)
            for a, b in pairs
            if not _of_one_value(claim, own.places[a], premises[index], other.places[b])
        ]
        if shared < _SHARED * (shorter - len(pairs)):
            continue
        if not pairs:
            agreed = max(agreed, share)
        elif len(pairs) == 1 and share > most and _same_place(own, other, *pairs[0]):
            most = share
            here, there = own.places[pairs[0][0]], other.places[pairs[0][1]]
            best = Mismatch(MismatchKind.OPPOSITE, *here, index, *there)
    return best if agreed <= most else None


def _pairs(own: Clause, other: Clause) -> list[tuple[str, str]]:
    only_own, only_other = own.stems - other.stems, other.stems - own.stems
    return [
        (a, b)
        for a in sorted(only_own & OPPOSITES.keys())
        for b in sorted(OPPOSITES[a] & only_other)
    ]


def _of_one_value(
    claim: str, place: tuple[int, int], premise: str, other_place: tuple[int, int]
) -> bool:
    """Whether two words, by their places, belong to values that are equal."""
    own, other = _value_at(claim, place), _value_at(premise, other_place)
    return own is not None and other is not None and same_value(own, other)


def _value_at(text: str, place: tuple[int, int]) -> StatedQuantity | None:
    """The value that holds a place of a text, which may have thousands; they stand apart."""
    values = find_quantities(text)
    at = bisect_right(values, place[0], key=attrgetter("start")) - 1
    return values[at] if at >= 0 and place[1] <= values[at].end else None


def _same_place(own: Clause, other: Clause, word: str, opposite: str) -> bool:
    """Whether a word and its opposite say something of the same thing."""
    enough = len(own.stems & other.stems) >= _OF_CLAIM * (len(own.stems) - 1)
    both = (own.head is None) == (other.head is None)
    return enough and both and bool(own.near_any(word) & other.near_any(opposite))
