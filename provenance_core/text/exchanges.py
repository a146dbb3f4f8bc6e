"""What a claim exchanges or denies: the right words in the wrong place."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.text.absences import find_absences
from provenance_core.text.exceptions import find_other_scope
from provenance_core.text.opposites import find_opposites
from provenance_core.text.other_doers import find_other_doer
from provenance_core.text.other_subjects import find_other_subject
from provenance_core.text.parallels import find_other_parallel
from provenance_core.text.phrases import Exchange
from provenance_core.text.polarity import find_denials
from provenance_core.text.ranks import find_other_ranks
from provenance_core.text.records import find_other_record
from provenance_core.text.roles import find_exchanged_roles


def find_exchanges(claim: str, premises: Sequence[str], before: str = "") -> tuple[Exchange, ...]:
    """Find the roles, values and ranks that a claim exchanges, and what it denies.

    By kind of exchange; of one kind in the order of the claim.
    """
    return (
        *find_exchanged_roles(claim, premises, before),
        *find_other_record(claim, premises, before),
        *find_denials(claim, premises),
        *find_absences(claim, premises),
        *find_other_scope(claim, premises),
        *find_opposites(claim, premises),
        *(find_other_subject(claim, premises) or find_other_parallel(claim, premises)),
        *find_other_doer(claim, premises, before),
        *find_other_ranks(claim, premises),
    )
