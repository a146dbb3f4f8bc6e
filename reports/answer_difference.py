"""Two answers side by side, with the words that differ marked."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from html import escape

from reports.directions import apart
from reports.markup import STYLE, marked_text
from reports.style_sheets import style_sheet

_WORD = re.compile(r"\S+")
# Of each answer: matching takes the product of both in time.
_MOST_WORDS = 2_000
_STYLE = style_sheet(__file__)


def different_words(first: str, second: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Find the parts of two answers, as offsets in characters, that the other does not have at the
    same place; none of answers of over 2,000 words."""
    words = [list(_WORD.finditer(text)) for text in (first, second)]
    if max(map(len, words)) > _MOST_WORDS:
        return [], []
    one, other = ([word[0] for word in each] for each in words)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    parts: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for kind, a, b, c, d in matcher.get_opcodes():
        for own, found, start, end in zip(words, parts, (a, c), (b, d), strict=True):
            if kind != "equal" and start < end:
                found.append((own[start].start(), own[end - 1].end()))
    return parts


def two_answers(first: str, second: str, heads: tuple[str, str]) -> str:
    """Write two answers next to each other, the second below the first where there is little room.
    ``heads``: what stands above each, plain text."""
    cells = "".join(
        f"<div><small>{escape(head)}</small>"
        f"{apart(marked_text(text, [(start, end, '') for start, end in parts]))}</div>"
        for text, parts, head in zip(
            (first, second), different_words(first, second), heads, strict=True
        )
    )
    return f'{STYLE}{_STYLE}<div class="pv-two">{cells}</div>'
