"""Sentences, chunks and claims: offsets exact, nothing dropped, nothing over the limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance_core.findings.details import find_missing_details
from provenance_core.text.chunking import chunk_context
from provenance_core.text.claims import build_claims, claim_prompt, split_answer
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import ClaimForm, ContextItem, Sentence
from tests.conftest import count_words

PROSE = "Dr. Smith paid $3.5 million in 1999. It was, e.g., too much!  Was it?\n\n- yes\n- no"
texts = st.text(alphabet=st.sampled_from("ab A.!?\n\"'é،。שע1 "), min_size=1, max_size=300)


def test_abbreviations_and_money_stay_whole():
    pieces = [PROSE[a:b].strip() for a, b in sentence_bounds(PROSE)]
    assert pieces[0] == "Dr. Smith paid $3.5 million in 1999."
    assert pieces[1] == "It was, e.g., too much!"


@given(texts)
def test_sentences_tile_the_answer(text):
    sentences = split_answer(text, 5, count_words)
    assert "".join(s.text for s in sentences) == text
    assert all(text[s.start : s.end] == s.text for s in sentences)


@given(st.lists(texts, min_size=1, max_size=4), st.integers(3, 30), st.integers(0, 2))
def test_chunks_are_exact_slices_that_lose_no_word(items, limit, overlap):
    context = [ContextItem(i, text) for i, text in enumerate(items)]
    chunks = chunk_context(
        context, max_tokens=limit, overlap_sentences=overlap, count_tokens=count_words
    )
    for chunk in chunks:
        assert items[chunk.item][chunk.start : chunk.end] == chunk.text
        assert chunk.tokens <= limit
    assert [c.index for c in chunks] == list(range(len(chunks)))
    assert [c.item for c in chunks] == sorted(c.item for c in chunks)
    for index, text in enumerate(items):
        covered = set()
        for chunk in chunks:
            if chunk.item == index:
                covered.update(range(chunk.start, chunk.end))
        assert all(i in covered for i, c in enumerate(text) if not c.isspace())


def test_long_item_overlaps_by_a_sentence():
    text = "One two three. Four five six. Seven eight nine. Ten eleven twelve."
    chunks = chunk_context(
        [ContextItem(0, text)], max_tokens=6, overlap_sentences=1, count_tokens=count_words
    )
    assert [c.text for c in chunks] == [
        "One two three. Four five six.",
        "Four five six. Seven eight nine.",
        "Seven eight nine. Ten eleven twelve.",
    ]


def test_claim_prompt_is_the_papers():
    assert claim_prompt("who?", "Ann.") == "The answer to question who? is Ann."
    assert claim_prompt(" ", "Ann left.") == "Ann left."


@pytest.mark.parametrize(
    ("form", "query", "answer", "expected"),
    [
        (ClaimForm.AUTO, "who?", "Ann.", ["The answer to question who? is Ann."]),
        (ClaimForm.AUTO, "", "Ann left.", ["Ann left."]),
        (ClaimForm.AUTO, "who?", "Ann left. Bob stayed.", ["Ann left.", "Bob stayed."]),
        (
            ClaimForm.PROMPT,
            "who?",
            "Ann left. Bob stayed.",
            ["The answer to question who? is Ann left. Bob stayed."],
        ),
        (ClaimForm.SENTENCES, "who?", "Ann.", ["Ann."]),
    ],
)
def test_claim_forms(form, query, answer, expected):
    sentences = split_answer(answer, 50, count_words)
    claims, notices = build_claims(query, answer, sentences, form, 50, count_words)
    assert [c.text for c in claims] == expected and not notices
    if claims[0].form is ClaimForm.SENTENCES:
        assert all(answer[c.start : c.end] == c.text for c in claims)


def test_a_claim_too_long_is_scored_in_sentences_and_says_so():
    answer = "Ann left early today. Bob stayed."
    sentences = split_answer(answer, 6, count_words)
    claims, notices = build_claims("who?", answer, sentences, ClaimForm.PROMPT, 6, count_words)
    assert [c.text for c in claims] == ["Ann left early today.", "Bob stayed."]
    assert [n.code for n in notices] == ["claim_too_long"]


def test_missing_details():
    text = "In 1899 Gustave Eiffel sold 1,200 tickets on 3 May 1901 in Rome."
    found = find_missing_details(
        [Sentence(0, 0, len(text), text)], ["Gustave Eiffel sold 1200 tickets."]
    )
    assert [(d.kind, d.text) for d in found] == [
        ("date", "1899"),
        ("date", "3 May 1901"),
        ("name", "Rome"),
    ]
    assert all(text[d.start : d.end] == d.text for d in found)


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("NASA left in the 1990s.", ["NASA", "1990s"]),
        ("Then Østergaard ran 16km and came 3rd.", ["Østergaard", "16km", "3rd"]),
        ("The IBM office is near Ålesund Harbour.", ["IBM", "Ålesund Harbour"]),
        ("Nothing of the kind happened.", []),
        ("She met Ann O’Neil-Smith, Bob and Carl.", ["Ann O’Neil-Smith", "Bob", "Carl"]),
    ],
)
def test_missing_details_of_any_alphabet_and_with_units(text, details):
    found = find_missing_details([Sentence(0, 0, len(text), text)], ["Something else."])
    assert [d.text for d in found] == details


def test_a_markdown_heading_ends_with_its_line():
    text = "It is tall.\n\n## History\nIt was built in 1889. # no heading\n"
    found = [text[a:b].strip() for a, b in sentence_bounds(text)]
    assert found[:3] == ["It is tall.", "## History", "It was built in 1889."]
    assert "".join(text[a:b] for a, b in sentence_bounds(text)) == text


@pytest.mark.parametrize(
    ("sentence", "source", "missing"),
    [
        ("Profits fell 12 percent.", "Sales rose 12% in May.", []),
        ("Profits fell 12%.", "Sales rose 12 per cent in May.", []),
        ("It made 330 million.", "It made 330m.", []),
        ("It made 33 million.", "It made 330m.", ["33 million"]),
    ],
)
def test_a_number_is_found_whatever_its_unit_is_written_like(sentence, source, missing):
    found = find_missing_details([Sentence(0, 0, len(sentence), sentence)], [source])
    assert [each.text for each in found] == missing
