"""Where a claim denies what the premise states, or the other way round."""

from __future__ import annotations

import pytest

from provenance_core.findings.denials import find_denials
from provenance_core.findings.kinds import MismatchKind


@pytest.mark.parametrize(
    ("claim", "premise", "words"),
    [
        ("The stand was rebuilt.", "The stand was not rebuilt.", "rebuilt"),
        ("The stand was not rebuilt.", "The stand was rebuilt in May.", "not rebuilt"),
        ("A library will be closed.", "No library will be closed.", "library"),
        ("The box includes a charger.", "A charger isn't included in the box.", "includes"),
        ("The box doesn\u2019t include a charger.", "The box includes a charger.",
         "doesn\u2019t include"),
        ("The handle can be washed by machine.", "The handle must never be washed by machine.",
         "washed"),
        ("It offers a trial without cost and help.", "It offers a trial at a cost.",
         "without cost"),
        ("It rained, but the roof didn ' t leak in May.", "The roof leaked in May.",
         "didn ' t leak"),
    ],
)  # fmt: skip
def test_a_denied_statement(claim, premise, words):
    (found,) = find_denials(claim, ["It was a wet May.", premise])
    assert claim[found.start : found.end] == words
    assert found.kind is MismatchKind.DENIAL
    assert found.premise == 1
    assert premise[found.other_start : found.other_end] == premise.rstrip(".")


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The stand was not rebuilt.", "The stand was not rebuilt."),
        ("Nobody rebuilt the stand.", "The stand was not rebuilt."),
        ("The stand was rebuilt.", "The stand was not rebuilt. Later the stand was rebuilt."),
        ("The stand was rebuilt in 1999.", "The stand was not only rebuilt in 1999."),
        ("The stand was opened in 1999.", "The stand was not opened until 1999."),
        ("Some members pay a fee.", "Not all members pay a fee."),
        ("The works refused to rebuild the stand.", "The works did not rebuild the stand."),
        ("The works were unable to rebuild the stand.", "The works didn't rebuild the stand."),
        ("The library is not open on Mondays.", "The library is closed on Mondays."),
        ("Residents do not pay for admission.",
         "Admission is free for residents; visitors pay 6 euros."),
        ("The stand was rebuilt.", "Was the stand not rebuilt?"),
        ("House No. 5 has a red door.", "House 5 has a red door."),
        ("The Jets marched, with a touchdown pass from Mark Sanchez.",
         "After no passing yards in May the Jets marched, with a pass from Mark Sanchez."),
        ("", "The stand was not rebuilt."),
        ("The stand was rebuilt.", ""),
    ],
)  # fmt: skip
def test_no_denial(claim, premise):
    assert not find_denials(claim, [premise])
