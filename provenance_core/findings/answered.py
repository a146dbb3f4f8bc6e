"""Whether the context answers a query, so that an answer which abstains is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.quantities import StatedQuantity
from provenance_core.findings.read_texts import read_text
from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import is_function_word, word_list
from provenance_core.text.splitting import Bounds, sentence_bounds

_WHEN = re.compile(
    r"\b(?:when|since\s+when|(?:what|which)\s+(?:year|day|date|month|century|time))\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"\bhow\s+(?:many|much|long|tall|high|old|far|large|big|heavy|deep|wide|fast)\b"
    r"|\bwhat\s+(?:\w+\s+){0,3}(?:costs?|price|number|percentage|share|height|length|size)\b"
    r"|\bwhat\s+(?:does|do|did)\b.*\bcost\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:year|century)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\W*(?:it|they|he|she|its|their|his|her|this|these)\b", re.IGNORECASE)
# They ask, and say nothing of what is asked.
_ASKING = frozenset(
    (
        "mani",
        "much",
        "long",
        "tall",
        "high",
        "old",
        "far",
        "larg",
        "big",
        "year",
        "day",
        "date",
        "time",
    )
)


def is_answered(query: str, context: Sequence[str]) -> bool:
    """Whether a sentence of the context has what a query asks for: a date or number beside all the
    content words of the query. False where the query asks for something else, and where it has no
    content word.

    >>> context = ["The library is red. It opened in 1911."]
    >>> is_answered("When did it open?", context), is_answered("How many books are there?", context)
    (True, False)
    """
    return find_answer(query, context) is not None


def find_answer(query: str, context: Sequence[str]) -> tuple[int, int, int] | None:
    """Find the first sentence for which :func:`is_answered` holds. Index of its text, and start and
    end in characters of that.

    >>> find_answer("When did it open?", ["The library is red. It opened in 1911."])
    (0, 20, 38)
    """
    wanted = _content(query)
    if not wanted or not (_WHEN.search(query) or _HOW_MANY.search(query)):
        return None
    return next(
        (
            (at, *bounds)
            for at, text in enumerate(context)
            for bounds, content, values in _sentences(text)
            if wanted <= content and any(_answers(query, value) for value in values)
        ),
        None,
    )


def _answers(query: str, value: StatedQuantity) -> bool:
    if not _WHEN.search(query):
        return value.kind is DetailKind.NUMBER and not value.weak
    return value.kind is DetailKind.DATE and (value.day[0] > 0 or not _YEAR.search(query))


def _sentences(
    text: str,
) -> Iterator[tuple[Bounds, frozenset[str], Sequence[StatedQuantity]]]:
    """The place, content words and values of each sentence; "it" stands for what the one before
    names."""
    before = frozenset[str]()
    for start, end in sentence_bounds(text):
        sentence = text[start:end]
        content = _content(sentence)
        known = content | before if _PRONOUN.match(sentence) else content
        yield (start, end), known, read_text(sentence).quantities
        before = content


def _content(text: str) -> frozenset[str]:
    stems = {word_stem(word) for word in word_list(text) if not is_function_word(word)}
    return frozenset(stems - _ASKING)
