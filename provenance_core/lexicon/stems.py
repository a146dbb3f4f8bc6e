"""Stems of English words: "opened" and "opens" are forms of one word."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

import snowballstemmer

_STEMMER = snowballstemmer.stemmer("english")
_ONE_AT_A_TIME = Lock()  # the stemmer keeps the word it works on


@lru_cache(maxsize=65536)
def word_stem(word: str) -> str:
    """Stem a word by the Porter 2 algorithm (Snowball's stemmer for English). Its stem, which need
    not be a word.

    >>> word_stem("opened") == word_stem("opens")
    True
    """
    with _ONE_AT_A_TIME:
        return str(_STEMMER.stemWord(word))


def singular(word: str) -> str:
    """Take the ending of the plural from a word. In lower case.

    >>> singular("Cities"), singular("boxes"), singular("glass")
    ('city', 'box', 'glass')
    """
    word = word.lower()
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
