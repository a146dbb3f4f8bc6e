"""A table in an answer: each row is a claim, in words; its head claims nothing."""

from provenance_core.findings.details import find_missing_details
from provenance_core.text.claims import build_claims, split_answer
from provenance_core.text.markdown_tables import find_tables
from provenance_core.text.set_aside import TABLE_HEAD, TITLE, find_set_aside
from provenance_core.types import ClaimForm
from tests.conftest import count_words

ANSWER = """Heights of Towers:

| Name | **Height** | Opened |
|:---|---:|---|
| Tower A | 30 m | |
| Tower B | 40 m. Tall | 1932 |
| 7 | 50 | 60 |

That is all of them.
"""


def claims_of(answer):
    sentences = split_answer(answer, 50, count_words)
    claims, _ = build_claims("", answer, sentences, ClaimForm.SENTENCES, 50, count_words)
    return sentences, claims


def test_a_row_is_a_claim_with_the_names_of_its_columns():
    sentences, claims = claims_of(ANSWER)
    assert "".join(sentence.text for sentence in sentences) == ANSWER
    assert [claim.text for claim in claims[2:]] == [
        "Name: Tower A; Height: 30 m",
        "Name: Tower B; Height: 40 m. Tall; Opened: 1932",
        "Name: 7; Height: 50; Opened: 60",
        "That is all of them.",
    ]
    rows = [ANSWER[claim.start : claim.end] for claim in claims[2:5]]
    assert rows == ["| Tower A | 30 m | |", "| Tower B | 40 m. Tall | 1932 |", "| 7 | 50 | 60 |"]


def test_the_head_is_set_aside_and_no_row_is():
    sentences, _ = claims_of(ANSWER)
    found = {each.sentence: each.reason for each in find_set_aside(ANSWER, sentences)}
    assert found == {0: TITLE, 1: TABLE_HEAD}


def test_missing_details_of_a_row_have_their_places_in_the_answer():
    sentences, _ = claims_of(ANSWER)
    found = find_missing_details(sentences[2:], ["Tower A has 30 m. Tower B: 40 m. Tall. It is 7."])
    assert [d.text for d in found] == ["1932", "50", "60"]
    assert all(ANSWER[d.start : d.end] == d.text for d in found)


def test_bars_in_prose_make_no_table():
    assert find_tables("a | b\nc | d") == ()
    assert find_tables("Either - or | both\n---\nNo.") == ()
    (table,) = find_tables("x | y\n--|--\n1 | 2")
    assert [row.cells for row in table.rows] == [("1", "2")]


def test_lead_ins_and_closing_phrases_are_set_aside():
    answer = (
        "Sure! Here's a summary of the article:\n\nIt is 30 m tall. Happy to help!\n"
        "Certainly, here is what I found. That's all!\nBest regards,\nThe team"
    )
    sentences, _ = claims_of(answer)
    kept = {each.sentence for each in find_set_aside(answer, sentences)}
    assert [s.text.strip() for s in sentences if s.index not in kept] == ["It is 30 m tall."]
