"""The trivial baselines that every figure is read against.

A model that cannot beat the share of words in common, or the length of the answer, has
learnt nothing about support; some public sets are nearly solved by one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from provenance_core.lexicon.words import content_words, word_list, words


def word_overlap(context: Sequence[str], answer: str) -> float:
    """Compute the share of the answer's distinct content words that the context has, in [0, 1]; 0
    for an answer without a word. An answer of function words alone is judged by all its words. Case
    is ignored.

    >>> word_overlap(["The bridge is long."], "The bridge is short.")
    0.5
    """
    wanted = content_words(answer)
    if not wanted:
        return 0.0
    known: set[str] = set()
    for item in context:
        known |= words(item)
    return len(wanted & known) / len(wanted)


def length_score(answer: str) -> float:
    """Minus the answer's length in characters: the shorter, the more likely supported.

    >>> length_score("It is red.")
    -10.0
    """
    return -float(len(answer))


def rouge_n(context: Sequence[str], answer: str, size: int) -> float:
    """Compute the ROUGE-N precision of the answer against the context (Lin 2004), in [0, 1]: the
    share of its runs of ``size`` words that stand in the context, each at most as often as there.
    Case is ignored.

    >>> rouge_n(["The bridge is long."], "The bridge was long.", 2)
    0.3333333333333333
    """
    wanted = _runs(answer, size)
    if not wanted:
        return 0.0
    known: Counter[tuple[str, ...]] = Counter()
    for item in context:
        known += _runs(item, size)
    return (wanted & known).total() / wanted.total()


def rouge_l(context: Sequence[str], answer: str) -> float:
    """Compute the ROUGE-L precision of the answer against the context (Lin 2004), in [0, 1]: the
    share of its words in the longest sequence of words that both have in this order, gaps allowed.
    The items of the context are read one after the other. Case is ignored.

    >>> rouge_l(["The bridge is long."], "The bridge was long.")
    0.75
    """
    wanted = word_list(answer)
    if not wanted:
        return 0.0
    known = [word for item in context for word in word_list(item)]
    return _longest_common_sequence(wanted, known) / len(wanted)


def _runs(text: str, size: int) -> Counter[tuple[str, ...]]:
    found = word_list(text)
    return Counter(zip(*(found[start:] for start in range(size)), strict=False))


def _longest_common_sequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Its length, by one bit for each word of ``first`` (Hyyrö 2004): a cleared bit is a step."""
    places: dict[str, int] = {}
    for at, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(first)) - 1
    row = every
    for word in second:
        matched = row & places.get(word, 0)
        row = (row + matched | row - matched) & every
    return len(first) - row.bit_count()
