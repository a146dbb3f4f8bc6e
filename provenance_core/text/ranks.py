"""Where a claim gives something another rank than the context: "the largest" beside "the second
largest", "won" beside the second place of a list.

Rules over the wording, for English. A list of ranks is numbered from 1 on; a list of sizes has a
name and a number in each of its parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from provenance_core.text.coverage import content_words, is_function_word, without_possessive
from provenance_core.text.phrases import Exchange, ExchangeKind, find_clauses
from provenance_core.text.read_once import read_once
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import singular

_ORDINALS = {
    word: rank
    for rank, words in enumerate(
        ("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th", "sixth 6th"), 1
    )
    for word in words.split()
}
_LARGE = frozenset(("largest", "biggest", "highest", "greatest"))
_SMALL = frozenset(("smallest", "lowest"))
_SUPERLATIVE = re.compile(
    rf"\b(?:(?P<rank>{'|'.join(_ORDINALS)})[\s-]+)?(?P<word>{'|'.join(sorted(_LARGE | _SMALL))}"
    r"|longest|shortest|tallest|deepest|widest|oldest|youngest|newest|fastest|slowest|richest|poorest"
    r"|heaviest|busiest|cheapest|strongest|most\s+[a-z]+)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:(?P<won>(?:won|wins)(?=\s+(?:the|in|by|with|at|on|ahead)\b|\s*[.,;]|$)|winner|gold)|(?P<silver>silver|runner-up)|(?P<bronze>bronze)"
    rf"|(?:came|was|finished|placed|in|ranks|ranked)\s+(?:the\s+)?(?P<rank>{'|'.join(_ORDINALS)})"
    r"(?=\s+(?:place|in|at|with|by|among)\b|\s*[,.;]|$))",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w'\u2019-]*(?:\s+[A-Z][\w'\u2019-]*){0,4}"
_NUMBERED = re.compile(rf"(?<![\w.])(?P<rank>\d{{1,2}})[.)]\s+(?P<name>{_NAME})")
_SIZED = re.compile(rf"(?P<name>{_NAME})\s+(?P<size>\d+(?:,\d{{3}})*(?:\.\d+)?)(?=\s*[;.]|$)")
_PLACED = re.compile(
    rf"(?P<name>{_NAME})\s+(?:(?:was|came|finished|ended|ranked)\s+)?(?:in\s+)?(?:the\s+)?"
    rf"(?P<rank>{'|'.join(_ORDINALS)})(?=\s+(?:place|in|at)\b|\s*[,.;]|\s+and\b|$)"
)
_FEWEST_PLACED = 2
_AHEAD = re.compile(
    rf"(?P<first>{_NAME})\s[^.;]{{0,60}}?\b(?:ahead\s+of|before|in\s+front\s+of)\s+(?P<second>{_NAME})"
)
_CAPITAL = re.compile(r"\b[A-Z][\w\u2019'-]*")
# Share of the claim's content words in the sentence that ranks the same.
_SAME_SUBJECT = 0.5
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A superlative with its rank, 1 without an ordinal; its sentence's other content words and the
    words of the names in it. ``start``, ``end``: of the superlative."""

    word: str
    rank: int
    content: frozenset[str]
    names: frozenset[str]
    start: int
    end: int


def find_other_ranks(claim: str, premises: Sequence[str]) -> tuple[Exchange, ...]:
    """Find the ranks in a claim that the premises contradict.

    The rank in the claim, and the place in a premise that states another.

    Examples
    --------
    >>> claim, premise = "It is the largest mill in Holm.", "The mill is the third largest in Holm."
    >>> [(claim[e.start : e.end], premise[e.other_start : e.other_end])
    ...  for e in find_other_ranks(claim, [premise])]
    [('largest', 'third largest')]
    """
    return (
        *_other_superlatives(claim, premises),
        *(_other_places(claim, premises) or _other_orders(claim, premises)),
    )


def _other_superlatives(claim: str, premises: Sequence[str]) -> list[Exchange]:
    found = []
    for own in _superlatives(claim):
        same = [
            (index, other)
            for index, text in enumerate(premises)
            for other in _superlatives(text)
            if other.word == own.word
        ]
        if any(other.rank == own.rank for _, other in same):
            continue
        for index, other in same:
            shared = len(own.content & other.content)
            close = shared and shared >= _SAME_SUBJECT * len(own.content)
            # The same place and, where both name it, the same thing.
            if close and own.names <= other.names and other.names <= own.names | _named(premises):
                found.append(_exchange(own.start, own.end, index, other.start, other.end))
                break
    return found


def _named(premises: Sequence[str]) -> frozenset[str]:
    """Names that a pronoun of the claim may stand for: what the premises' sentences begin with."""
    heads = (re.match(_NAME, text[a:b].lstrip()) for text in premises for a, b in _bounds(text))
    return frozenset(word for head in heads if head for word in head.group().casefold().split())


@read_once
def _bounds(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentence_bounds(text))


