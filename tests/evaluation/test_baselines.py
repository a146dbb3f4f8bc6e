"""The three baselines that read no model, by hand."""

from __future__ import annotations

import pytest

from provenance_core.errors import InputError
from provenance_core.evaluation.baselines import length_score, rouge_2, word_overlap
from provenance_core.evaluation.scorers import BASELINES, BaselineScorer
from provenance_core.evaluation.types import Method
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
    assert rouge_2(context, answer) == pytest.approx(expected)


def test_length_prefers_the_short_answer():
    assert length_score("four") == -4.0
    assert length_score("short") > length_score("a longer answer")


def test_scorers_give_the_measure_they_are_named_after():
    row = LabelledRow(1, "Where?", ("The red bridge is long.",), "The bridge is long.", 1)
    assert {scorer.method: scorer.score(row).scores for scorer in BASELINES} == {
        Method.WORD_OVERLAP: (1.0,),
        Method.ROUGE_2: (2 / 3,),
        Method.LENGTH: (-19.0,),
    }
    for scorer in BASELINES:
        assert [column.name for column in scorer.columns] == [scorer.method]
        assert scorer.columns[0].threshold is None
        assert not scorer.columns[0].probability


@pytest.mark.parametrize("context", [(), ("",), (" ", "\n")])
def test_nothing_is_compared_with_an_empty_context(context):
    row = LabelledRow(1, "", context, "An answer.", 1)
    for method in (Method.WORD_OVERLAP, Method.ROUGE_2):
        with pytest.raises(InputError, match="the context is empty"):
            BaselineScorer(method).score(row)
    assert BaselineScorer(Method.LENGTH).score(row).scores == (-10.0,)
