"""How much of a claim is copied from a text: shared word n-grams, the longest copied run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from provenance_core.lexicon.numerals import normal_words
from provenance_core.lexicon.readings import READINGS_KEPT
from provenance_core.text.list_markers import marker_length

LONGEST_NGRAM = 4
# A sentence of fewer words may stand anywhere by chance.
LEAST_VERBATIM_WORDS = 4

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-"})
_SPACE = re.compile(r"\s+")
# What a sentence may stand between.
_BEGINS = re.compile(
    r"(?:^|[.!?:;\u2026\n])[\s\"'*_)\]]*(?:[-*+\u2022]\s|\d{1,2}[.)]\s)?[\s\"'*_(\[]*$"
)
_CLOSES = re.compile(r"[\"'*_)\]]*(?:$|\s*\n|[.!;:\u2026](?!\w))")
_FRINGE = 12
_ENDS = re.compile(r"^[\s\"'*_(\[]+|[\s\"'*_.!?;:,\u2026)\]]+$")


@dataclass(frozen=True, slots=True)
class Copied:
    """What of a claim stands in a text.

    ``shares``: of its distinct word 1-, 2-, 3- and 4-grams, each in [0, 1]; a claim of fewer words
    has the share of its longest n-grams in the places behind them. ``longest_run``: words of the
    longest run that stands there as it is; ``run_share``: of the claim's words, in [0, 1].
    """

    shares: tuple[float, float, float, float]
    longest_run: int
    run_share: float


def copied(claim: str, texts: Sequence[str]) -> tuple[Copied, ...]:
    """Measure what of a claim stands in each of several texts.

    Words are compared without case and punctuation, numbers by their value.

    One for each text.

    Examples
    --------
    >>> copied("It is very long.", ["It is long."])[0].shares[:2]
    (0.75, 0.3333333333333333)
    """
    return tuple(_copied(claim, (_ngrams(text),)) for text in texts)


def copied_from_all(claim: str, texts: Sequence[str]) -> Copied:
    """Measure what of a claim stands in any of several texts.

    No n-gram and no run of it spans two texts.
    """
    return _copied(claim, tuple(_ngrams(text) for text in texts))


def stands_verbatim(sentence: str, text: str) -> bool:
    """Whether a sentence stands in a text as a sentence, word for word.

    White space, case, the kind of quotes, a list marker before it and punctuation around it do not
    count; all else does, punctuation within it too. As a part of a longer sentence it does not
    stand there, because that may deny it ("Nobody says that ..."); nor as a question.

    False for fewer than four words.

    Examples
    --------
    >>> stands_verbatim("The old mill is red.", "Nobody says that the old mill is red.")
    False
    >>> stands_verbatim("The old mill is red.", "It rains. the old mill is red! Come.")
    True
    """
    wanted = _ENDS.sub("", _plain(sentence[marker_length(sentence) :]).replace("\n", " "))
    if len(wanted.split()) < LEAST_VERBATIM_WORDS:
        return False
    held = _plain(text)
    in_one_line = held.replace("\n", " ")
    position = in_one_line.find(wanted)
    while position >= 0:
        end = position + len(wanted)
        before = held[position - _FRINGE : position] if position > _FRINGE else held[:position]
        begins = _BEGINS.search(before if position <= _FRINGE else f"x{before}")
        if begins and _CLOSES.match(held[end : end + _FRINGE]):
            return True
        position = in_one_line.find(wanted, position + 1)
    return False


@lru_cache(maxsize=READINGS_KEPT)
def _plain(text: str) -> str:
    """``text`` with one kind of quote, without case, each run of white space as a line break or
    a space."""
    plain = text.translate(_QUOTES).casefold().strip()
    return _SPACE.sub(lambda match: "\n" if "\n" in match.group() else " ", plain)


@dataclass(frozen=True, slots=True)
class _Ngrams:
    words: tuple[str, ...]
    by_length: tuple[frozenset[tuple[str, ...]], ...]  # of 1 to 4 words
    places: dict[str, list[int]]  # of each word


@lru_cache(maxsize=READINGS_KEPT)
def _ngrams(text: str) -> _Ngrams:
    words = normal_words(text)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return _Ngrams(words, tuple(_of_length(words, n) for n in range(1, LONGEST_NGRAM + 1)), places)


def _of_length(words: tuple[str, ...], n: int) -> frozenset[tuple[str, ...]]:
    if n == 1:
        return frozenset((word,) for word in words)
    if n == 2:
        return frozenset(pairwise(words))
    return frozenset(zip(*(words[start:] for start in range(n)), strict=False))


def _copied(claim: str, held: Iterable[_Ngrams]) -> Copied:
    own = _ngrams(claim)
    if not own.words:
        return Copied((0.0, 0.0, 0.0, 0.0), 0, 0.0)
    texts = tuple(held)
    shares: list[float] = []
    for n, wanted in enumerate(own.by_length):
        if not wanted:
            shares.append(shares[-1])
            continue
        found = frozenset[tuple[str, ...]]().union(*(wanted & text.by_length[n] for text in texts))
        shares.append(len(found) / len(wanted))
    run = max((_longest_run(own.words, text) for text in texts), default=0)
    return Copied((shares[0], shares[1], shares[2], shares[3]), run, run / len(own.words))


def _longest_run(words: tuple[str, ...], text: _Ngrams) -> int:
    """Words of the longest run of ``words`` in ``text``."""
    best = 0
    # Length of the common run that ends at each place of the text, for the word before.
    before: dict[int, int] = {}
    for word in words:
        here = {place: before.get(place - 1, 0) + 1 for place in text.places.get(word, ())}
        best = max(best, max(here.values(), default=0))
        before = here
    return best
