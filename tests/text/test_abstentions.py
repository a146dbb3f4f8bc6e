"""An abstention sets aside its own words, and no claim beside it."""

from __future__ import annotations

import pytest

from provenance_core.text.abstentions import without_abstention
from provenance_core.text.claims import claim_texts, split_answer
from provenance_core.text.set_aside import ABSTENTION, REMARK, why_set_aside

NOTHING = "There is no information about parking"
CLAIM = "A card for adults costs 99 euros a year."
SMALL = CLAIM[0].lower() + CLAIM[1:-1]


def count(texts):
    return [len(text.split()) for text in texts]


@pytest.mark.parametrize(
    "border",
    [
        "; ",
        " - ",
        " \u2013 ",
        " \u2014 ",
        ": ",
        ", so ",
        " and ",
        ", and ",
        ", but ",
        "\n",
        ", although ",
    ],
)
def test_a_claim_behind_an_abstention_is_read_alone(border):
    sentence = f"{NOTHING}{border}{SMALL}."
    assert without_abstention(sentence) == CLAIM
    assert why_set_aside(sentence) is None
    assert CLAIM in claim_texts(sentence, split_answer(sentence, 100, count))


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (f"{NOTHING} ({SMALL}).", CLAIM),
        (f"{CLAIM[:-1]}, but {NOTHING[0].lower()}{NOTHING[1:]}.", CLAIM),
        ("The context does not mention the year, which was 1950.", "It was 1950."),
        ("I don't know; it probably opened in 1950.", "It probably opened in 1950."),
        ("Although the context does not say so, the mill is old.", "The mill is old."),
    ],
)
def test_a_claim_stands_in_any_place(sentence, claim):
    assert without_abstention(sentence) == claim


@pytest.mark.parametrize(
    "sentence",
    [
        "N/A",
        "Not found in the provided context.",
        "The source contains no answer to the question.",
        "Unfortunately the text says nothing about the director.",
        "I could not find the price and the opening hours in the documents.",
        "I'm sorry, but I couldn't find any information about parking in the documents.",
        "The context does not say when it opened, how many people work there, and who runs it.",
        "The passage does not mention the employees at the plant in Oslo, Norway, or their roles.",
        "The text does not specify whether the shop is open, and it does not give a price.",
    ],
)
def test_an_abstention_alone_claims_nothing(sentence):
    assert without_abstention(sentence) == ""
    assert why_set_aside(sentence) == ABSTENTION


@pytest.mark.parametrize(
    "sentence",
    ["The mill is old.", "There is no parking.", "The mayor said: \u201cI don't know.\u201d"],
)
def test_another_sentence_stays(sentence):
    assert without_abstention(sentence) == sentence
    assert why_set_aside(sentence) is None


def test_where_to_ask_is_a_remark():
    assert why_set_aside("You may want to ask at the desk.") == REMARK
    assert why_set_aside("You may want to bring 12 euros.") is None
