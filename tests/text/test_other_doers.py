"""What the context says of one named thing, said of another."""

from __future__ import annotations

import pytest

from provenance_core.text.other_doers import find_other_doer
from provenance_core.text.phrases import ExchangeKind

LAB = "Marta Lind leads the lab. Jan Okoro, her deputy, was born in Oslo and studied in Bergen."
TOWNS = (
    "The towns are Estrand and Calder. Calder lies by the sea. Its club plays in the third league."
)


@pytest.mark.parametrize(
    ("claim", "before", "premise", "claimed", "other"),
    [
        ("She was born in Oslo.", "Marta Lind leads the lab.", LAB, "She", "Jan Okoro, her deputy"),
        ("Marta Lind was born in Oslo.", "", LAB, "Marta Lind", "Jan Okoro, her deputy"),
        # Whose the thing is stands in the sentence before, here and in the context.
        ("Its club plays in the third league.", "Estrand is a town.", TOWNS, "Its", "Its club"),
        ("Estrand's club plays in the third league.", "", TOWNS, "Estrand", "Its club"),
    ],
)
def test_what_is_said_of_another_alone_is_found(claim, before, premise, claimed, other) -> None:
    (found,) = find_other_doer(claim, [premise], before)
    assert found.kind is ExchangeKind.SUBJECT
    assert claim[found.start : found.end] == claimed
    assert premise[found.other_start : found.other_end].startswith(other)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Jan Okoro was born in Oslo.", LAB),
        # Both were; half of it is said of the claim's own.
        ("Marta Lind was born in Oslo.", f"{LAB} Marta Lind was born there too, in Oslo."),
        # A pronoun or a common noun may stand for the claim's own.
        (
            "Marta Lind was born in Oslo.",
            "The lab is led by Marta Lind. The head was born in Oslo.",
        ),
        # Another word for the same.
        ("The IRS sells such data.", "The IRS is old. An Internal Revenue plan sells such data."),
        ("The current Duke of York sold it.", "The Duke of York left. Prince Andrew sold it now."),
        # No name, or one that the context lacks.
        ("Lunch is free for all children.", "Poor children eat lunch free. Lunch is at noon."),
        ("Ana Moss was born in Oslo.", LAB),
        # The other is named in the claim: that is for the roles to tell.
        ("Marta Lind and Jan Okoro were born in Oslo.", LAB),
        # A speaker's label is no subject.
        ("Marta Lind took the drugs.", "Marta Lind came. CAIN: The drugs, she took."),
    ],
)
def test_what_may_be_said_of_the_claims_own_is_left(claim, premise) -> None:
    assert find_other_doer(claim, [premise]) == ()
