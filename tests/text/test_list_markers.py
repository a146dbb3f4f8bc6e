"""List markers claim nothing: they are in no claim, and their numbers are no details."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance_core.findings.details import find_missing_details
from provenance_core.text.claims import build_claims, split_answer
from provenance_core.text.framing import without_frame
from provenance_core.text.list_markers import marker_length
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import ClaimForm
from tests.conftest import count_words

STEPS = (
    "Do this:\n\n1. Rinse well\n2. Dry it.\n  - with 3 towels\n* Store it.\n(a) Never wash it.\n"
    "3) Done.\nStep 4: Wait."
)
lists = st.text(alphabet=st.sampled_from("ab A.\n-*1)( 2"), min_size=1, max_size=120)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("6. Rinse well", "Rinse well"),
        ("- yes", "yes"),
        ("  * Take 5 mg", "Take 5 mg"),
        ("(a) First", "First"),
        ("(iv) Fourth", "Fourth"),
        ("3) Third", "Third"),
        ("**2.** Dry it", "Dry it"),
        ("- 3. Both", "Both"),
        ("Step 3: Dry it", "Dry it"),
        ("> 1.2. Quoted", "Quoted"),
        # No markers: years, values, initials, emphasis, a lone number.
        ("1990. It was", "1990. It was"),
        ("1.2 million people", "1.2 million people"),
        ("A. Smith went", "A. Smith went"),
        ("-5 degrees", "-5 degrees"),
        ("*Really* good", "*Really* good"),
        ("(2019) It was", "(2019) It was"),
        ("No. 5 is best", "No. 5 is best"),
        ("42.", "42."),
    ],
)
def test_markers_are_told_from_words_and_values(text, rest):
    assert text[marker_length(text) :] == rest


def test_a_list_item_is_a_sentence_and_its_claim_skips_the_marker():
    sentences = split_answer(STEPS, 50, count_words)
    claims, _ = build_claims("", STEPS, sentences, ClaimForm.SENTENCES, 50, count_words)
    assert [claim.text for claim in claims] == [
        "Do this:",
        "Rinse well",
        "Dry it.",
        "with 3 towels",
        "Store it.",
        "Never wash it.",
        "Done.",
        "Wait.",
    ]
    assert all(STEPS[claim.start : claim.end] == claim.text for claim in claims)
    assert "".join(sentence.text for sentence in sentences) == STEPS


def test_the_number_of_a_marker_is_no_missing_detail():
    sentences = split_answer(STEPS, 50, count_words)
    assert [d.text for d in find_missing_details(sentences, ["Nothing."])] == ["3"]


def test_numbers_on_one_line_open_their_sentences():
    text = "Do this: 1. Wash it. 2. Dry it. 3. Wait."
    pieces = [text[a:b].strip() for a, b in sentence_bounds(text)]
    assert pieces == ["Do this:", "1. Wash it.", "2. Dry it.", "3. Wait."]


@given(lists)
def test_sentences_tile_whatever_the_markers(text):
    sentences = split_answer(text, 50, count_words)
    assert "".join(sentence.text for sentence in sentences) == text
    claims, _ = build_claims("", text, sentences, ClaimForm.SENTENCES, 50, count_words)
    assert all(without_frame(text[claim.start : claim.end]) == claim.text for claim in claims)


def test_the_claim_prompt_of_one_sentence_has_no_marker():
    sentences = split_answer("1. Anna.", 50, count_words)
    (claim,), _ = build_claims("Who left?", "1. Anna.", sentences, ClaimForm.AUTO, 50, count_words)
    assert (claim.start, claim.end) == (3, 8)
    assert claim.text == "The answer to question Who left? is Anna."
