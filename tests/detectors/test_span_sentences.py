"""Where the spans of a sentence are looked for: in its claim, and at its place in the answer."""

from dataclasses import replace

import pytest

from provenance_core.detectors._span_measurement import _sentences
from provenance_core.text.claims import build_claims, split_answer
from provenance_core.types import ClaimForm
from tests.conftest import count_words, hand_evidence


@pytest.mark.parametrize(
    ("query", "answer", "owns"),
    [
        ("", "- Rinse it.\n- Dry it.", ["Rinse it.", "Dry it."]),
        ("Who left?", "2. Anna.", ["Anna."]),
        ("Is it open?", "Yes.", ["Yes."]),
        ("", "| A | B |\n|---|---|\n| 1 | 2 |", ["| A | B |\n|---|---|", "| 1 | 2 |"]),
    ],
)
def test_the_own_words_of_a_sentence_are_those_of_the_answer(query, answer, owns):
    sentences = split_answer(answer, 50, count_words)
    claims, _ = build_claims(query, answer, sentences, ClaimForm.AUTO, 50, count_words)
    hand = hand_evidence([0.1], [[0.5]] * len(sentences))
    evidence = replace(hand, query=query, answer=answer, sentences=sentences, claims=claims)
    found = _sentences(evidence)
    assert [each.own for each in found] == owns
    assert [answer[each.start : each.start + each.length] for each in found] == owns
