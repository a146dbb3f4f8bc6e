"""The share of a text's content words that a premise holds.

Entailment of a small model and shared words know different things: the model flags long copied
sentences, shared words miss a changed number. The calibration weighs both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Numbers keep their points and commas; letters do not, because full stops lose their space.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:['\u2019]\w+)*")
_POSSESSIVE = re.compile(r"['\u2019]s?$")

# Function words of English: present in almost any text, so that sharing them says nothing.
_FUNCTION_WORDS = frozenset(
    """
    a about above after again against all also am an and any are aren't as at be because been
    before being below between both but by can can't cannot could couldn't did didn't do does
    doesn't doing don't down during each few for from further had hadn't has hasn't have haven't
    having he her here hers herself him himself his how i if in into is isn't it it's its itself
    just may me might more most must my myself of off on once only or other our ours ourselves
    out over own same shall she should shouldn't so some such than that that's the their theirs
    them themselves then there these they this those through to too under until up upon very was
    wasn't we were weren't what when where which while who whom whose why will with won't would
    wouldn't you your yours yourself yourselves
    """.split()  # noqa: SIM905 - a list of words, not of quoted strings
)


def word_list(text: str) -> list[str]:
    """The words and numbers of ``text`` in their order, without case."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]


def words(text: str) -> frozenset[str]:
    """The distinct words and numbers of ``text``, without case."""
    return frozenset(word_list(text))


def content_words(text: str) -> frozenset[str]:
    """The words of ``text`` that are not function words; all of them if it has no other."""
    found = words(text)
    return found - _FUNCTION_WORDS or found


def without_possessive(word: str) -> str:
    """A word without the ending of the possessive.

    >>> without_possessive("Brix's"), without_possessive("works'")
    ('Brix', 'works')
    """
    return _POSSESSIVE.sub("", word)


def is_function_word(word: str) -> bool:
    """Whether a word is one of English's function words, which are in almost any text."""
    return word.casefold().replace("\u2019", "'") in _FUNCTION_WORDS


def word_coverage(texts: Sequence[str], premises: Sequence[str]) -> NDArray[np.float64]:
    """Share of each text's content words found in each premise, in [0, 1].

    Shape (len(texts), len(premises)); a text without a word has 0.

    >>> word_coverage(["The bridge is long."], ["A long road.", "A bridge, 8 km long."])
    array([[0.5, 1. ]])
    """
    known = [words(premise) for premise in premises]
    result = np.zeros((len(texts), len(premises)))
    for row, text in enumerate(texts):
        wanted = content_words(text)
        if wanted:
            result[row] = [len(wanted & held) / len(wanted) for held in known]
    return result


def claim_coverage(claims: Sequence[str], chunks: Sequence[str]) -> NDArray[np.float64]:
    """The coverage that the calibration reads: for each claim and chunk, the mean of the share
    that the chunk holds and the share that all chunks together hold, in [0, 1].

    The second half is there because a summary's sentence joins facts of several chunks.
    Shape (len(claims), len(chunks)).

    >>> claim_coverage(["The bridge is long."], ["A long road.", "A bridge, 8 km long."])
    array([[0.75, 1.  ]])
    >>> claim_coverage(["The bridge is long."], ["A bridge."])
    array([[0.5]])
    """
    return (word_coverage(claims, chunks) + word_coverage(claims, [" ".join(chunks)])) / 2
