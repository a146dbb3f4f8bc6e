"""Where a claim includes what the premise excepts, or excepts what it includes.

English alone: "closed on Mondays even if it is a public holiday" beside "closed on Mondays, except
on public holidays".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from provenance_core.text.coverage import content_stems
from provenance_core.text.negations import denial_pattern
from provenance_core.text.phrases import Exchange, ExchangeKind
from provenance_core.text.read_once import read_once
from provenance_core.text.splitting import sentence_bounds

_OF_TIME = r"(?:\s+(?:if|when|where|while|during|on|in|at|for|to|from|with|by|as))?"
_EXCEPTS = re.compile(
    rf"\b(?:except(?:ing)?|apart\s+from|other\s+than|with\s+the\s+exception\s+of|exclud(?:ing|es)"
    rf"|but\s+not(?!\s+limited)|unless){_OF_TIME}\s+(?P<what>[^.;:(),]+)",
    re.IGNORECASE,
)
_INCLUDES = re.compile(
    rf"\b(?:including|includes|even){_OF_TIME}\s+(?P<what>[^.;:(),]+)", re.IGNORECASE
)
_DENIES = denial_pattern("nobody", "none", "closed", "shut")
# How much of the shorter of both phrases the other has, and how many words the rests share.
_SAME_PHRASE = 0.6
_FEWEST_SHARED = 2


@dataclass(frozen=True, slots=True)
class _Scope:
    """A phrase that a sentence excepts or includes: its place in the text, its stems, those of the
    rest of the sentence, and whether the part before it denies."""

    start: int
    end: int
    stems: frozenset[str]
    rest: frozenset[str]
    denies: bool


def find_other_scope(claim: str, premises: Sequence[str]) -> tuple[Exchange, ...]:
    """Find the exceptions of a claim that the premises include, and the other way round.

    Both sentences must be about the same thing, and both must deny or neither: "Nobody may enter,
    except members" includes them in "Anybody may enter, including members".

    The phrase in the claim, and that of the premise.

    Examples
    --------
    >>> claim = "The castle is closed on Mondays even if it is a public holiday."
    >>> premise = "The castle is closed on Mondays, except on public holidays."
    >>> (found,) = find_other_scope(claim, [premise])
    >>> claim[found.start : found.end], premise[found.other_start : found.other_end]
    ('even if it is a public holiday', 'except on public holidays')
    """
    found: list[Exchange] = []
    for own, other in ((_included, _excepted), (_excepted, _included)):
        for scope in own(claim):
            if any(_alike(scope, each) for text in premises for each in own(text)):
                continue
            place = next(
                (
                    (index, each)
                    for index, text in enumerate(premises)
                    for each in other(text)
                    if _alike(scope, each)
                ),
                None,
            )
            if place is not None:
                index, there = place
                found.append(
                    Exchange(
                        ExchangeKind.DENIAL, scope.start, scope.end, index, there.start, there.end
                    )
                )
    return tuple(sorted(found, key=lambda each: each.start))


@read_once
def _excepted(text: str) -> tuple[_Scope, ...]:
    return tuple(_scopes(text, _EXCEPTS))


@read_once
def _included(text: str) -> tuple[_Scope, ...]:
    return tuple(_scopes(text, _INCLUDES))


def _scopes(text: str, pattern: re.Pattern[str]) -> Iterator[_Scope]:
    if not pattern.search(text):
        return
    for start, end in sentence_bounds(text):
        for match in pattern.finditer(text, start, end):
            before = text[start : match.start()]
            yield _Scope(
                match.start(),
                match.start() + len(match.group().rstrip()),
                content_stems(match["what"]),
                content_stems(f"{before} {text[match.end() : end]}"),
                _DENIES.search(before) is not None,
            )


def _alike(one: _Scope, other: _Scope) -> bool:
    shared = len(one.stems & other.stems)
    same_phrase = shared and shared >= _SAME_PHRASE * min(len(one.stems), len(other.stems))
    same_thing = len(one.rest & other.rest) >= min(_FEWEST_SHARED, len(one.rest), len(other.rest))
    return bool(same_phrase) and same_thing and one.denies == other.denies
