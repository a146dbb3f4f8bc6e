"""Where a claim denies what the premise states, or states what the premise denies.

Two clauses are compared only where they share nearly all of their content words.
"""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.findings.clauses import Clause, numbered_clauses, read_clauses
from provenance_core.findings.kinds import Mismatch, MismatchKind

_SHARED = 0.8  # of the content words of the shorter clause
_FEWEST = 2


def find_denials(claim: str, premises: Sequence[str]) -> tuple[Mismatch, ...]:
    """Find what a claim denies and a clause of the premises states, or the other way round: the
    word in the claim, and the clause of the premise. None is found where a clause of the premises
    that is as close says the same as the claim.

    >>> claim = "The west stand was rebuilt after the fire."
    >>> premise = "It rained. The west stand was not rebuilt after the fire."
    >>> (found,) = find_denials(claim, [premise])
    >>> claim[found.start : found.end], premise[found.other_start : found.other_end]
    ('rebuilt', 'The west stand was not rebuilt after the fire')
    """
    others = numbered_clauses(premises)
    return tuple(
        found for own in read_clauses(claim) if (found := _denial(own, others)) is not None
    )


def _denial(own: Clause, others: Sequence[tuple[int, Clause]]) -> Mismatch | None:
    best: Mismatch | None = None
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
            best = Mismatch(MismatchKind.DENIAL, start, end, index, other.start, other.end)
        elif head is None and {own.head, other.head} & shared <= own.denied & other.denied:
            agreed = max(agreed, share)
    return best if agreed < most else None


def _denied_by_one(own: Clause, other: Clause, shared: frozenset[str]) -> str | None:
    """The word that one of two clauses denies and the other states."""
    if own.denied & shared and other.denied & shared:
        return None
    denying, stating = (own, other) if own.head is not None else (other, own)
    head = denying.head
    if head is None or head not in shared or head in stating.denied:
        return None
    if not denying.near(denying.head_at) & stating.near_any(head):
        return None
    same = own.stems == other.stems
    return head if same or shared - denying.denied or len(shared) > _FEWEST else None
