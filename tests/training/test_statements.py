"""Questions and answers as statements: the forms that are turned, and those that are not."""

from __future__ import annotations

import random

import pytest

from training.minimal_pairs import ENTAILMENT, NEUTRAL, NOT_SUPPORTED
from training.statements import statement, statement_pairs

PASSAGE = (
    "The old bridge was built by Anna Berg in 1932. It was closed in 1960, after a fire had "
    "damaged two of its piers. Paul Roux led the repair of the bridge."
)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Who built the bridge?", "Anna Berg", "Anna Berg built the bridge."),
        ("Which team won the cup?", "Lyon", "Lyon won the cup."),
        ("What is the capital of France?", "Paris.", "Paris is the capital of France."),
        ("How many people live there now?", "12", "12 people live there now."),
        ("When was the bridge closed to cars?", "1960", "The bridge was closed to cars in 1960."),
        ("Where was Anna Berg born?", "in Lyon", "Anna Berg was born in Lyon."),
        ("When did Paul Roux die?", "3 May 1971", "Paul Roux died on 3 May 1971."),
        ("What did Anna Berg write in 1940?", "a novel", "Anna Berg wrote a novel in 1940."),
    ],
)
def test_questions_that_are_turned(question, answer, expected):
    assert statement(question, answer) == expected


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Why was the bridge closed?", "a fire"),
        ("What was the bridge built of?", "stone"),
        ("Who was the bridge named after?", "Anna Berg"),
        ("What is the poster studying?", "law"),
        ("What is used instead of a key?", "a card"),
        ("Is it old?", "yes"),
        ("When was it opened?", "a while ago, they said"),
        ("How many people live there?", "nobody"),
        ("", "x"),
        ("Who built it?", ""),
    ],
)
def test_questions_that_no_rule_turns_safely(question, answer):
    assert statement(question, answer) is None


def test_right_and_wrong_statements_have_one_form_and_the_labels_of_their_answers():
    found = [
        pair
        for seed in range(60)
        for pair in statement_pairs(
            "Who built the old bridge?", "Anna Berg", PASSAGE, random.Random(seed), ["Paul Roux"]
        )
    ]
    assert {(p.kind, p.label) for p in found} == {
        ("statement", ENTAILMENT),
        ("statement_wrong", NOT_SUPPORTED),
        ("statement_lacks", NEUTRAL),
    }
    for pair in found:
        claim = pair.hypothesis.lower()
        assert "built the old bridge" in claim
        assert ("anna berg" in claim) == (pair.label != NOT_SUPPORTED)
        assert ("Anna Berg" in pair.premise) == (pair.label != NEUTRAL)
