"""The three trivial baselines that every figure is read against.

A model that cannot beat the share of words in common, or the length of the answer, has
learnt nothing about support; some public sets are nearly solved by one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from provenance_core.text.coverage import content_words, word_list, words


def word_overlap(context: Sequence[str], answer: str) -> float:
    """Share of the answer's distinct content words found in the context, in [0, 1].

    Content words are words that are not function words; an answer of function words alone is
    judged by all its words, and one without a word scores 0. Case is ignored.
    """
    wanted = content_words(answer)
    if not wanted:
        return 0.0
    known: set[str] = set()
    for item in context:
        known |= words(item)
    return len(wanted & known) / len(wanted)


def length_score(answer: str) -> float:
    """Minus the answer's length in characters: the shorter, the more likely supported."""
    return -float(len(answer))


def rouge_2(context: Sequence[str], answer: str) -> float:
    """ROUGE-2 precision of the answer against the context (Lin 2004), in [0, 1]: the share of its
    word pairs that stand in the context, each at most as often as there. Case is ignored; an
    answer of fewer than two words has none and scores 0.

    >>> rouge_2(["The bridge is long."], "The bridge was long.")
    0.3333333333333333
    """
    wanted = Counter(pairwise(word_list(answer)))
    if not wanted:
        return 0.0
    known: Counter[tuple[str, str]] = Counter()
    for item in context:
        known += Counter(pairwise(word_list(item)))
    return (wanted & known).total() / wanted.total()
