"""The share of a text's content words that a premise holds.

Entailment of a small model and shared words know different things: the model flags long copied
sentences, shared words miss a changed number. The calibration weighs both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from provenance_core.lexicon.words import content_words, words


def word_coverage(texts: Sequence[str], premises: Sequence[str]) -> NDArray[np.float64]:
    """Measure the share of each text's content words that each premise has, shape (len(texts),
    len(premises)), in [0, 1]; a text without a word has 0.

    >>> word_coverage(["The bridge is long."], ["A long road.", "A bridge, 8 km long."])
    array([[0.5, 1. ]])
    """
    known = [_words(premise) for premise in premises]
    result = np.zeros((len(texts), len(premises)))
    for row, text in enumerate(texts):
        wanted = content_words(text)
        if wanted:
            result[row] = [len(wanted & held) / len(wanted) for held in known]
    return result


# The chunks of a long context are compared with each sentence, and for several purposes.
_words = lru_cache(maxsize=16_384)(words)


def claim_coverage(claims: Sequence[str], chunks: Sequence[str]) -> NDArray[np.float64]:
    """Measure the word coverage that the calibration reads, shape (len(claims), len(chunks)), in
    [0, 1]: the mean of the share that the chunk holds and the share that all chunks together hold,
    because a summary's sentence joins facts of several chunks.

    >>> claim_coverage(["The bridge is long."], ["A long road.", "A bridge, 8 km long."])
    array([[0.75, 1.  ]])
    >>> claim_coverage(["The bridge is long."], ["A bridge."])
    array([[0.5]])
    """
    return (word_coverage(claims, chunks) + word_coverage(claims, [" ".join(chunks)])) / 2
