"""Where the words of a claim and of its context do not agree: denials and opposites."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.findings.denials import find_denials
from provenance_core.findings.kinds import Mismatch
from provenance_core.findings.opposites import find_opposites


def find_mismatches(claim: str, premises: Sequence[str]) -> tuple[Mismatch, ...]:
    """Find what a claim denies, or states with a word of opposite meaning. Denials first; of one
    kind in the order of the claim."""
    return (*find_denials(claim, premises), *find_opposites(claim, premises))
