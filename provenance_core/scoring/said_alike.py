"""Whether a passage says what a sentence says but for one value, or for one word that denies or
opposes it: only then does it say otherwise (benchmarks/REASONS.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.findings.answers import bare_statement
from provenance_core.findings.clauses import Clause
from provenance_core.findings.quantities import find_quantities
from provenance_core.findings.read_texts import plain_words
from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import is_function_word
from provenance_core.text.references import is_fragment
from provenance_core.text.splitting import sentence_around
from provenance_core.types import UNSTATED, Evidence, Finding

_FEWEST_SHARED = 3  # content words that a sentence and the passage have in common
_MOST_OWN = 1  # content words of the sentence that the passage's lacks
_MOST_VALUES = 2  # of the passage's sentence that the sentence lacks
# "In the year 1890" says no more than "in 1890".
_OF_VALUES = frozenset(map(word_stem, ("date", "number", "year")))
# A title asks: "Why do cables need screws (example.com)".
_ASKS = re.compile(r"^\W*(?:how|what|when|where|whether|which|who|why)\b", re.IGNORECASE)


def says_another_value(evidence: Evidence, found: Finding, texts: Sequence[str]) -> bool:
    """Whether the passage says the same with another value or name: no other detail of the
    sentence is missing, nearly all its content words stand in the passage's sentence, and few other
    values do. ``texts``: of each sentence (:func:`own_texts`)."""
    if found.chunk is None:
        return False
    others = [
        each
        for each in evidence.findings
        if each.sentence == found.sentence
        and each.kind in UNSTATED
        and (each.start, each.end) != (found.start, found.end)
    ]
    if others:
        return False
    if is_fragment(evidence.sentences[found.sentence].text):  # "In 1932.", of what the query asks
        return found.same_thing
    stated = bare_statement(evidence) or texts[found.sentence]
    there = evidence.chunks[found.chunk].text
    other = there[slice(*sentence_around(there, found.chunk_start))]
    own, its = _words_beside_values(stated), _words_beside_values(other)
    own, its = own - _words_of(found.words), its - _words_of(found.instead)
    lacking = own - its
    alike = len(own & its) >= (_FEWEST_SHARED if lacking else 1) or own == its
    values = _values(other) - _values(stated)
    return alike and len(lacking) <= _MOST_OWN and len(values) <= _MOST_VALUES


def is_more_exact(found: Finding) -> bool:
    """Whether a value only says more than the passage's: "2 May 1611" than "1611"."""
    return set(plain_words(found.instead)) <= set(plain_words(found.words))


def denies_alone(own: Clause, other: Clause, other_text: str) -> bool:
    """Whether two clauses differ by what one denies, or by one word of opposite meaning.

    ``other_text``: of the sentence around the clause of the passage; a question states nothing.
    """
    if _ASKS.match(other_text) or "?" in other_text or "\uff1f" in other_text:
        return False
    shared = own.stems & other.stems
    return (
        len(shared) >= _FEWEST_SHARED - (own.head is None and other.head is None)
        and len(own.stems - other.stems) <= _MOST_OWN
        and len(other.stems - own.stems) <= _MOST_OWN
    )


def _words_of(text: str) -> frozenset[str]:
    return frozenset(map(word_stem, plain_words(text)))


def _words_beside_values(text: str) -> frozenset[str]:
    """The stems of a text's content words outside its numbers and dates."""
    rest, position = [], 0
    for each in find_quantities(text):
        rest.append(text[position : each.start])
        position = max(position, each.end)
    words = plain_words(" ".join([*rest, text[position:]]))
    return (
        frozenset(
            word_stem(word)
            for word in words
            if not is_function_word(word) and not any(map(str.isdigit, word))
        )
        - _OF_VALUES
    )


def _values(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(plain_words(text[each.start : each.end])) for each in find_quantities(text)
    )
