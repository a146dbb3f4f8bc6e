"""The words of a text, and which of them say something."""

from __future__ import annotations

import re

from provenance_core.lexicon.stems import word_stem

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
    """The words and numbers of a text in order, in lower case, as often as they occur."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]


def words(text: str) -> frozenset[str]:
    """The distinct words and numbers of a text, in lower case."""
    return frozenset(word_list(text))


def content_words(text: str) -> frozenset[str]:
    """Collect the words of a text that are not function words. The distinct ones, without case; all
    words if it has function words alone.

    >>> sorted(content_words("The bridge is long.")), sorted(content_words("It is."))
    (['bridge', 'long'], ['is', 'it'])
    """
    found = words(text)
    return found - _FUNCTION_WORDS or found


def content_stems(text: str) -> frozenset[str]:
    """Collect the stems of a text's content words. The distinct stems of :func:`content_words`.

    >>> content_stems("The bridges") == content_stems("a bridge")
    True
    """
    return frozenset(map(word_stem, content_words(text)))


def without_possessive(word: str) -> str:
    """Take the ending of the possessive from a word.

    >>> without_possessive("Brix's"), without_possessive("works'")
    ('Brix', 'works')
    """
    return _POSSESSIVE.sub("", word)


def is_function_word(word: str) -> bool:
    """Whether a word occurs in almost any English text; false for numbers and "not"."""
    return word.casefold().replace("\u2019", "'") in _FUNCTION_WORDS
