"""A premise among other sentences: it stays whole, its label stays, and the chunk stays short."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from provenance_core.lexicon.words import content_words
from training.minimal_pairs import Pair
from training.nli_fifth import CHUNK_WORDS, among_others, joined, joined_pairs, neighbours

PAIR = Pair("The mill has twelve rooms", "The mill has 12 rooms.", "entailment", "set", "group")
PREMISES = [f"Boat {number} left the harbour of Nerr early." for number in range(60)]
PASSAGES = [[f"Sentence {number} of a passage about rain." for number in range(9)]]


@pytest.mark.parametrize("seed", range(20))
def test_the_premise_stays_whole_and_the_chunk_short(seed):
    made = among_others(PAIR, PREMISES, PASSAGES, random.Random(seed))
    assert "The mill has twelve rooms." in made.premise
    assert (made.hypothesis, made.label) == (PAIR.hypothesis, PAIR.label)
    assert len(PAIR.premise.split()) < len(made.premise.split()) <= CHUNK_WORDS[1]


def test_the_premise_stands_in_more_than_one_place():
    made = [among_others(PAIR, PREMISES, PASSAGES, random.Random(seed)) for seed in range(30)]
    firsts = [pair.premise.startswith(PAIR.premise) for pair in made]
    assert any(firsts) and not all(firsts)


def test_a_neighbour_that_repeats_the_premise_is_left_out():
    twin = "The mill has twelve rooms and a yard."
    drawn = neighbours(PAIR, [*PREMISES[:29], twin], random.Random(1))
    for _ in range(10):
        found = next(drawn)
        assert found != twin
        assert 2 * len(content_words(found) & content_words(PAIR.premise)) <= len(found.split())


@pytest.mark.parametrize(
    ("first", "second", "label"),
    [
        ("entailment", "supported", "entailment"),
        ("entailment", "contradiction", "contradiction"),
        ("neutral", "supported", "neutral"),
        ("not_supported", "entailment", "not_supported"),
        ("neutral", "contradiction", "contradiction"),
    ],
)
def test_two_claims_are_supported_where_both_are(first, second, label):
    other = Pair("The yard is dry.", "The yard of the mill is dry.", second, "set", "other")
    made = joined(replace(PAIR, label=first), other, ", and ")
    assert made.hypothesis == "The mill has 12 rooms, and the yard of the mill is dry."
    assert made.label == label


def test_both_premises_stand_in_the_chunk():
    other = Pair("Rain fell", "Much rain fell there.", "entailment", "set", "other")
    wrong = replace(other, premise="Snow fell", label="contradiction")
    made = list(joined_pairs([PAIR, other, wrong], PASSAGES, 20, random.Random(3)))
    assert [pair.label for pair in made] == ["entailment", "contradiction"] * 10
    assert all("Snow fell." in pair.premise for pair in made[1::2])
