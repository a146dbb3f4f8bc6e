"""Pronouns, fragments and bare yes or no: read with what they refer to."""

import pytest

from provenance_core.text.claims import build_claims, split_answer
from provenance_core.text.references import hypothesis_texts, needs_previous
from provenance_core.text.yes_no import statement_of
from provenance_core.types import ClaimForm
from tests.conftest import count_words


@pytest.mark.parametrize(
    "sentence",
    [
        "It opened in 1932.",
        "However, they left.",
        "In 1932, she won it.",
        "- Its roof is red.",
        "This was the first one.",
        "Both were sold.",
        "One of them fell.",
        "The latter is older.",
        "In 1932.",
        "About 8 km.",
        "Anna Berg.",
        "Because it was cold.",
        "Not before May.",
    ],
)
def test_what_refers_to_the_sentence_before(sentence):
    assert needs_previous(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The bridge opened in 1932.",
        "It is important to dry it.",
        "It takes five minutes to boil an egg.",
        "This article describes bees.",
        "That said, bees dance.",
        "Both Anna and Tom left.",
        "There are 12 rooms.",
        "Rinse well.",
        "The museum opens at noon.",
        "In 1932 the bridge was opened by the king of the land.",
        "Anna Berg won.",
        "Do this:",
    ],
)
def test_what_stands_alone(sentence):
    assert not needs_previous(sentence)


def test_the_hypothesis_holds_what_it_refers_to_and_the_claim_whole():
    answer = "Sure! The bridge is old. It opened in 1932. In winter. Bees dance.\n- They hum."
    sentences = split_answer(answer, 50, count_words)
    assert hypothesis_texts(answer, sentences, set_aside={0}) == [
        "Sure!",
        "The bridge is old.",
        "The bridge is old. It opened in 1932.",
        "The bridge is old. It opened in 1932. In winter.",
        "Bees dance.",
        "Bees dance. They hum.",
    ]
    assert hypothesis_texts("It is so.", split_answer("It is so.", 50, count_words)) == [
        "It is so."
    ]


@pytest.mark.parametrize(
    ("query", "answer", "statement"),
    [
        ("Is the Eiffel Tower in Paris?", "Yes.", "The Eiffel Tower is in Paris."),
        ("Is the Eiffel Tower in Rome?", "No, it isn't.", "The Eiffel Tower is not in Rome."),
        ("Does the museum open on Mondays?", "No", "The museum does not open on Mondays."),
        ("Was Anna Berg born in Rome?", "Yes, she was.", "Anna Berg was born in Rome."),
        ("Is Mount Fuji a volcano?", "yes!", "Mount Fuji is a volcano."),
        ("Is it free?", "Yes", "It is free."),
        ("Is salt water denser than ice?", "Yes.", "Salt water is denser than ice."),
        ("Are bags over 32 kg accepted?", "No.", "Bags over 32 kg are not accepted."),
        ("Do the otters hunt at night?", "Yes, they do.", "The otters do hunt at night."),
        ("Was anyone hurt?", "No.", None),
        ("Is the glass jug dishwasher safe?", "No.", None),
        ("Is the bridge long?", "No.", "The bridge is not long."),
        ("Can the new battery catch fire?", "Yes.", None),
        ("Is it red or blue?", "Yes.", None),
        ("Where is the tower?", "Yes.", None),
        ("Isn't the tower in Paris?", "Yes.", None),
        ("Is the tower in Paris?", "Yes, it opened in 1932.", None),
        ("Is the tower in Paris?", "In Paris.", None),
    ],
)
def test_a_bare_yes_or_no_is_a_statement(query, answer, statement):
    assert statement_of(query, answer) == statement


def test_the_claim_of_a_bare_yes_is_the_statement_but_not_to_the_letter():
    sentences = split_answer("Yes.", 50, count_words)

    def claims_under(form):
        claims, _ = build_claims("Is the pool open?", "Yes.", sentences, form, 50, count_words)
        return [(claim.start, claim.end, claim.text) for claim in claims]

    assert claims_under(ClaimForm.AUTO) == [(0, 4, "The pool is open.")]
    prompt = "The answer to question Is the pool open? is Yes."
    assert claims_under(ClaimForm.PROMPT) == [(0, 4, prompt)]
