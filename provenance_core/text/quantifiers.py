"""Where a claim says "all" and the premise says "some" of the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core.text.coverage import is_function_word
from provenance_core.text.premise_span import PremiseSpan
from provenance_core.text.read_once import read_once
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import singular

_WHOLE = frozenset(("all", "every", "each", "whole", "entire", "everyone", "everybody"))
_PART = frozenset(
    """some several many most few half part parts certain numerous majority minority various
    partly""".split()  # noqa: SIM905 - a list of words, not of quoted strings
)
_ALWAYS = frozenset(("always", "invariably"))
_NEVER = frozenset(("never",))
_SOMETIMES = frozenset(
    """usually often sometimes occasionally generally typically mostly frequently rarely seldom
    normally""".split()  # noqa: SIM905 - a list of words, not of quoted strings
)
# "not all", "almost every", "above all", "at all", "after all": no claim of a whole.
_SPOILED_BEFORE = frozenset(
    ("not", "nearly", "almost", "above", "at", "after", "over", "virtually", "practically")
)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
# How many words behind a quantifier may name the thing that it is of.
_REACH = 6
_MOST_THINGS = 3
# Share of the claim's content words in the premise's sentence that is about the same thing.
_SAME_SUBJECT = 0.4


@dataclass(frozen=True, slots=True)
class Overstated:
    """``claim[start:end]`` says the whole where ``premises[premise][other_start:other_end]`` says
    a part. Offsets in characters."""

    start: int
    end: int
    premise: int
    other_start: int
    other_end: int


@dataclass(frozen=True, slots=True)
class _Quantifier:
    start: int
    end: int
    word: str
    things: frozenset[str]


def find_overstated(claim: str, premises: Sequence[str]) -> tuple[Overstated, ...]:
    """Find the quantifiers of a claim that the closest sentence of the premises weakens.

    The quantifier in the claim, and the weaker one in the premise.

    Examples
    --------
    >>> claim, premise = "All lamps were replaced.", "Some lamps were replaced."
    >>> [(claim[o.start : o.end], premise[o.other_start : o.other_end])
    ...  for o in find_overstated(claim, [premise])]
    [('All', 'Some')]
    """
    strong = [q for q in _quantifiers(claim) if q.word in _WHOLE | _ALWAYS | _NEVER]
    if not strong:
        return ()
    closest = _closest_sentence(claim, premises)
    if closest is None:
        return ()
    premise, start, end = closest.premise, closest.start, closest.end
    near = [q for q in _quantifiers(premises[premise]) if start <= q.start < end]
    every = [q for text in premises for q in _quantifiers(text)]
    found = []
    for own in strong:
        if any(other.word in _strength(own.word) and _same(own, other) for other in every):
            continue
        weaker = next((q for q in near if _weakens(own, q)), None)
        if weaker is not None:
            found.append(Overstated(own.start, own.end, premise, weaker.start, weaker.end))
    return tuple(found)


def _strength(word: str) -> frozenset[str]:
    return _WHOLE if word in _WHOLE else _ALWAYS if word in _ALWAYS else _NEVER


def _same(own: _Quantifier, other: _Quantifier) -> bool:
    return own.word not in _WHOLE or bool(own.things & other.things)


def _weakens(own: _Quantifier, other: _Quantifier) -> bool:
    if own.word not in _WHOLE:
        return other.word in _SOMETIMES
    # "Many of them": the thing was named before.
    return other.word in _PART and (not other.things or bool(own.things & other.things))


@read_once
def _quantifiers(text: str) -> tuple[_Quantifier, ...]:
    words = list(_WORD.finditer(text))
    plain = [match.group().casefold() for match in words]
    found = []
    for at, word in enumerate(plain):
        if word not in _WHOLE | _PART | _ALWAYS | _NEVER | _SOMETIMES:
            continue
        end = words[at].end()
        if word in _WHOLE and _spoiled(plain[at - 1] if at else "", text[end : end + 1]):
            continue
        things = [
            singular(other)
            for other in plain[at + 1 : at + 1 + _REACH]
            if not is_function_word(other)
        ]
        pronoun = plain[at + 1 : at + 3] == ["of", "them"]
        found.append(
            _Quantifier(
                words[at].start(),
                end,
                word,
                frozenset() if pronoun else frozenset(things[:_MOST_THINGS]),
            )
        )
    return tuple(found)


def _spoiled(before: str, behind: str) -> bool:
    # "In all teams" is of the whole, "in all, 12 came" is not.
    return behind == "," if before == "in" else before in _SPOILED_BEFORE


def _closest_sentence(claim: str, premises: Sequence[str]) -> PremiseSpan | None:
    """The premise's sentence that shares most content words with the claim; None where none is
    about the same thing."""
    wanted = _content(claim)
    best: tuple[float, PremiseSpan] | None = None
    for index, premise in enumerate(premises):
        for start, end, content in _sentences(premise):
            shared = len(wanted & content) / max(1, len(wanted))
            if shared >= _SAME_SUBJECT and (best is None or shared > best[0]):
                best = shared, PremiseSpan(index, start, end)
    return best[1] if best else None


@read_once
def _sentences(premise: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """Start, end and content words of each sentence: every claim is held against all of them."""
    return tuple((a, b, _content(premise[a:b])) for a, b in sentence_bounds(premise))


def _content(text: str) -> frozenset[str]:
    quantifiers = _WHOLE | _PART | _ALWAYS | _NEVER | _SOMETIMES
    plain = (match.group().casefold() for match in _WORD.finditer(text))
    return frozenset(
        singular(word) for word in plain if not is_function_word(word) and word not in quantifiers
    )
