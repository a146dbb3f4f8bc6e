"""The clauses of a text with their content words, and what a negation in them denies.

English alone. A negation is read with the words behind it, up to the next mark, without a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from provenance_core.lexicon.readings import kept_readings
from provenance_core.lexicon.stems import word_stem
from provenance_core.lexicon.words import is_function_word
from provenance_core.text.splitting import sentence_bounds

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*(?:\s?['\u2019]\s?[^\W\d_]+)?|[,;:()\u2013\u2014?]")
_NEGATIONS = frozenset(
    ("no", "not", "without", "never", "nor", "cannot", "none", "nobody", "nothing", "neither")
)
# Behind a negation these words make a weaker statement, another one, or none.
_WEAKENED_BY = frozenset(
    """all always both certain clear completely each entire entirely every everyone everything
    exactly far few fewer fully just known least less long many merely more most much necessarily
    only quite simply so solely sooner sure surprisingly too uncommon unlike until unusual usually
    very yet""".split()  # noqa: SIM905 - a list of words, not of quoted strings
)
# A clause with one of these does not plainly say that its words hold, or denies them by itself.
_UNSURE = frozenset(
    map(
        word_stem,
        """accord almost avoid barely believe claim could deny doubt either except fail hardly if
        instead lack might nearly omit only or prevent rarely rather refuse reluctant said say
        scarcely seldom should stop supposed think thought too unable unless unlike until used
        whether would may yet""".split(),  # noqa: SIM905
    )
)
# A new clause begins behind these.
_BETWEEN_CLAUSES = frozenset(
    (*";:()\u2013\u2014", "but", "while", "whereas", "although", "though", "because", "and",
     "which", "who")
)  # fmt: skip
# Words that change nothing in what a clause denies or states.
_EMPTY = frozenset(
    ("also", "already", "any", "anyone", "anything", "even", "ever", "now", "still", "then",
     "there")
)  # fmt: skip
_NEAR = 2


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause's content words by their stems. ``denied``: those behind a negation. ``head``: the
    first of them, which is what is denied. ``order``: all of them as they stand. ``head_at``: the
    head's place among them. ``places``: where each first stands, in characters of the text.
    ``negation``: where the negation begins. ``start``, ``end``: of the clause."""

    stems: frozenset[str]
    denied: frozenset[str]
    head: str | None
    order: Sequence[str]
    head_at: int
    places: Mapping[str, tuple[int, int]]
    negation: int
    start: int
    end: int

    def near(self, at: int) -> frozenset[str]:
        """At most two words on each side of a place, without the one there."""
        return frozenset(
            (*self.order[max(0, at - _NEAR) : at], *self.order[at + 1 : at + 1 + _NEAR])
        )

    def near_any(self, stem: str) -> frozenset[str]:
        """Take the words about a word, wherever it stands. At most two words on each side of each
        place; none where the clause lacks it."""
        return frozenset().union(
            *(self.near(at) for at, each in enumerate(self.order) if each == stem)
        )


@kept_readings
def read_clauses(text: str) -> tuple[Clause, ...]:
    """Find the clauses of a text that plainly state or deny something, in order. Questions are left
    out, and clauses with a word of doubt ("could", "unless", "said").

    >>> found = read_clauses("It rained, but the roof did not leak.")
    >>> [(clause.order, clause.head) for clause in found]
    [(('rain',), None), (('roof', 'leak'), 'leak')]
    """
    found: list[Clause] = []
    for start, end in sentence_bounds(text):
        tokens = list(_WORD.finditer(text, start, end))
        if tokens and tokens[-1].group() != "?":
            found += filter(None, map(_clause, _parts(tokens)))
    return tuple(found)


def numbered_clauses(premises: Sequence[str]) -> tuple[tuple[int, Clause], ...]:
    """The clauses of several premises (:func:`read_clauses`), each with its premise's index."""
    return _numbered(tuple(premises))


# Each sentence of an answer is held against the clauses of one context.
@lru_cache(maxsize=2)
def _numbered(premises: tuple[str, ...]) -> tuple[tuple[int, Clause], ...]:
    return tuple(
        (index, each) for index, text in enumerate(premises) for each in read_clauses(text)
    )


def _parts(tokens: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    begin = 0
    for at, token in enumerate(tokens):
        if token.group().casefold() in _BETWEEN_CLAUSES:
            if at > begin:
                yield tokens[begin:at]
            begin = at + 1
    if begin < len(tokens):
        yield tokens[begin:]


def _clause(tokens: Sequence[re.Match[str]]) -> Clause | None:
    """None where the clause does not plainly state or deny."""
    order: list[str] = []
    places: dict[str, tuple[int, int]] = {}
    denied: list[str] = []
    negation = -1
    inside, head_at = False, -1
    plain = [re.sub(r"\s", "", token.group().casefold().replace("\u2019", "'")) for token in tokens]
    for token, word, following in zip(tokens, plain, [*plain[1:], ""], strict=True):
        if word in _NEGATIONS or word.endswith("n't"):
            if following in _WEAKENED_BY or not following[:1].isalnum() or negation >= 0:
                return None
            if following[0].isdigit():  # "No. 5"
                continue
            negation, inside = token.start(), True
        elif not word[0].isalnum():
            inside = False
        elif word_stem(word) in _UNSURE and token.group() != "May":
            return None
        elif token.group() == "May" or not (is_function_word(word) or word in _EMPTY):
            stem = word_stem(word.removesuffix("'s"))
            order.append(stem)
            places.setdefault(stem, token.span())
            if inside:
                head_at = head_at if denied else len(order) - 1
                denied.append(stem)
    if not order:
        return None
    return Clause(
        frozenset(order),
        frozenset(denied),
        denied[0] if denied else None,
        tuple(order),
        head_at,
        places,
        negation,
        tokens[0].start(),
        tokens[-1].end(),
    )