@read_once
def _superlatives(text: str) -> tuple[_Ranked, ...]:
    found = []
    for start, end in _bounds(text):
        sentence = text[start:end]
        names = frozenset(
            without_possessive(word).casefold()
            for word in _CAPITAL.findall(sentence)
            if not is_function_word(word)
        )
        content = frozenset(singular(word) for word in content_words(sentence))
        for match in _SUPERLATIVE.finditer(sentence):
            rank = _ORDINALS[match["rank"].lower()] if match["rank"] else 1
            word = " ".join(match["word"].lower().split())
            found.append(
                _Ranked(
                    word,
                    rank,
                    content - {word, (match["rank"] or "").lower()},
                    names,
                    start + match.start(),
                    start + match.end(),
                )
            )
    return tuple(found)


def _other_places(claim: str, premises: Sequence[str]) -> list[Exchange]:
    found = []
    for start, end in find_clauses(claim):
        clause = claim[start:end]
        told = _place(clause)
        if told is None:
            continue
        word = told.superlative
        for index, text in enumerate(premises):
            ranking = _sized(text, word) if word else _numbered(text) or _placed(text)
            named = [name for name in ranking if re.search(rf"\b{re.escape(name)}\b", clause)]
            if len(named) == 1 and (place := ranking[named[0]]).rank != told.rank:
                found.append(
                    _exchange(start + told.start, start + told.end, index, place.start, place.end)
                )
    return found


def _other_orders(claim: str, premises: Sequence[str]) -> list[Exchange]:
    """Where the claim has one ahead of another who is before it in a ranking."""
    found = []
    for match in _AHEAD.finditer(claim):
        for index, text in enumerate(premises):
            ranking = _numbered(text) or _placed(text)
            first, second = ranking.get(match["first"]), ranking.get(match["second"])
            if first and second and first.rank > second.rank:
                found.append(_exchange(*match.span(), index, second.start, second.end))
    return found


@dataclass(frozen=True, slots=True)
class _ToldRank:
    """The one rank that ``clause[start:end]`` tells, and the superlative that it counts in ("" of a
    place in a race)."""

    start: int
    end: int
    rank: int
    superlative: str


def _place(clause: str) -> _ToldRank | None:
    """The rank that a clause tells; None where it tells none or several."""
    sizes = [m for m in _SUPERLATIVE.finditer(clause) if m["word"].lower() in _LARGE | _SMALL]
    places = list(_PLACE.finditer(clause))
    if len(sizes) + len(places) != 1:
        return None
    if sizes:
        rank = _ORDINALS[sizes[0]["rank"].lower()] if sizes[0]["rank"] else 1
        return _ToldRank(*sizes[0].span(), rank, sizes[0]["word"].lower())
    match = places[0]
    if match["rank"]:
        return _ToldRank(*match.span(), _ORDINALS[match["rank"].lower()], "")
    return _ToldRank(*match.span(), 1 if match["won"] else 2 if match["silver"] else 3, "")


@dataclass(frozen=True, slots=True)
class _RankOfName:
    """The rank of a name, and the characters of the premise that tell it."""

    rank: int
    start: int
    end: int


_Ranking = Mapping[str, _RankOfName]


@read_once
def _numbered(text: str) -> _Ranking:
    """Names by their rank, with their place: of one list that counts from 1 on."""
    found: dict[str, _RankOfName] = {}
    for match in _NUMBERED.finditer(text):
        if int(match["rank"]) != len(found) + 1:
            return {}
        found[match["name"]] = _RankOfName(int(match["rank"]), *match.span())
    return found if len(found) >= _FEWEST else {}


@read_once
def _placed(text: str) -> _Ranking:
    """Names by the place that one sentence gives each: "Ines Falk in second place and Joan Orme in
    third"."""
    for start, end in _bounds(text):
        found: dict[str, _RankOfName] = {}
        for match in _PLACED.finditer(text, start, end):
            found[match["name"]] = _RankOfName(_ORDINALS[match["rank"].lower()], *match.span())
        if len(found) >= _FEWEST_PLACED:
            return found
    return {}


@read_once
def _sized(text: str, word: str) -> _Ranking:
    """Names by the rank of their sizes, from the largest on, or from the smallest."""
    for start, end in _bounds(text):
        if text.count(";", start, end) < _FEWEST - 1:
            continue
        sizes = [
            (float(match["size"].replace(",", "")), match)
            for match in _SIZED.finditer(text, start, end)
        ]
        if len(sizes) == text.count(";", start, end) + 1:
            order = sorted(sizes, key=lambda each: each[0], reverse=word in _LARGE)
            return {m["name"]: _RankOfName(rank, *m.span()) for rank, (_, m) in enumerate(order, 1)}
    return {}


def _exchange(start: int, end: int, premise: int, other_start: int, other_end: int) -> Exchange:
    return Exchange(ExchangeKind.RANK, start, end, premise, other_start, other_end)
