"""How much of a claim is copied from a text: shared word n-grams, and whole sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from provenance_core.lexicon.numerals import normal_words
from provenance_core.lexicon.readings import kept_readings
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
_BEFORE, _BEHIND = " \t\n\"'*_([", " \t\n\"'*_.!?;:,\u2026)]"


def copied_shares(claim: str, texts: Sequence[str]) -> tuple[float, float, float, float]:
    """Measure which share of a claim's distinct runs of 1, 2, 3 and 4 words stands in several
    texts, each in [0, 1]. Words are compared without case and punctuation, numbers by their value.
    No run spans two texts. A claim of fewer words has the share of its longest runs in the places
    behind them.

    >>> copied_shares("It is very long.", ["It is long."])[:2]
    (0.75, 0.3333333333333333)
    """
    (shares,) = copied_shares_of([claim], texts)
    return shares


def copied_shares_of(
    claims: Sequence[str], texts: Sequence[str]
) -> tuple[tuple[float, float, float, float], ...]:
    """Measure :func:`copied_shares` of several claims; the texts are gone through once."""
    wanted = [_ngrams(claim) for claim in claims]
    lengths = range(LONGEST_NGRAM)
    any_wanted = [set[tuple[str, ...]]().union(*(runs[n] for runs in wanted)) for n in lengths]
    held: list[set[tuple[str, ...]]] = [set() for _ in lengths]
    for text in texts:
        for n in lengths:
            # Only what a claim has is kept: all runs of a long text take hundreds of megabytes.
            held[n].update(any_wanted[n].intersection(_runs(text, n + 1)))
    return tuple(_shares(runs, held) for runs in wanted)


def most_pairs(claims: Sequence[str], texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Of each claim the texts (indices, rising) that hold at least half as many of its pairs of
    words as the one that holds most; () where none holds any.

    >>> most_pairs(["It is very long."], ["It was.", "It is very old.", "It is."])
    ((1, 2),)
    """
    wanted = [frozenset(_runs(claim, 2)) for claim in claims]
    any_wanted = frozenset[tuple[str, ...]]().union(*wanted)
    held = [any_wanted.intersection(_runs(text, 2)) for text in texts]
    counts = [[len(pairs & each) for each in held] for pairs in wanted]
    return tuple(
        tuple(at for at, count in enumerate(row) if count > 0 and 2 * count >= max(row))
        for row in counts
    )


def _shares(
    wanted: Sequence[frozenset[tuple[str, ...]]], held: Sequence[set[tuple[str, ...]]]
) -> tuple[float, float, float, float]:
    shares: list[float] = []
    for runs, found in zip(wanted, held, strict=True):
        share = len(runs & found) / len(runs) if runs else shares[-1] if shares else 0.0
        shares.append(share)
    return shares[0], shares[1], shares[2], shares[3]


def stands_verbatim(sentence: str, text: str) -> bool:
    """Whether a sentence stands in a text as a sentence, word for word. White space, case, the kind
    of quotes, a list marker before it and punctuation around it do not count; all else does,
    punctuation within it too. As a part of a longer sentence it does not stand there, because that
    may deny it ("Nobody says that ..."); nor as a question. False for fewer than four words.

    >>> stands_verbatim("The old mill is red.", "Nobody says that the old mill is red.")
    False
    >>> stands_verbatim("The old mill is red.", "It rains. the old mill is red! Come.")
    True
    """
    return bool(verbatim_places([sentence], [text]))


def verbatim_places(sentences: Sequence[str], texts: Sequence[str]) -> list[tuple[int, int]]:
    """Find which sentences stand in which texts word for word, as :func:`stands_verbatim` says, by
    the indices of both; each text is gone through once."""
    wanted = [
        (row, plain)
        for row, sentence in enumerate(sentences)
        if len((plain := _plain_sentence(sentence)).split()) >= LEAST_VERBATIM_WORDS
    ]
    found: list[tuple[int, int]] = []
    for at, text in enumerate(texts if wanted else ()):
        held = _plain(text)
        in_one_line = held.replace("\n", " ")
        found += [(row, at) for row, plain in wanted if _stands(plain, held, in_one_line)]
    return sorted(found)


def _plain_sentence(sentence: str) -> str:
    """A sentence without its list marker and the punctuation around it, in one line."""
    plain = _plain(sentence[marker_length(sentence) :]).replace("\n", " ")
    return plain.lstrip(_BEFORE).rstrip(_BEHIND)


def _stands(wanted: str, held: str, in_one_line: str) -> bool:
    position = in_one_line.find(wanted)
    while position >= 0:
        end = position + len(wanted)
        before = held[position - _FRINGE : position] if position > _FRINGE else held[:position]
        begins = _BEGINS.search(before if position <= _FRINGE else f"x{before}")
        if begins and _CLOSES.match(held[end : end + _FRINGE]):
            return True
        position = in_one_line.find(wanted, position + 1)
    return False


@kept_readings
def _plain(text: str) -> str:
    """``text`` with one kind of quote, without case, each run of white space as a line break or
    a space."""
    plain = text.translate(_QUOTES).casefold().strip()
    return _SPACE.sub(lambda match: "\n" if "\n" in match.group() else " ", plain)


def _ngrams(text: str) -> tuple[frozenset[tuple[str, ...]], ...]:
    """Of 1 to 4 words."""
    return tuple(frozenset(_runs(text, n + 1)) for n in range(LONGEST_NGRAM))


def _runs(text: str, length: int) -> Iterator[tuple[str, ...]]:
    """The runs of so many words of a text, in order."""
    words = normal_words(text)
    return zip(*(words[start:] for start in range(length)), strict=False)
