"""Numbers and dates of a claim in the writing of its context.

A small model compares writings, not values: to it "1240 patients" contradicts "1,240 patients".
"""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.findings.details import other_writings
from provenance_core.findings.read_texts import ReadPremises


def as_context_writes(claim: str, context: Sequence[str] | ReadPremises) -> str:
    """Write every number and date of a claim that the context states as it is written there, for a
    model to read.

    >>> as_context_writes("The trial had 1240 patients.", ["A trial with 1,240 patients."])
    'The trial had 1,240 patients.'
    >>> as_context_writes("It is 5 miles long.", ["It is 9 km long."])
    'It is 5 miles long.'
    """
    for each in reversed(other_writings(claim, context)):
        claim = claim[: each.start] + each.other + claim[each.end :]
    return claim
