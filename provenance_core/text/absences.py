"""Where a claim has a thing of which the premise says that there is none.

English alone: "a tour with a lift" beside "There is no lift." The denial of a whole statement is
:mod:`provenance_core.text.polarity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from provenance_core.text.clauses import Clause, numbered_clauses, read_clauses
from provenance_core.text.negations import denial_pattern
from provenance_core.text.phrases import Exchange, ExchangeKind
from provenance_core.text.splitting import sentence_bounds

# What a clause begins with that says of a thing that there is none of it.
_ABSENT = re.compile(
    r"\s*(?:and\s+|but\s+)?there\s*(?:['\u2019]s|\s+(?:is|are|was|were))"
    r"(?:\s+(?:also|still|currently))?(?:n['\u2019]t|\s+not)?\s+(?:no|any|an?)\s",
    re.IGNORECASE,
)
# Behind these words a claim has a thing, or uses it.
_HAS = re.compile(
    r"\b(?:has|have|had|having|with|there\s+(?:is|are|was|were)|there['\u2019]s"
    r"|(?:offer|provid|includ|featur|contain|tak|us|serv|sell|hous)(?:e?s|ed|e|ing)?"
    r"|equipped)\b",
    re.IGNORECASE,
)
_DENIES = denial_pattern("neither", "lacks?")
# More words than these are a statement of its own rather than a thing.
_MOST_WORDS = 3


def find_absences(claim: str, premises: Sequence[str]) -> tuple[Exchange, ...]:
    """Find the things of a claim of which a clause of the premises says that there are none.

    A thing that another clause has without a denial is left out, and so are those of a sentence of
    the claim that denies anything itself.

    The thing in the claim, and the clause of the premise that denies it.

    Examples
    --------
    >>> claim = "The tour has 163 steps and a lift."
    >>> premise = "The tour climbs 163 steps. There is no lift."
    >>> (found,) = find_absences(claim, [premise])
    >>> claim[found.start : found.end], premise[found.other_start : found.other_end]
    ('lift', 'There is no lift')
    """
    clauses = numbered_clauses(premises)
    absent = [
        (index, each)
        for index, each in clauses
        if each.head is not None
        and len(each.stems) <= _MOST_WORDS
        and each.stems == each.denied
        and _ABSENT.match(premises[index], each.start)
    ]
    if not absent:
        return ()
    return tuple(
        Exchange(ExchangeKind.DENIAL, *place, index, each.start, each.end)
        for index, each in absent
        if not any(each.denied <= other.stems - other.denied for _, other in clauses)
        for place in _had(claim, each)
    )


def _had(claim: str, absent: Clause) -> Iterator[tuple[int, int]]:
    """Where ``claim`` first has what is absent: the place of its last word."""
    for start, end in sentence_bounds(claim):
        sentence = claim[start:end]
        verb = _HAS.search(sentence)
        if verb is None or _DENIES.search(sentence):
            continue
        words = [each for each in read_clauses(sentence) if absent.stems <= each.stems]
        places = [each.places[absent.order[-1]] for each in words]
        later = [place for place in places if place[0] >= verb.end()]
        if later:
            yield start + later[0][0], start + later[0][1]
            return
