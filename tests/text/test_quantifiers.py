"""Where a claim says "all" and the premise says "some"."""

from __future__ import annotations

import pytest

from provenance_core.text.details import conflicts
from provenance_core.text.quantifiers import find_overstated


@pytest.mark.parametrize(
    ("claim", "premise", "pair"),
    [
        ("All councillors asked for it.", "Some councillors asked for it.", ("All", "Some")),
        ("Every member of the crew swims.", "Several crew members swim.", ("Every", "Several")),
        ("The whole path is closed.", "Parts of the path are closed.", ("whole", "Parts")),
        ("In all teams they work late.", "Most teams work late.", ("all", "Most")),
        ("The gate is always open.", "The gate is usually open.", ("always", "usually")),
        ("The gate is never open.", "The gate is rarely open.", ("never", "rarely")),
    ],
)
def test_a_whole_of_what_the_premise_says_in_part(claim, premise, pair):
    (found,) = find_overstated(claim, ["It rained.", premise])
    assert found.premise == 1
    assert (
        claim[found.start : found.end],
        premise[found.other_start : found.other_end],
    ) == pair


@pytest.mark.parametrize(
    ("claim", "premises"),
    [
        ("Some lamps were replaced.", ["All lamps were replaced."]),
        ("Not all lamps were replaced.", ["Some lamps were replaced."]),
        ("All lamps were replaced.", ["Some lamps were replaced.", "All the lamps are new."]),
        ("All lamps were replaced.", ["Some birds sing. The lamps were replaced."]),
        ("All guests get breakfast.", ["Guests get breakfast. Some have dinner in the hall."]),
        ("In all, 12 teams came.", ["Some teams came."]),
        ("Lamps were replaced.", ["Some lamps were replaced."]),
        ("All lamps were replaced.", []),
    ],
)
def test_nothing_else_is_overstated(claim, premises):
    assert find_overstated(claim, premises) == ()


def test_an_overstated_amount_is_a_detail_in_conflict():
    (found,) = conflicts("All lamps were replaced.", ["Some lamps were replaced."])
    assert (found.text, found.other, found.kind) == ("All", "Some", "number")
