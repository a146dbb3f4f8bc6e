"""Whether two sentences say something of the same, and of the same side of it: only then can one
stand for the other."""

from __future__ import annotations

import re

from provenance_core.text.coverage import content_stems, is_function_word, word_list
from provenance_core.text.references import subject_of
from provenance_core.text.stems import word_stem

# Share of a sentence's content words.
LEAST_SHARED = 0.25
# "By two bakers" and "by Kevin Systrom" both say who. "In Oslo" says where, "in 2010" when.
_ROLES = re.compile(r"\b(by|from|until|in|at|to)\s+(?:the\s+|an?\s+)?(\S)", re.IGNORECASE)
_SAME_WHATEVER_FOLLOWS = frozenset(("by", "from", "until"))


def is_of_the_same(sentence: str, other: str) -> bool:
    """Whether a sentence is about what another is about.

    True where ``other`` has the subject of ``sentence``, or a quarter of its content words, in any
    form.

    Examples
    --------
    >>> is_of_the_same("The old tower is red.", "In 1990 the old tower was painted green.")
    True
    >>> is_of_the_same("The old tower is red.", "Entry costs 12 euros.")
    False
    """
    held = {word_stem(word) for word in word_list(other)}
    subject = [word for word in word_list(subject_of(sentence)) if not is_function_word(word)]
    if subject and all(word_stem(word) in held for word in subject):
        return True
    wanted = content_stems(sentence)
    return bool(wanted) and len(wanted & held) / len(wanted) >= LEAST_SHARED


def says_the_same_of_it(sentence: str, other: str) -> bool:
    """Whether a sentence is about what another says of its subject, and not only about that.

    True where ``other`` has a content word of what is said, in any form, or says where, when, by or
    from whom too.

    Examples
    --------
    >>> says_the_same_of_it("The old tower was built by monks.", "The old tower is by Ann Lee.")
    True
    >>> says_the_same_of_it("The old tower sells tea.", "The old tower was painted in 1990.")
    False
    """
    subject = {word_stem(word) for word in word_list(subject_of(sentence))}
    said = content_stems(sentence) - subject
    if said & {word_stem(word) for word in word_list(other)}:
        return True
    return bool(_roles(sentence) & _roles(other))


def _roles(text: str) -> frozenset[tuple[str, str]]:
    """The prepositions of ``text`` whose sense is plain, each with what tells it: a number or a
    name that follows."""
    found = set()
    for match in _ROLES.finditer(text):
        word, first = match[1].lower(), match[2]
        if word in _SAME_WHATEVER_FOLLOWS:
            found.add((word, ""))
        # "In the dark" and "in two colours" are not alike.
        elif first.isdigit() or first.isupper():
            found.add((word, "number" if first.isdigit() else "name"))
    return frozenset(found)
