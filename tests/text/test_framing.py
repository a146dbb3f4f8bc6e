"""What frames a statement and is no part of it."""

from __future__ import annotations

import pytest

from provenance_core.text.claims import build_claims, claim_texts, split_answer
from provenance_core.text.framing import is_citation, without_frame
from provenance_core.text.set_aside import why_set_aside
from provenance_core.types import ClaimForm

PLAIN = "The mill has 12 wheels."


def count(texts):
    return [len(text.split()) for text in texts]


@pytest.mark.parametrize(
    "framed",
    [
        "According to the provided context, the mill has 12 wheels.",
        "Based on the information provided, the mill has 12 wheels.",
        "Based on the passages you shared, the mill has 12 wheels.",
        "As mentioned in the document, the mill has 12 wheels.",
        "The context clearly states that the mill has 12 wheels.",
        "It is important to note that the mill has 12 wheels.",
        "In summary, the mill has 12 wheels.",
        "Answer: The mill has 12 wheels.",
        "In short, according to the text, the mill has 12 wheels.",
        "The mill has 12 wheels [1].",
        "The mill has 12 wheels.[1][2]",
        "The mill has 12 wheels [1, 3-5].",
        "The mill has 12 wheels (Source: passage 1).",
        "The mill has 12 wheels (see document 2).",
        "The **mill** has *12* wheels.",
        "__The mill__ has 12 wheels. 😊",
        "According to [2] and [3], the mill has 12 wheels.",
        "As stated in [3], the mill has 12 wheels.",
        "Based on (Meyer et al., 2019), the mill has 12 wheels.",
        "[1] states that the mill has 12 wheels.",
    ],
)
def test_a_frame_is_taken_away(framed):
    assert without_frame(framed) == PLAIN


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "The report states that the mill has 12 wheels.",
        "According to the mayor, the mill has 12 wheels.",
        "According to 12 mayors, the mill has 12 wheels.",
        "The document of 1815 says that the mill has 12 wheels.",
        "In summary courts, a judge sits alone.",
        "Lunch: ✓ included, dinner: ✗ not.",
        "It costs 3 * 4 * 5 euros.",
        "Use the name a_b_c or d__e.",
        "The mill (source of the brook) has 12 wheels.",
        "[1]",
    ],
)
def test_what_states_something_stays(text):
    assert without_frame(text) == text


def test_claims_are_read_without_their_frame_and_keep_their_place():
    answer = "According to the context, the mill has 12 wheels [2]."
    sentences = split_answer(answer, 100, count)
    assert claim_texts(answer, sentences) == [PLAIN]
    for form in (ClaimForm.AUTO, ClaimForm.SENTENCES):
        (claim,), _ = build_claims("", answer, sentences, form, 100, count)
        assert (claim.text, answer[claim.start : claim.end]) == (PLAIN, answer)
    (prompt,), _ = build_claims("How many?", answer, sentences, ClaimForm.AUTO, 100, count)
    assert prompt.text == "The answer to question How many? is The mill has 12 wheels."


@pytest.mark.parametrize("text", ["[2]", "(Source: passage 1)", "[1][2]."])
def test_a_citation_alone_is_set_aside(text):
    assert is_citation(text)
    assert why_set_aside(text) is not None
    assert not is_citation(f"Tarn {text}")
