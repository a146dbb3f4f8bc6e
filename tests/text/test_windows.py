"""Windows of the context: whole sentences, in order, across items, sharing half."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import BORDER, Window, windows
from provenance_core.types import PassagePlace

ITEMS = ("The hall opened in 1974. It seats 410 people.", "The organ has 40 stops. It is loud.")


def count(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def made(items: tuple[str, ...], most: int) -> tuple[Window, ...]:
    bounds = [sentence_bounds(item) for item in items]
    return windows(items, bounds, most_tokens=most, count_tokens=count)


def test_a_context_that_fits_is_one_window() -> None:
    (window,) = made(ITEMS, 40)
    assert window.text == BORDER.join(ITEMS)
    assert window.parts == (PassagePlace(0, 0, len(ITEMS[0])), PassagePlace(1, 0, len(ITEMS[1])))
    assert window.tokens == count([window.text])[0]


def test_a_window_begins_at_the_middle_of_the_one_before_and_crosses_the_border() -> None:
    found = made(ITEMS, 10)
    assert [window.text for window in found] == [
        "The hall opened in 1974. It seats 410 people.",
        f"It seats 410 people.{BORDER}The organ has 40 stops.",
        "The organ has 40 stops. It is loud.",
    ]
    assert found[1].parts == (PassagePlace(0, 25, 45), PassagePlace(1, 0, 23))


def test_the_border_counts() -> None:
    assert len(made(("One two.", "Three four."), 5)) == 1
    assert len(made(("One two.", "Three four."), 4)) == 2


def test_a_long_sentence_is_cut_between_words() -> None:
    found = made(("one two three four five six seven eight.",), 6)
    assert [window.text for window in found] == ["one two three four five six", "seven eight."]


def test_a_context_without_words_has_no_window() -> None:
    assert made((), 5) == ()
    assert made(("", "  \n"), 5) == ()


def test_bounds_of_another_number_of_items_are_refused() -> None:
    with pytest.raises(ValueError):
        windows(["One."], [], most_tokens=5, count_tokens=count)


@given(
    st.lists(st.text(alphabet="ab .\n", max_size=60), max_size=4),
    st.integers(min_value=1, max_value=12),
)
def test_every_word_is_in_a_window_and_none_is_over_the_limit(items: list[str], most: int) -> None:
    found = made(tuple(items), most)
    held: dict[int, set[int]] = {}
    for window in found:
        assert window.tokens <= most
        assert [piece.item for piece in window.parts] == sorted(
            {piece.item for piece in window.parts}
        )
        for piece in window.parts:
            held.setdefault(piece.item, set()).update(range(piece.start, piece.end))
    for number, item in enumerate(items):
        assert {at for at, sign in enumerate(item) if not sign.isspace()} <= held.get(number, set())


@given(st.integers(min_value=1, max_value=30))
def test_windows_end_and_never_repeat(most: int) -> None:
    found = made(ITEMS * 3, most)
    starts = [(window.parts[0].item, window.parts[0].start) for window in found]
    assert starts == sorted(set(starts))
