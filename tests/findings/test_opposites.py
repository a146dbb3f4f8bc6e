"""Where a word stands in the place of one of opposite meaning."""

from __future__ import annotations

import pytest

from provenance_core.findings.kinds import MismatchKind
from provenance_core.findings.opposites import find_opposites


@pytest.mark.parametrize(
    ("claim", "premise", "words"),
    [
        ("Oil prices rose.", "Oil prices fell.", ("rose", "fell")),
        ("The mill stands on the northern shore.", "The mill is on the southern shore.", None),
        ("It is the oldest bridge of Brix.", "Brix has the newest bridge of all.",
         ("oldest", "newest")),
        ("Sales in Brix increased by a third.", "Sales in Brix decreased by a third.",
         ("increased", "decreased")),
        ("A ticket of 3 days costs 60 euros.", "A ticket of 3 weeks costs 60 euros.",
         ("days", "weeks")),
        ("A small dog runs in the park.", "A big dog runs in the park with Al.",
         ("small", "big")),
    ],
)  # fmt: skip
def test_an_opposite_of_what_the_premise_says(claim, premise, words):
    found = find_opposites(claim, ["It rained.", premise])
    if words is None:
        assert not found  # too little is shared
        return
    (one,) = found
    assert one.kind is MismatchKind.OPPOSITE
    assert one.premise == 1
    assert (claim[one.start : one.end], premise[one.other_start : one.other_end]) == words


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Oil prices rose.", "Oil prices rose."),
        ("Oil prices rose in May.", "Oil prices fell in April. Oil prices rose in May."),
        ("Oil prices did not rise.", "Oil prices fell."),
        ("Oil prices rose and fell.", "Oil prices rose and fell."),
        ("The north of Brix is hot.", "Tarn lies south."),
        ("Could oil prices rise?", "Oil prices fall."),
        # The units of one value.
        ("A ticket of 14 days costs 60 euros.", "A ticket of 2 weeks costs 60 euros."),
        ("A pass of twelve months costs 60 euros.", "A pass of one year costs 60 euros."),
        ("", "Oil prices fall."),
        ("Oil prices rise.", ""),
    ],
)
def test_no_opposite(claim, premise):
    assert not find_opposites(claim, [premise])
