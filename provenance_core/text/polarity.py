"""Where a claim denies what the premise states, or states what the premise denies.

English alone. A negation is read with the words behind it, up to the next mark, without a parser.
Two clauses are compared only where they share nearly all of their content words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from provenance_core.text.coverage import is_function_word
from provenance_core.text.phrases import Exchange, ExchangeKind
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.stems import word_stem

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*(?:\s?['\u2019]\s?[^\W\d_]+)?|[,;:()\u2013\u2014?]")
_NEGATIONS = frozenset(
    ("not", "cannot", "never", "no", "none", "nobody", "nothing", "neither", "nor", "without")
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
_SHARED = 0.8  # of the content words of the shorter clause
_FEWEST = 2
_BESIDE = 2


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause's content words by their stems.

    ``denied``: those behind a negation. ``head``: the first of them, which is what is denied.
    ``order``: all of them as they stand. ``head_at``: the head's place among them. ``places``:
    where each first stands, in characters of the text. ``negation``: where the negation begins.
    ``start``, ``end``: of the clause.
    """

    stems: frozenset[str]
    denied: frozenset[str]
    head: str | None
    order: Sequence[str]
    head_at: int
    places: Mapping[str, tuple[int, int]]
    negation: int
    start: int
    end: int


def find_denials(claim: str, premises: Sequence[str]) -> tuple[Exchange, ...]:
    """What ``claim`` denies and a clause of ``premises`` states, or the other way round.

    None where a clause of the premises that is as close says the same as the claim.

    >>> claim = "The west stand was rebuilt after the fire."
    >>> premise = "It rained. The west stand was not rebuilt after the fire."
    >>> (found,) = find_denials(claim, [premise])
    >>> claim[found.start : found.end], premise[found.other_start : found.other_end]
    ('rebuilt', 'The west stand was not rebuilt after the fire')
    """
    others = [(index, each) for index, text in enumerate(premises) for each in _clauses(text)]
    return tuple(found for own in _clauses(claim) if (found := _denial(own, others)) is not None)


def _denial(own: _Clause, others: Sequence[tuple[int, _Clause]]) -> Exchange | None:
    best: Exchange | None = None
    most = agreed = 0.0
    for index, other in others:
        shared = own.stems & other.stems
        if len(shared) < max(_FEWEST, _SHARED * min(len(own.stems), len(other.stems))):
            continue
        share = len(shared) / len(own.stems)
        head = _denied_by_one(own, other, shared)
        if head is not None and share > most:
            most = share
            start, end = own.places[head]
            start = own.negation if own.head == head else start
            best = Exchange(ExchangeKind.DENIAL, start, end, index, other.start, other.end)
        elif head is None and {own.head, other.head} & shared <= own.denied & other.denied:
            agreed = max(agreed, share)
    return best if agreed < most else None


def _denied_by_one(own: _Clause, other: _Clause, shared: frozenset[str]) -> str | None:
    """The word that one of two clauses denies and the other states."""
    if own.denied & shared and other.denied & shared:
        return None
    denying, stating = (own, other) if own.head is not None else (other, own)
    head = denying.head
    if head is None or head not in shared or head in stating.denied:
        return None
    near = _near(denying.order, denying.head_at)
    if not any(near & _near(stating.order, at) for at in _all(stating.order, head)):
        return None
    same = own.stems == other.stems
    return head if same or shared - denying.denied or len(shared) > _FEWEST else None


@lru_cache(maxsize=5_000)
def _clauses(text: str) -> tuple[_Clause, ...]:
    found: list[_Clause] = []
    for start, end in sentence_bounds(text):
        tokens = list(_WORD.finditer(text, start, end))
        if tokens and tokens[-1].group() != "?":
            found += filter(None, map(_clause, _parts(tokens)))
    return tuple(found)


def _parts(tokens: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    begin = 0
    for at, token in enumerate(tokens):
        if token.group().casefold() in _BETWEEN_CLAUSES:
            if at > begin:
                yield tokens[begin:at]
            begin = at + 1
    if begin < len(tokens):
        yield tokens[begin:]


def _clause(tokens: Sequence[re.Match[str]]) -> _Clause | None:
    """None where the clause does not plainly state or deny."""
    order: list[str] = []
    places: dict[str, tuple[int, int]] = {}
    denied: list[str] = []
    negation = -1
    inside, head_at = False, -1
    plain = [_plain(token.group()) for token in tokens]
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
    return _Clause(
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


def _near(order: Sequence[str], at: int) -> set[str]:
    """The words within two words of one."""
    return {*order[max(0, at - _BESIDE) : at], *order[at + 1 : at + 1 + _BESIDE]}


def _all(order: Sequence[str], word: str) -> Iterator[int]:
    return (at for at, each in enumerate(order) if each == word)


def _plain(word: str) -> str:
    return re.sub(r"\s", "", word.casefold().replace("\u2019", "'"))
