"""Numbers, dates and names of the answer that no chunk contains."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .types import MissingDetail, Sentence

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s+{_MONTH}\.?(?:,?\s+\d{{4}})?|{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?:,?\s+\d{{4}})?|{_MONTH}\.?\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}/\d{{1,2}}/\d{{2,4}})\b"
)
# A unit may stand at the number, as in 16km, 1990s and 3rd.
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d+(?:[.,]\d+)*(?:%|[^\W\d_]{1,3}\b)?(?!\w)")
_WORD = re.compile(r"[^\W\d_][\w'’-]+")


def _normal(text: str) -> str:
    return re.sub(r"[^\w%]+", " ", re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())).strip()


def _name_spans(text: str, head: int) -> list[tuple[int, int]]:
    """Runs of words with a capital; the word at ``head`` begins none unless it is all capitals,
    since any sentence begins with one."""
    spans: list[tuple[int, int]] = []
    end = -1
    for match in _WORD.finditer(text):
        a, b = match.span()
        word = match.group()
        if not word[0].isupper() or (a == head and not _acronym(word)):
            continue
        if spans and end >= 0 and text[end:a].isspace():
            spans[-1] = (spans[-1][0], b)
        else:
            spans.append((a, b))
        end = b
    return spans


def _acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def find_missing_details(
    sentences: Sequence[Sentence], sources: Sequence[str]
) -> tuple[MissingDetail, ...]:
    """Details of ``sentences`` found in none of ``sources``.

    Compared without case, punctuation and thousands separators, as whole words. A capital at
    the head of a sentence makes no name, an acronym there does. Dates win over the numbers
    inside them. Offsets are characters in the answer.
    """
    haystack = f" {' '.join(_normal(text) for text in sources)} "
    found: list[MissingDetail] = []
    for sentence in sentences:
        head = len(sentence.text) - len(sentence.text.lstrip(" \t\r\n\"'“‘([-*•"))
        taken: list[tuple[int, int]] = []
        for kind, spans in (
            ("date", [m.span() for m in _DATE.finditer(sentence.text)]),
            ("number", [m.span() for m in _NUMBER.finditer(sentence.text)]),
            ("name", _name_spans(sentence.text, head)),
        ):
            for a, b in spans:
                if any(a < y and x < b for x, y in taken):
                    continue
                taken.append((a, b))
                text = sentence.text[a:b]
                if f" {_normal(text)} " not in haystack:
                    found.append(MissingDetail(kind, text, sentence.start + a, sentence.start + b))
    return tuple(sorted(found, key=lambda detail: detail.start))
