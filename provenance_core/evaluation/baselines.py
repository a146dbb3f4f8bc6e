"""The two trivial baselines that every figure is read against.

A model that cannot beat the share of words in common, or the length of the answer, has
learnt nothing about support; some public sets are nearly solved by one of the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.word_coverage import content_words, words


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
