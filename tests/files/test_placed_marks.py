"""Marks of annotators, found in the answer whatever a web page did to its white space."""

from __future__ import annotations

import re

import pytest

from provenance_core.files.returned import ReturnedLabel, ReturnedSpan
from provenance_core.files.returned.placing import placed
from provenance_core.review.types import JudgedVerdict


def found(answer: str, *spans: tuple[int, int, str]) -> tuple[list[str], tuple[str, ...]]:
    """The marked words, and what was left out."""
    marks = tuple(ReturnedSpan(start, end, text, "kind") for start, end, text in spans)
    label = ReturnedLabel(1, "", 1, "", "ann", JudgedVerdict.HALLUCINATED, spans=marks)
    result = placed(label, answer)
    return [answer[s.start : s.end] for s in result.label.spans or ()], result.left_out


def shown(text: str) -> str:
    """A text as Label Studio's page shows it."""
    return re.sub(r"[ \t]{2,}", " ", text.replace("\r\n", "\n\n").replace("\u00a0", " "))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("The ferry is red. It takes two hours.", "two hours"),
        ("The ferry:\r\n\r\n- is red.\r\n- takes two hours.\r\n", "red.\r\n- takes two hours"),
        ("The ferry is red.  It takes two   hours.", "two   hours"),
        ("The ferry is red.\u2028It takes two\u00a0hours.\t", "two\u00a0hours"),
    ],
)
def test_offsets_that_fit_are_taken_where_only_white_space_differs(answer, words):
    at = answer.index(words)
    assert found(answer, (at, at + len(words), shown(words))) == ([words], ())


def test_offsets_of_a_browser_and_offsets_alone():
    answer = "\U0001f468\u200d\U0001f467 Great \U0001f97e! It takes two hours."
    at = answer.index("two hours")
    first = len(answer[:at].encode("utf-16-le")) // 2
    assert found(answer, (first, first + 9, "two hours")) == (["two hours"], ())
    # No text contradicts the offsets.
    assert found(answer, (at, at + 9, "")) == (["two hours"], ())
    assert found(answer, (at, at + 99, ""))[0] == []


def test_a_mark_is_found_again_by_its_text_or_left_out_alone():
    answer = "It takes two hours. The way back takes two  hours."
    second = answer.rindex("two")
    assert found(answer, (second + 3, second + 13, "two hours"))[0] == ["two  hours"]
    words, left_out = found(answer, (0, 5, "six hours"), (0, 8, "It takes"))
    assert words == ["It takes"]
    assert "from 0 to 5 says 'six hours', which is not in the answer there" in left_out[0]
    # As near to the one as to the other: on whose words it was is not known.
    between = (answer.index("two") + second) // 2
    assert found(answer, (between, between + 9, "two hours"))[0] == []
