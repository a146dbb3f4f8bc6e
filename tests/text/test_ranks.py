"""Where a claim gives something another rank than the context."""

from __future__ import annotations

import pytest

from provenance_core.text.phrases import ExchangeKind
from provenance_core.text.ranks import find_other_ranks

RACE = "Women: 1. Lea Brandis (48:12), 2. Oda Kamm (48:40), 3. Rut Sellin (49:05)."
TOWNS = "Towns of the valley (2021): Estrand 84,200; Calder 61,750; Neth 33,900."
MAKER = "Today Tarnwick Optics is the second largest maker of endoscope lenses in Europe."


@pytest.mark.parametrize(
    ("claim", "premise", "pairs"),
    [
        ("It is Europe's largest maker of lenses.", MAKER, [("largest", "second largest")]),
        ("It is the third largest maker in Europe.", MAKER, [("third largest", "second largest")]),
        (
            "Oda Kamm won the race, and Lea Brandis came second.",
            RACE,
            [("won", "2. Oda Kamm"), ("came second", "1. Lea Brandis")],
        ),
        ("The silver went to Rut Sellin.", RACE, [("silver", "3. Rut Sellin")]),
        ("Calder is the largest town.", TOWNS, [("largest", "Calder 61,750")]),
        ("Calder is the smallest town.", TOWNS, [("smallest", "Calder 61,750")]),
        ("Neth is the second largest town.", TOWNS, [("second largest", "Neth 33,900")]),
    ],
)
def test_another_rank(claim, premise, pairs):
    found = find_other_ranks(claim, ["It rained.", premise])
    assert {(each.kind, each.premise) for each in found} == {(ExchangeKind.RANK, 1)}
    assert [(claim[e.start : e.end], premise[e.other_start : e.other_end]) for e in found] == pairs


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("It is Europe's second largest maker of lenses.", MAKER),
        ("It is the largest maker of lenses in Asia.", MAKER),
        ("Pell Optics is the largest maker of lenses in Europe.", MAKER),
        ("It is the oldest maker of lenses in Europe.", MAKER),
        ("It is the largest library of the county.", MAKER),
        ("Lea Brandis won, and Oda Kamm came second.", RACE),
        ("Rut Sellin finished third.", RACE),
        ("Ines Vogt won.", RACE),
        ("Lea Brandis and Oda Kamm won medals.", RACE),
        ("Estrand is the largest town and Neth the smallest.", TOWNS),
        ("Neth is the smallest town.", TOWNS),
        ("Oda Kamm won.", "1. Lea Brandis starts. 3. Oda Kamm waits."),
    ],
)
def test_the_same_rank_or_something_else(claim, premise):
    assert find_other_ranks(claim, ["It rained.", premise]) == ()


def test_a_rank_that_any_premise_states_is_right():
    claim = "It is the largest maker of lenses in Europe."
    assert find_other_ranks(claim, [MAKER, "Tarnwick is the largest maker of lenses."]) == ()


RACE = "Ana Bran won the race, ahead of Ines Falk in second place and Joan Orme in third."
LIST = "Men: 1. Jon Arvid (41:02), 2. Milo Teck (41:15), 3. Sven Harder (43:59)."


@pytest.mark.parametrize(
    ("claim", "context", "claimed", "other"),
    [
        ("Joan Orme was second.", RACE, "was second", "Joan Orme in third"),
        ("Ines Falk came in third.", RACE, "in third", "Ines Falk in second"),
        ("Joan Orme won the race.", RACE, "won", "Joan Orme in third"),
        ("Milo Teck ran before Jon Arvid.", LIST, "Milo Teck ran before Jon Arvid", "1. Jon Arvid"),
    ],
)
def test_a_place_that_a_sentence_gives_and_an_order_are_compared(claim, context, claimed, other):
    (found,) = find_other_ranks(claim, [context])
    assert claim[found.start : found.end] == claimed
    assert context[found.other_start : found.other_end] == other


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("Joan Orme was third.", RACE),
        ("Ines Falk came in second.", RACE),
        ("Ana Bran won the race.", RACE),
        ("Jon Arvid ran ahead of Milo Teck.", LIST),
        ("Milo Teck ran ahead of Tom Ray.", LIST),
        # One place alone makes no ranking: it may be of another race.
        ("Joan Orme was second.", "Joan Orme was third in May."),
    ],
)
def test_the_right_place_and_order_and_those_of_others_are_left(claim, context):
    assert find_other_ranks(claim, [context]) == ()
