"""Which texts share the most telling words with another: those that few of them have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from provenance_core.lexicon.words import content_stems
from provenance_core.types import Floats


def shared_words(
    texts: Sequence[str],
    others: Sequence[str],
    words_of: Callable[[str], frozenset[str]] = content_stems,
) -> Floats:
    """Measure what each of T texts shares with each of N others, shape (T, N). It is the sum over
    the words that both have, each counted by how few of the others have it (inverse document
    frequency). Its time grows with the length of the texts, not with T x N. ``words_of``: The words
    of a text that count; by default the stems of its content words.

    >>> shared_words(["Old mills."], ["A mill.", "An old mill.", "Tea."]).round(1).tolist()
    [[0.9, 2.3, 0.0]]
    """
    kept = words_of is content_stems
    having = _stems_having(tuple(others)) if kept else _having(others, words_of)
    found = np.zeros((len(texts), len(others)))
    for row, text in enumerate(texts):
        for word in sorted(words_of(text)):  # in one order, so that sums are equal
            if held := having.get(word):
                found[row, held] += math.log1p(len(others) / len(held))
    return found


def _having(
    others: Sequence[str], words_of: Callable[[str], frozenset[str]]
) -> Mapping[str, Sequence[int]]:
    """Which of the others have each word, by their index."""
    having: dict[str, list[int]] = {}
    for at, other in enumerate(others):
        for word in words_of(other):
            having.setdefault(word, []).append(at)
    return having


# The sentences of an answer, its query and what joins its sources ask for the same chunks.
@lru_cache(maxsize=1)
def _stems_having(others: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    return _having(others, content_stems)


def nearest(shared: Floats, most: int) -> list[int]:
    """The indices of the at most ``most`` others that share most with a text, the nearest first; of
    equal ones the earlier. ``shared``: a row of :func:`shared_words`, (N,).

    >>> nearest(np.array([0.0, 1.5, 0.0, 2.0]), 3)
    [3, 1]
    """
    order = np.argsort(-shared, kind="stable")[:most]
    return [int(at) for at in order if shared[at] > 0]
