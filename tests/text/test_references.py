"""What a sentence of an answer refers to beyond itself."""

from __future__ import annotations

import pytest

from provenance_core.text.claims import build_claims, split_answer
from provenance_core.text.references import is_fragment, without_pronoun
from provenance_core.types import ClaimForm


def count_words(texts):
    return [len(text.split()) for text in texts]


@pytest.mark.parametrize(
    ("before", "sentence", "read"),
    [
        ("Hedda Morlan founded it.", "She led it.", "Hedda Morlan led it."),
        ("Oskar Lind wrote it.", "He did so in 1961.", "Oskar Lind wrote it in 1961."),
        # A reply without a verb names what the next sentence is about.
        ("The south lift.", "It should be repaired.", "The south lift should be repaired."),
        ("Brooke's wife was Mairead Coyle.", "She was a cellist.", "Mairead Coyle was a cellist."),
        ("The Arlo press is old.", "It is red.", "The Arlo press is red."),
        ("The Stella bridge is old.", "It carries a road.", "The Stella bridge carries a road."),
        ("The old barn is empty.", "Its roof is red.", "The old barn's roof is red."),
        ("Employees may not use it.", "They lose the days.", "Employees lose the days."),
        ("Employees may stay.", "Their days are free.", "Employees' days are free."),
    ],
)
def test_the_subject_of_the_sentence_before_stands_for_a_pronoun(before, sentence, read):
    assert without_pronoun(sentence, before) == read


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("Elsa was Rudolf's niece.", "He taught her to fence."),
        ("In 1932.", "It was new."),
        ("Her wife was a cellist.", "She was tall."),
        ("Anna Berg and Tom Hill met there.", "She left in 1990."),
        ("Hail damaged several panels.", "They were replaced."),
        ("The mayor proposed a tax.", "It was rejected."),
        ("In 1932 it opened.", "It closed in 1977."),
        ("He was born in Hallow.", "He died in Trevane."),
        ("Anna Berg won.", "It is said that she left."),
        ("Anna Berg won.", "The race was long."),
    ],
)
def test_a_pronoun_stays_where_the_wording_does_not_show_what_it_means(before, sentence):
    assert without_pronoun(sentence, before) == sentence


@pytest.mark.parametrize("text", ["The north lift.", "In 1932.", "Tove Almgren.", "By train"])
def test_a_reply_without_a_verb_is_a_fragment(text):
    assert is_fragment(text)


@pytest.mark.parametrize(
    "text",
    [
        "It works.",
        "The lift is broken.",
        "Hello!",
        "Which one?",
        "Note: see below",
        "You can go.",
        "The lift of the north wing beside the old gate.",
    ],
)
def test_a_sentence_is_no_fragment(text):
    assert not is_fragment(text)


@pytest.mark.parametrize(
    ("query", "answer", "texts"),
    [
        (
            "Which lift is broken?",
            "The north lift. Anna Berg repairs it. She comes on Monday.",
            [
                "The answer to question Which lift is broken? is The north lift.",
                "Anna Berg repairs it.",
                "Anna Berg comes on Monday.",
            ],
        ),
        ("Is the lift broken?", "Yes. It is old.", ["The lift is broken.", "It is old."]),
        ("", "The north lift. It is old.", ["The north lift.", "The north lift is old."]),
    ],
)
def test_claims_are_read_with_what_they_refer_to(query, answer, texts):
    sentences = split_answer(answer, 50, count_words)
    claims, notices = build_claims(query, answer, sentences, ClaimForm.AUTO, 50, count_words)
    assert [claim.text.strip() for claim in claims] == texts
    assert [claim.tokens for claim in claims] == count_words(texts)
    assert not notices
    assert "".join(answer[claim.start : claim.end] for claim in claims) == answer.replace(". ", ".")


def test_a_claim_that_would_grow_over_the_limit_stays_as_it_is():
    answer = "The north lift. Anna Berg of the large city repairs it. She comes."
    sentences = split_answer(answer, 9, count_words)
    claims, _ = build_claims("Which lift?", answer, sentences, ClaimForm.AUTO, 7, count_words)
    assert claims[0].text == "The north lift."


def test_other_forms_leave_a_sentence_as_it_is():
    answer = "Anna Berg repairs it. She comes on Monday."
    sentences = split_answer(answer, 50, count_words)
    claims, _ = build_claims("", answer, sentences, ClaimForm.SENTENCES, 50, count_words)
    assert claims[1].text == "She comes on Monday."


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("It opens at nine.", 0),
        ("Sure! It opens at nine.", 1),
        ("It opens at nine. Let me know if you need anything else!", 0),
    ],
)
def test_the_only_sentence_that_states_anything_is_read_with_the_query(answer, number):
    sentences = split_answer(answer, 50, count_words)
    claims, _ = build_claims(
        "When does it open?", answer, sentences, ClaimForm.AUTO, 50, count_words
    )
    read = claims[number].text
    assert read == "The answer to question When does it open? is It opens at nine."


def test_a_greeting_changes_no_score(provenance):
    context = ["The library opens at nine on weekdays and at ten on Saturdays."]
    query, answer = "When does it open on Saturdays?", "The library opens at ten on Saturdays."
    alone = provenance.audit(answer=answer, context=context, query=query)
    for beside in (f"Sure! {answer}", f"{answer} Let me know if you need anything else!"):
        found = provenance.audit(answer=beside, context=context, query=query)
        assert found.score == pytest.approx(alone.score, abs=0.005)
