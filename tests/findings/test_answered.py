"""An abstention that the context disproves is checked like a claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core.detectors._set_aside import with_set_aside
from provenance_core.findings.answered import is_answered
from provenance_core.types import ContextItem
from tests.conftest import hand_evidence

CONTEXT = [
    "The Amsel library is open Monday to Saturday. It opened in 1911.",
    "A card for adults costs 12 euros a year. The library has 84,000 books.",
]


@pytest.mark.parametrize(
    ("query", "answered"),
    [
        ("When did it open?", True),
        ("In which year did the library open?", True),
        ("In which year was the card made?", False),
        ("How many books does it have?", True),
        ("How much does a card for adults cost?", True),
        ("What does the card cost for children?", False),
        ("How many people work there?", False),
        ("Who is the director?", False),
        ("Is it open on Sundays?", False),
        ("", False),
    ],
)
def test_a_query_is_answered_by_a_value_beside_its_words(query, answered):
    assert is_answered(query, CONTEXT) is answered


def test_an_abstention_that_the_context_disproves_is_not_set_aside():
    evidence = replace(
        hand_evidence([0.0], [[0.5]]),
        query="When did it open?",
        context=tuple(ContextItem(i, text) for i, text in enumerate(CONTEXT)),
    )
    (sentence,) = evidence.sentences
    text = "The context does not say when the library opened."
    said = replace(sentence, text=text, end=len(text))
    false = replace(evidence, answer=text, sentences=(said,))
    assert with_set_aside(false).set_aside == ()
    honest = replace(false, query="Who opened it?")
    assert [each.sentence for each in with_set_aside(honest).set_aside] == [0]
