"""Parts of a formula that several detectors write, with an audit's own numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provenance_core.detectors._set_aside import scored_claims
from provenance_core.scoring.aggregation import claim_shares
from provenance_core.types import Audit, ClaimResult, Floats, SentenceLabel

# Terms of a claim, and claims, that are written out; the rest is counted.
MOST_TERMS = 12


def chunk_name(index: int) -> str:
    """Name a chunk as formulas do.

    Parameters
    ----------
    index : int
        Its index, from 0.

    Returns
    -------
    str
        C1, C2, and so on.

    Examples
    --------
    >>> chunk_name(0)
    'C1'
    """
    return f"C{index + 1}"


def first_of(terms: Sequence[str]) -> list[str]:
    """Keep the first ``MOST_TERMS`` terms, and say how many more there are. At most ``MOST_TERMS``
    terms, and one that counts the rest.

    >>> first_of([str(number) for number in range(14)])[-2:]
    ['11', '… 2 more']
    """
    rest = len(terms) - MOST_TERMS
    return [*terms[:MOST_TERMS], f"… {rest} more"] if rest > 0 else list(terms)


def named_terms(
    values: Sequence[float | None],
    chunks: Sequence[int],
    decided_by: int | None,
    weights: Sequence[float] | None = None,
) -> list[str]:
    """Write the numbers of chunks with their names, at most ``MOST_TERMS``. The terms, and one that
    counts the rest.

    >>> named_terms([0.9, 0.25], [0, 1], None)
    ['0.900 [C1]', '0.250 [C2]']
    """
    chunks = [chunk for chunk in chunks if values[chunk] is not None]
    written = chunks[:MOST_TERMS]
    if decided_by is not None and decided_by not in written and written:
        written[-1] = decided_by
    terms = [
        (f"{weights[c]:.3f}×" if weights else "") + f"{values[c]:.3f} [{chunk_name(c)}]"
        for c in written
    ]
    if len(chunks) > len(written):
        terms.append(f"… {len(chunks) - len(written)} more")
    return terms


def over_every_chunk(
    how: str, audit: Audit, values: Sequence[float | None], decided_by: int | None
) -> str:
    """Write a function of one number a chunk."""
    terms = named_terms(values, range(len(audit.sources)), decided_by)
    return f"{how}({', '.join(terms)})"


def of_joined_chunks(what: str, audit: Audit, result: ClaimResult) -> str:
    """Write which chunks were joined for a claim, in their joined order."""
    chunks = audit.evidence.joined_scores[result.claim.index].chunks
    names = first_of([chunk_name(chunk) for chunk in chunks])
    return f"{what} by {' + '.join(names)} together"


def of_claims(how: str, audit: Audit) -> str:
    """Write how the claims' scores become the answer's, and how many of them count."""
    counted = int(scored_claims(audit.evidence, audit.parameters).sum())
    every = len(audit.claims)
    return f"{how} of {every if counted == every else f'{counted} of {every}'} claims"


def claim_aggregation_name(audit: Audit) -> str:
    """The aggregation over the claims, in words."""
    return str(audit.parameters.claim_aggregation).replace("_", " ")


def counted_shares(audit: Audit) -> Floats:
    """How much each claim counts in the score: shares, (M,), in [0, 1], sum 1; 0 for a claim that
    is set aside. ``audit``: of a detector that uses ``claim_aggregation``."""
    counted = scored_claims(audit.evidence, audit.parameters)
    scores = np.array([result.score for result in audit.claims])
    return claim_shares(scores, audit.parameters.claim_aggregation, counted)


def counted_sentences(audit: Audit) -> set[int]:
    """Indices of the sentences that are not set aside."""
    return {
        traced.sentence.index
        for traced in audit.sentences
        if traced.label is not SentenceLabel.SET_ASIDE
    }
