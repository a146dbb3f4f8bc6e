"""The baselines that read no model, by hand."""

from __future__ import annotations

import random

import pytest

from provenance_core.errors import InputError
from provenance_core.evaluation.baselines import length_score, rouge_l, rouge_n, word_overlap
from provenance_core.evaluation.scorers import BASELINES, BaselineScorer
from provenance_core.evaluation.types import BASELINE_METHODS, Method
from provenance_core.files.types import LabelledRow


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The CAT sat.", 1.0),
        ("The dog sat.", 1 / 2),  # dog, sat
        ("It cost 1,250 euro", 2 / 3),  # cost, 1,250, euro
        ("It is.", 1 / 2),  # function words alone: it, is
        ("?!", 0.0),
    ],
)
def test_word_overlap_by_hand(answer, expected):
    assert word_overlap(["The cat", "sat; it cost 1,250 pounds."], answer) == expected


@pytest.mark.parametrize(
    ("context", "answer", "expected"),
    [
        (["The bridge is long."], "the BRIDGE is long", 1.0),
        (["The bridge is long."], "The bridge was long.", 1 / 3),
        (["a b a b"], "a b a b a b", 3 / 5),  # a b twice and b a once are there
        (["a b", "x a b"], "a b a b", 2 / 3),  # items count together: a b twice
        (["red green", "blue"], "green blue", 0.0),  # no pair across items
        (["One. Two."], "one two", 1.0),
        (["word"], "word", 0.0),  # one word makes no pair
        (["word"], "", 0.0),
    ],
)
def test_rouge_2_by_hand(context, answer, expected):
    assert rouge_n(context, answer, 2) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "size", "expected"),
    [
        ("the red bridge is long", 3, 2 / 3),  # the red bridge, red bridge is
        ("the red bridge is long", 4, 1 / 2),  # the red bridge is
        ("the red bridge", 4, 0.0),  # three words make no run of four
    ],
)
def test_longer_runs_by_hand(answer, size, expected):
    context = ["The red bridge is not long."]
    assert rouge_n(context, answer, size) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("context", "answer", "expected"),
    [
        (["The bridge is long."], "the BRIDGE is long", 1.0),
        (["The bridge is long."], "The bridge was long.", 3 / 4),
        (["red green blue"], "blue green red", 1 / 3),  # one word stands in the order
        (["red", "green"], "red green", 1.0),  # items follow one another
        (["a b"], "a a b b", 1 / 2),  # a word of the context counts once
        (["a x b x c"], "a b c d", 3 / 4),
        (["word"], "", 0.0),
        ([], "word", 0.0),
    ],
)
def test_rouge_l_by_hand(context, answer, expected):
    assert rouge_l(context, answer) == pytest.approx(expected)


def test_the_longest_common_sequence_is_that_of_the_table():
    rng = random.Random(3)
    for _ in range(200):
        first, second = ([rng.choice("abcd") for _ in range(rng.randint(1, 90))] for _ in range(2))
        row = [0] * (len(second) + 1)
        for word in first:
            before, row = row, [0]
            for at, other in enumerate(second):
                row.append(before[at] + 1 if word == other else max(before[at + 1], row[at]))
        assert rouge_l([" ".join(second)], " ".join(first)) == row[-1] / len(first)


def test_length_prefers_the_short_answer():
    assert length_score("four") == -4.0
    assert length_score("short") > length_score("a longer answer")


def test_scorers_give_the_measure_they_are_named_after():
    row = LabelledRow(1, "Where?", ("The red bridge is long.",), "The bridge is long.", 1)
    assert {scorer.method: scorer.score(row).scores for scorer in BASELINES} == {
        Method.WORD_OVERLAP: (1.0,),
        Method.ROUGE_2: (2 / 3,),
        Method.ROUGE_3: (1 / 2,),
        Method.ROUGE_4: (0.0,),
        Method.ROUGE_L: (1.0,),
        Method.LENGTH: (-19.0,),
    }
    for scorer in BASELINES:
        assert [column.name for column in scorer.columns] == [scorer.method]
        assert scorer.columns[0].threshold is None
        assert not scorer.columns[0].probability


@pytest.mark.parametrize("context", [(), ("",), (" ", "\n")])
def test_nothing_is_compared_with_an_empty_context(context):
    row = LabelledRow(1, "", context, "An answer.", 1)
    for method in set(BASELINE_METHODS) - {Method.LENGTH}:
        with pytest.raises(InputError, match="the context is empty"):
            BaselineScorer(method).score(row)
    assert BaselineScorer(Method.LENGTH).score(row).scores == (-10.0,)
