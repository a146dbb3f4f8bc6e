"""The share of a text's content words that a premise holds.

Entailment of a small model and shared words know different things: the model flags long copied
sentences, shared words miss a changed number. The calibration weighs both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from provenance_core.text.stems import word_stem

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
    """List the words and numbers of a text.

    In their order, without case, each as often as it stands there.
    """
    return [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]


def words(text: str) -> frozenset[str]:
    """Collect the words and numbers of a text.

    The distinct ones, without case.
    """
    return frozenset(word_list(text))


def content_words(text: str) -> frozenset[str]:
    """Collect the words of a text that are not function words.

    The distinct ones, without case; all words if it has function words alone.

    Examples
    --------
    >>> sorted(content_words("The bridge is long.")), sorted(content_words("It is."))
    (['bridge', 'long'], ['is', 'it'])
    """
    found = words(text)
    return found - _FUNCTION_WORDS or found


def content_stems(text: str) -> frozenset[str]:
    """Collect the stems of a text's content words.

    The distinct stems of :func:`content_words`.

    Examples
    --------
    >>> content_stems("The bridges") == content_stems("a bridge")
    True
    """
    return frozenset(map(word_stem, content_words(text)))


def without_possessive(word: str) -> str:
    """Take the ending of the possessive from a word.

    The word in its own case.

    Examples
    --------
    >>> without_possessive("Brix's"), without_possessive("works'")
    ('Brix', 'works')
    """
    return _POSSESSIVE.sub("", word)


def is_function_word(word: str) -> bool:
    """Whether a word is one of English's function words, which are in almost any text.

    False for a number, and for "not".
    """
    return word.casefold().replace("\u2019", "'") in _FUNCTION_WORDS


def word_coverage(texts: Sequence[str], premises: Sequence[str]) -> NDArray[np.float64]:
    """Measure the share of each text's content words that each premise has.

    Shape (len(texts), len(premises)), in [0, 1]; a text without a word has 0.

    Examples
    --------
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
    """Measure the word coverage that the calibration reads.

    It is the mean of the share that the chunk holds and the share that all chunks together hold,
    because a summary's sentence joins facts of several chunks.

    Shape (len(claims), len(chunks)), in [0, 1].

    Examples
    --------
    >>> claim_coverage(["The bridge is long."], ["A long road.", "A bridge, 8 km long."])
    array([[0.75, 1.  ]])
    >>> claim_coverage(["The bridge is long."], ["A bridge."])
    array([[0.5]])
    """
    return (word_coverage(claims, chunks) + word_coverage(claims, [" ".join(chunks)])) / 2
