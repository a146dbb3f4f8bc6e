"""Two answers next to each other: what differs is marked, whatever they say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reports.answer_difference import different_words, two_answers


def test_the_words_that_differ_are_marked_in_both():
    html = two_answers("It opened in 1932.", "It was <b>opened</b> in 1987.", ("a", "b <i>"))
    assert "It <mark>opened</mark> in <mark>1932.</mark>" in html
    assert "It <mark>was &lt;b&gt;opened&lt;/b&gt;</mark> in <mark>1987.</mark>" in html
    assert "b &lt;i&gt;" in html


@given(st.text(), st.text())
def test_without_what_differs_both_have_the_same_words(first, second):
    left = [
        _without(text, parts)
        for text, parts in zip((first, second), different_words(first, second), strict=True)
    ]
    assert left[0] == left[1]


def test_very_long_answers_are_shown_without_marks():
    assert different_words("a " * 2_001, "b") == ([], [])


def _without(text: str, parts: list[tuple[int, int]]) -> list[str]:
    for start, end in reversed(parts):
        text = f"{text[:start]} {text[end:]}"
    return text.split()
