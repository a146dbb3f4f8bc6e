"""The answer under the mouse and the keys: a click chooses a sentence, a drag over words marks a
span, and single keys lead to the comment and to a span.

The component draws nothing. It listens to the answer that the page drew, and tells the server the
sentence, or the offsets of the span, which the server checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from dashboard.shared.components import component
from provenance_core.text.languages import UNSPACED
from reports.review_wording import Key

_KEY = "answer_marking"


@dataclass(frozen=True, slots=True)
class DraggedSpan:
    """``answer[start:end]``, offsets in characters: whole words, without white space at its
    ends."""

    start: int
    end: int


def follow_answer(
    audit_id: int, choose: Callable[[int], None], mark: Callable[[object], None]
) -> None:
    """Have a click in the answer ``choose`` a sentence, and a drag or the keys ``mark`` a span.
    ``mark`` is given what the browser sent, for :func:`dragged_span`."""

    def chosen() -> None:
        given = st.session_state[_KEY].sentence
        if isinstance(given, Mapping) and given.get("audit") == audit_id:
            sentence = given.get("sentence")
            if isinstance(sentence, int):
                choose(sentence)

    def marked() -> None:
        given = st.session_state[_KEY].span
        if isinstance(given, Mapping) and given.get("audit") == audit_id:
            mark(given)

    component(__file__, _KEY)(
        data={"audit": audit_id, "spanKey": Key.SPAN.value},
        key=_KEY,
        on_sentence_change=chosen,
        on_span_change=marked,
        height=1,
    )


def dragged_span(given: object, answer: str) -> DraggedSpan | None:
    """The span that a browser sent; None where it is no part of the answer, or white space."""
    if not isinstance(given, Mapping):
        return None
    start, end = given.get("start"), given.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    if not 0 <= start < end <= len(answer):
        return None
    words = answer[start:end]
    start += len(words) - len(words.lstrip())
    end -= len(words) - len(words.rstrip())
    if start >= end:
        return None
    while start > 0 and _in_one_word(answer[start - 1 : start + 1]):
        start -= 1
    while end < len(answer) and _in_one_word(answer[end - 1 : end + 1]):
        end += 1
    return DraggedSpan(start, end)


def _in_one_word(pair: str) -> bool:
    """Whether two characters next to each other are of one word: a hand on a mouse is not exact."""
    return pair.isalnum() and not UNSPACED.search(pair)
