"""Whether two sentences say something of the same: only then can one stand for the other."""

from __future__ import annotations

from provenance_core.text.coverage import content_words, is_function_word, word_list
from provenance_core.text.references import subject_of
from provenance_core.text.stems import word_stem

# Share of a sentence's content words.
LEAST_SHARED = 0.25


def is_of_the_same(sentence: str, other: str) -> bool:
    """Whether ``other`` has the subject of ``sentence``, or a quarter of its content words, in any
    form.

    >>> is_of_the_same("The old tower is red.", "In 1990 the old tower was painted green.")
    True
    >>> is_of_the_same("The old tower is red.", "Entry costs 12 euros.")
    False
    """
    held = {word_stem(word) for word in word_list(other)}
    subject = [word for word in word_list(subject_of(sentence)) if not is_function_word(word)]
    if subject and all(word_stem(word) in held for word in subject):
        return True
    wanted = {word_stem(word) for word in content_words(sentence)}
    return bool(wanted) and len(wanted & held) / len(wanted) >= LEAST_SHARED
