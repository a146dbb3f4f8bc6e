"""What stands in the place of a value or word is named only where a passage says the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from provenance_core import Parameters, SentenceLabel, assemble
from provenance_core.explain import reason_texts
from provenance_core.scoring.holding import holding
from provenance_core.scoring.label_rules import LABELLED_BY
from provenance_core.scoring.words import with_words
from provenance_core.types import Evidence, PairScores, Scores
from tests.scoring.test_holding import of


def read(answer: str, *context: str, against: float = 0.0, entailed: float = 0.0) -> Evidence:
    """One sentence, with what a model says of it by each passage."""
    evidence = of(answer, *context)
    cell = (entailed, 1 - entailed - against, against)
    scores = PairScores(np.array([[cell] * len(context)]))
    support = Scores(np.full((1, len(context)), 0.1))
    made = replace(evidence, sentence_scores=scores, support=support, labelled_by=LABELLED_BY)
    return with_words(replace(made, words=None, findings=()))


def instead(evidence: Evidence) -> list[tuple[str, str]]:
    return [(each.words, each.instead) for each in holding(evidence)]


@pytest.mark.parametrize(
    ("answer", "context", "found"),
    [
        (
            "Most goose eggs take from 28 to 32 days to hatch.",
            "Goose eggs can take anywhere from 28 to 35 days to hatch.",
            [("32 days", "35 days")],
        ),
        # The passage says it of something else.
        (
            "The median price per square foot in Menlo Park is $1,630, up since last year.",
            "Homes in Menlo Park sell for a median price of $3,000 after 22 days.",
            [("$1,630", "")],
        ),
        # It has several values, and any may be meant.
        (
            "24% of American voters identify as liberal.",
            "40% of American voters identify as conservatives, 36% as moderates, 22% as liberals.",
            [("24%", "")],
        ),
    ],
)
def test_another_value_is_named_where_the_rest_is_said(answer, context, found):
    assert instead(read(answer, context)) == found


def test_a_pronoun_is_no_name():
    evidence = read(". They are found in animals, as Yeast is.", "Receptors are found in animals.")
    assert "They" not in dict(instead(evidence))


def test_a_value_that_only_says_more_contradicts_nothing():
    evidence = read(
        "On 2 May 1611 the Bible was published in London.",
        "In 1611 the Bible was published in London.",
    )
    (traced,) = assemble(evidence, Parameters()).sentences
    assert instead(evidence) == [("2 May 1611", "1611")]
    assert traced.label is SentenceLabel.NOT_FOUND


@pytest.mark.parametrize(
    ("answer", "context", "against", "holds"),
    [
        ("Baking is not related to barbecuing.", "Baking is related to barbecuing.", 0.9, True),
        # No model finds it contradicted.
        (
            "Dan got an injection with a needle.",
            "No. I got an injection with a needle.",
            0.1,
            False,
        ),
        # A title asks.
        (
            "HDMI cables don't require long screws.",
            "Why do HDMI cables require long screws (example.com)",
            0.9,
            False,
        ),
        # The passage is of a part of it.
        (
            "It is not the longest highway in Georgia.",
            "I-75 is the longest Interstate highway within Georgia, by far.",
            0.9,
            False,
        ),
    ],
)
def test_a_denial_holds_where_the_rest_is_said_and_a_model_confirms_it(
    answer, context, against, holds
):
    evidence = read(answer, context, against=against)
    assert bool(holding(evidence)) is holds
    label = SentenceLabel.CONTRADICTED if holds else SentenceLabel.NOT_FOUND
    assert assemble(evidence, Parameters()).sentences[0].label is label


@pytest.mark.parametrize(("against", "label"), [(0.95, "not_found"), (0.98, "contradicted")])
def test_a_model_alone_contradicts_only_where_it_is_sure(against, label):
    audit = assemble(read("The hall is blue.", "The hall was red.", against=against), Parameters())
    assert audit.sentences[0].label == label
    assert ("reads a contradiction" in reason_texts(audit)[0]) is (label == "contradicted")
    assert audit.contradicts == (((0,) if label == "contradicted" else ()),)
