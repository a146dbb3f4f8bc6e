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
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d+(?:[.,]\d+)*%?(?!\w)")
_NAME = re.compile(r"\b[A-Z][\w'’-]*[a-z][\w'’-]*(?:\s+[A-Z][\w'’-]*[a-z][\w'’-]*)*")


def _normal(text: str) -> str:
    return re.sub(r"[^\w%]+", " ", re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())).strip()


def find_missing_details(
    sentences: Sequence[Sentence], sources: Sequence[str]
) -> tuple[MissingDetail, ...]:
    """Details of ``sentences`` found in none of ``sources`` (query text may be among them).

    Compared without case, punctuation and thousands separators, as whole words. A capital at
    the head of a sentence makes no name. Dates win over the numbers inside them. Offsets are
    characters in the answer.
    """
    haystack = f" {' '.join(_normal(text) for text in sources)} "
    found: list[MissingDetail] = []
    for sentence in sentences:
        head = len(sentence.text) - len(sentence.text.lstrip(" \t\r\n\"'“‘([-*•"))
        taken: list[tuple[int, int]] = []
        for kind, pattern in (("date", _DATE), ("number", _NUMBER), ("name", _NAME)):
            for match in pattern.finditer(sentence.text):
                a, b = match.span()
                if any(a < y and x < b for x, y in taken):
                    continue
                taken.append((a, b))
                if kind == "name" and a == head:
                    # Drop the sentence's first word; keep what follows it as a name.
                    rest = match.group().split(None, 1)
                    if len(rest) < 2:
                        continue
                    a = b - len(rest[1])
                text = sentence.text[a:b]
                if f" {_normal(text)} " not in haystack:
                    found.append(MissingDetail(kind, text, sentence.start + a, sentence.start + b))
    return tuple(sorted(found, key=lambda detail: detail.start))
