"""Where a claim says of one named thing what the context says of another: "Marta was born in Oslo"
beside "Marta leads the lab. Jan was born in Oslo."

Rules over the wording, no model. Something counts as said of another where every sentence that says
it begins with the name of another, and no sentence that names the claim's own subject says half of
it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core.text.coverage import content_words, is_function_word, without_possessive
from provenance_core.text.phrases import Exchange, ExchangeKind
from provenance_core.text.read_once import read_once
from provenance_core.text.references import subject_of, without_pronoun
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import word_stem

_SAID = 0.7  # of the claim's words beside its subject
_SAID_OF_OWN = 0.5
_FEWEST = 2
_PIECE_END = re.compile(r";\s+|\n+")
_WORD = re.compile(r"[\w'\u2019-]+")
# A word with a capital that is not the first of its sentence.
_WITHIN = re.compile(r"(?<=[\w,] )[A-Z][\w'\u2019-]*")
_NAME = r"[A-Z][\w\u2019-]*(?:\s+(?:(?:of|de|van|von)\s+)?[A-Z][\w\u2019-]*)*+"
_LEAD = re.compile(rf"\W*(?:[Tt]he\s+)?(?!The\b)(?P<name>{_NAME})(?!:)")
_OWNER = re.compile(rf"\W*(?P<name>{_NAME})['\u2019]s?\s")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence or a part of it: its stems, those of the name that it begins with, and its
    place. A pronoun at its head counts as what it stands for."""

    stems: frozenset[str]
    called: frozenset[str]
    start: int
    end: int


def find_other_doer(claim: str, premises: Sequence[str], before: str = "") -> tuple[Exchange, ...]:
    """Find the subject of a claim where the premises say the rest of another name alone.

    At most one: the subject, and the sentence that says the rest of another.

    Examples
    --------
    >>> premise = "Marta Lind leads the lab. Jan Okoro, her deputy, was born in Oslo."
    >>> claim, before = "She was born in Oslo.", "Marta Lind leads the lab."
    >>> [premise[e.other_start : e.other_end] for e in find_other_doer(claim, [premise], before)]
    ['Jan Okoro, her deputy, was born in Oslo.']
    """
    full = without_pronoun(claim, before) if before else claim
    owner = _OWNER.match(full)
    subject = owner["name"] if owner else subject_of(full)
    own = _name_stems(subject)
    said = _stems(full) - _stems(subject)
    known = frozenset().union(*map(_names_within, premises))
    pieces = [
        (
            index,
            piece,
            piece.called if len(piece.called) > 1 or piece.called <= known else frozenset(),
        )
        for index, text in enumerate(premises)
        for piece in _pieces(text)
    ]
    heads = any(own <= called for _, _, called in pieces)
    # A name that the context has: no common word, and no title or short form of another.
    if not own or len(said) < _FEWEST or not (heads or own <= known):
        return ()
    # Nor "the current Duke of York", nor initials.
    if not _LEAD.match(subject) or any(word.isupper() for word in _WORD.findall(subject)):
        return ()
    other: tuple[int, _Piece] | None = None
    for index, piece, called in pieces:
        share = len(said & piece.stems) / len(said)
        if own & piece.stems:
            if share >= _SAID_OF_OWN:
                return ()
        elif share >= _SAID:
            if not called or called & said:
                return ()
            other = other or (index, piece)
    if other is None:
        return ()
    index, piece = other
    start, end = _place(claim, subject)
    return (Exchange(ExchangeKind.SUBJECT, start, end, index, piece.start, piece.end),)


def _place(claim: str, subject: str) -> tuple[int, int]:
    """Where ``claim`` has its subject, or the pronoun at its head that stands for it."""
    at = claim.find(subject)
    if at >= 0:
        return at, at + len(subject)
    head = _WORD.search(claim)
    return head.span() if head else (0, len(claim))


def _stems(text: str) -> frozenset[str]:
    return frozenset(word_stem(without_possessive(word)) for word in content_words(text))


def _name_stems(name: str) -> frozenset[str]:
    """The words of a name that have a capital, without "The"."""
    words = [word for word in _WORD.findall(name) if word[0].isupper()]
    return frozenset(
        word_stem(without_possessive(word).casefold())
        for word in words
        if not is_function_word(word)
    )


@read_once
def _names_within(text: str) -> frozenset[str]:
    """Words with a capital behind others of their sentence. Every first word has one."""
    return _name_stems(" ".join(_WITHIN.findall(text)))


@read_once
def _pieces(text: str) -> tuple[_Piece, ...]:
    found = []
    before = ""
    for start, end in sentence_bounds(text):
        ends = [match.end() for match in _PIECE_END.finditer(text, start, end)]
        for a, b in zip([start, *ends], [*ends, end], strict=True):
            words = text[a:b].rstrip()
            before = without_pronoun(words, before) if before else words
            lead = _LEAD.match(before)
            called = _name_stems(lead["name"]) if lead else frozenset()
            found.append(_Piece(_stems(before), called, a, a + len(words)))
    return tuple(found)
