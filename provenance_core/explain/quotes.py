"""Texts in quotation marks, short enough for a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import is_function_word, word_list
from provenance_core.text.list_markers import marker_length

_MOST_WORDS = 9
ABBREVIATED = re.compile(r"\b\w\.\w\.$")  # "3 p.m."


def quoted(text: str) -> str:
    """Put a text in quotation marks, its first words where it is long, without a list marker."""
    found = text[marker_length(text) :].split()
    short = " ".join(found[:_MOST_WORDS])
    if len(found) > _MOST_WORDS:
        short += " …"
    return f"“{short if ABBREVIATED.search(short) else short.removesuffix('.')}”"


def quoted_where_new(text: str, chunks: Sequence[str]) -> str:
    """Put a text in quotation marks as :func:`quoted`, but the words of a long one that most differ
    from ``chunks``: what was made up stands seldom at the beginning."""
    words = text[marker_length(text) :].split()
    if len(words) <= _MOST_WORDS:
        return quoted(text)
    held = frozenset[str]().union(*map(telling_stems, chunks))
    new = [bool(telling_stems(word) - held) for word in words]
    starts = range(len(words) - _MOST_WORDS + 1)
    # Of the stretches with most of them, the first whose new words have others before them.
    first = max(starts, key=lambda at: (sum(new[at : at + _MOST_WORDS]), not new[at], -at))
    if 2 * sum(new[:_MOST_WORDS]) >= sum(new[first : first + _MOST_WORDS]):
        return quoted(text)  # the beginning says enough, and is found again more easily
    last = first + _MOST_WORDS
    shown = quoted(" ".join(words[first:last]))[1:-1]
    return f"“… {shown}{' …' if last < len(words) else ''}”"


def telling_stems(text: str) -> frozenset[str]:
    """The stems of a text's words that are no function words; none where it has no other."""
    return frozenset(word_stem(word) for word in word_list(text) if not is_function_word(word))
