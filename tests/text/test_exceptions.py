"""What a claim includes and the premise excepts, and the other way round."""

from __future__ import annotations

import pytest

from provenance_core.text.exceptions import find_other_scope
from provenance_core.text.exchanges import find_exchanges


@pytest.mark.parametrize(
    ("claim", "premise", "phrase", "other"),
    [
        (
            "Staff must wear a helmet in the hall, including visitors from the office.",
            "Staff must wear a helmet in the hall, with the exception of visitors from the office.",
            "including visitors from the office",
            "with the exception of visitors from the office",
        ),
        (
            "Dogs are not allowed on the beach even in winter.",
            "Dogs aren't allowed on the beach except in winter.",
            "even in winter",
            "except in winter",
        ),
        (
            "Pupils may not use phones in class even when a teacher asks for it.",
            "Pupils may not use phones in class unless a teacher has asked them to.",
            "even when a teacher asks for it",
            "unless a teacher has asked them to",
        ),
        (
            "The pass is valid on all trains apart from night trains.",
            "The pass is valid on all trains, including night trains.",
            "apart from night trains",
            "including night trains",
        ),
    ],
)
def test_another_scope(claim, premise, phrase, other):
    (found,) = find_other_scope(claim, ["It rained.", premise])
    assert claim[found.start : found.end] == phrase
    assert found.premise == 1
    assert premise[found.other_start : found.other_end] == other
    assert found in find_exchanges(claim, ["It rained.", premise])


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        # The same scope.
        (
            "Dogs are not allowed on the beach except in winter.",
            "Dogs aren't allowed on the beach, except in winter.",
        ),
        # Turned round twice.
        (
            "Anybody may enter the club, including members.",
            "Nobody may enter the club, except members.",
        ),
        # Of something else.
        (
            "The museum sells tickets, including student tickets.",
            "The bridge is open to all lorries, except those with student drivers.",
        ),
        # Another phrase.
        (
            "The pass is valid on all trains, including express trains from Tarn.",
            "The pass is valid on all trains, except on the night boat.",
        ),
        # Stated elsewhere in the same words.
        (
            "Staff must wear a helmet, even in the office.",
            "Staff must wear a helmet, except in the office. From May on staff must wear a helmet, "
            "even in the office.",
        ),
    ],
)
def test_the_same_or_another_thing_is_none(claim, premise):
    assert find_other_scope(claim, [premise]) == ()
