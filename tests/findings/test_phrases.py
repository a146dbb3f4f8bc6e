"""Numbers, dates, names and clauses by rule, and texts without some of them."""

import pytest

from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.phrases import exchangeable_details, find_clauses, find_details
from provenance_core.findings.replacements import (
    exchanged,
    fitting_substitutes,
    merged,
    substitutes,
    without,
)

SENTENCE = (
    "On Friday, Anna Berg sold 69 million of her 1,200 shops, and the rest closed in May 2012."
)


def span(piece, text=SENTENCE):
    start = text.index(piece)
    return start, start + len(piece)


def test_details_that_can_be_exchanged_are_whole():
    found = [(d.kind, SENTENCE[d.start : d.end]) for d in exchangeable_details(SENTENCE)]
    assert found == [
        (DetailKind.DATE, "Friday"),
        (DetailKind.NAME, "Anna Berg"),
        (DetailKind.NUMBER, "69 million"),
        (DetailKind.NUMBER, "1,200"),
        (DetailKind.DATE, "May 2012"),
    ]


def test_numbers_in_words_are_one_value():
    found = exchangeable_details("It has two rooms and three hundred chairs.")
    assert [(d.start, d.end) for d in found] == [(7, 10), (21, 34)]


def test_details_as_the_context_is_searched_for_them():
    found = [SENTENCE[d.start : d.end] for d in find_details(SENTENCE)]
    assert found == ["Friday", "Anna Berg", "69", "1,200", "May 2012"]


def test_clauses():
    assert [SENTENCE[a:b] for a, b in find_clauses(SENTENCE)] == [
        "On Friday",
        "Anna Berg sold 69 million of her 1,200 shops",
        "and the rest closed in May 2012",
    ]
    assert find_clauses("It is old.") == [(0, 9)]
    assert find_clauses("") == []


@pytest.mark.parametrize(
    ("dropped", "left"),
    [
        (["in 1932"], "It was opened by Anna Berg (a mayor)."),
        (["1932"], "It was opened by Anna Berg (a mayor)."),
        (["Anna Berg"], "It was opened in 1932 (a mayor)."),
        (["1932", "Anna Berg"], "It was opened (a mayor)."),
        (["a mayor"], "It was opened in 1932 by Anna Berg."),
        (["It was opened in 1932 by Anna Berg (a mayor)."], ""),
        ([], "It was opened in 1932 by Anna Berg (a mayor)."),
    ],
)
def test_without(dropped, left):
    text = "It was opened in 1932 by Anna Berg (a mayor)."
    assert without(text, [span(piece, text) for piece in dropped]) == left


def test_exchanged_with_others_dropped():
    text = "Anna Berg sold 69 shops in 2012."
    spans = [span("Anna Berg", text), span("2012", text)]
    assert exchanged(text, span("69", text), "1,200", spans) == "sold 1,200 shops."
    assert exchanged(text, span("2012", text), "2013") == "Anna Berg sold 69 shops in 2013."


def fitting(text, of, source):
    return [source[a:b] for a, b in fitting_substitutes(text, of, source)]


def test_substitutes_are_of_the_same_kind_and_new():
    source = "The 69 shops and 30 million users were sold on Monday to Maria Diaz for 7 dollars."
    text = "Anna Berg sold 69 shops for 8 dollars."
    assert substitutes(text, span("8", text), source) == ("30 million", "7")
    assert fitting(text, span("8", text), source) == ["7"], "beside the same word"
    assert fitting("For 8.", (4, 5), source) == ["7"]
    assert fitting("Some 8.", (5, 6), source) == ["69", "30 million", "7"]
    assert substitutes(text, span("Anna Berg", text), source) == ("Maria Diaz",)
    assert substitutes(text, span("sold", text), source) == ()


@pytest.mark.parametrize(
    ("text", "of", "told"),
    [
        ("An extra bag costs 54 euros on European routes.", "54", ["45"]),
        ("An extra bag costs 95 euros on intercontinental routes.", "95", ["90"]),
        ("On European routes an extra bag costs 54 euros.", "54", ["45"]),
        ("On intercontinental routes, a bag costs 95 euros.", "95", ["90"]),
        ("An extra bag costs 54 euros.", "54", []),
        ("An intercontinental bag costs 54 euros per bag on routes.", "54", []),
    ],
)
def test_of_two_values_with_one_unit_that_of_the_same_words_fits(text, of, told):
    source = (
        "An extra bag costs 45 euros per bag on European routes and 90 euros on intercontinental "
        "routes."
    )
    assert fitting(text, span(of, text), source) == told


def test_the_query_tells_which_value_of_two_is_meant():
    source = "A card costs 12 euros for adults and 8 euros for children."
    assert [
        source[slice(*found)]
        for found in fitting_substitutes("9 euros.", (0, 1), source, "What do children pay?")
    ] == ["8"]


def test_merged():
    assert merged([(4, 6), (0, 2), (5, 9), (9, 10)]) == [(0, 2), (4, 10)]
