"""Texts that tell whose they are: each holds a word of its owner that no other has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_LETTERS = "bcdfghklmnprstvz"


@dataclass(frozen=True, slots=True)
class OwnedTexts:
    """An answer with its query and context."""

    query: str
    answer: str
    context: tuple[str, ...]


def own_word(owner: int, kind: str) -> str:
    """A word that begins with ``kind`` and that no other owner has; none is part of another."""
    letters = f"{owner:04x}"
    return f"{kind}q{''.join(_LETTERS[int(digit, 16)] for digit in letters)}x"


def owned_texts(word: str, number: int) -> OwnedTexts:
    """Texts of the owner of ``word``; another ``number`` makes others."""
    year = 1900 + number % 100
    return OwnedTexts(
        query=f"What is known of the bridge at {word}?",
        answer=f"The bridge at {word} was opened in {year}. It carries no railway. "
        f"About {number + 2} thousand people cross it every day.",
        context=(
            f"The bridge at {word} was opened on 19 March {year} after eight years of work. "
            "It was planned by the city and paid by a toll, which ended much later.",
            f"Two tracks of the railway cross the bridge at {word} beside six lanes for cars.",
            f"In year {year + 50} the bridge at {word} was painted for the {number + 1}th time.",
        ),
    )


def long_texts(word: str, chunks: int, sentences: int) -> OwnedTexts:
    """Texts of ``chunks`` context items, each a chunk, and an answer of ``sentences``."""
    context = tuple(
        f"Report {n} on {word} says that pier {n} was measured in {1900 + n % 100}. "
        f"It moved by {n % 17 + 1} millimetres, and the engineers wrote that this is usual for a "
        f"bridge of {n + 100} metres. Nobody had to close lane {n % 6 + 1} for it, and the work "
        f"took {n % 9 + 2} days with {n % 40 + 3} people of the city."
        for n in range(chunks)
    )
    answer = " ".join(
        f"Pier {n} of {word} moved by {n % 17 + 2} millimetres in {1900 + n % 100}."
        for n in range(sentences)
    )
    return OwnedTexts(f"How far did the piers of {word} move?", answer, context)


def of_others(words: Sequence[str], owner: int) -> frozenset[str]:
    """The words of all but ``owner``."""
    return frozenset(words) - {words[owner]}
