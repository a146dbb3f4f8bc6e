"""Things of a claim of which the premise says that there are none."""

import pytest

from provenance_core.text.absences import find_absences

TOUR = "The lighthouse tour takes 40 minutes and climbs 163 steps. There is no lift."


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ("The lighthouse tour has 163 steps and a lift.", "lift"),
        ("Visitors are taken up with a lift.", "lift"),
        ("There is a lift in the lighthouse.", "lift"),
        ("The tower offers two lifts.", "lifts"),
    ],
)
def test_a_thing_that_is_absent_is_found(claim: str, word: str) -> None:
    (found,) = find_absences(claim, ["It rained.", TOUR])
    assert claim[found.start : found.end] == word
    assert (found.premise, TOUR[found.other_start : found.other_end]) == (1, "There is no lift")


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The lighthouse tour has no lift.", TOUR),
        ("The lighthouse tour has 163 steps.", TOUR),
        ("The lift was planned.", TOUR),
        ("The museum has a lift.", f"{TOUR} The museum has a lift."),
        ("The museum has a lift.", "There is no lift in the old tower of the museum."),
        ("The museum has a lift.", "Is there no lift?"),
    ],
)
def test_nothing_is_found_where_the_premise_does_not_say_so(claim: str, premise: str) -> None:
    assert find_absences(claim, [premise]) == ()
