"""The words that deny: whole words, and those that a module adds."""

import pytest

from provenance_core.text.negations import NEGATIONS, denial_pattern


@pytest.mark.parametrize("word", NEGATIONS)
def test_every_negation_is_found_alone_in_small_letters_and_capitals(word):
    for written in (word, word.upper()):
        assert denial_pattern().search(f"({written})")
    assert not denial_pattern().search(f"x{word}x")


@pytest.mark.parametrize("text", ["It isn't open.", "It isn’t open.", "We lack a key."])
def test_shortened_ones_and_added_ones_are_found(text):
    assert denial_pattern("lacks?").search(text)
    assert not denial_pattern("lacks?").search("A slack knot is noted.")
