"""Numbers, dates and names of the answer that no chunk contains."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.text.list_markers import marker_length
from provenance_core.text.phrases import find_details
from provenance_core.types import MissingDetail, Sentence


def plain_detail(text: str) -> str:
    """``text`` as details are compared: without case, punctuation and thousands separators, a
    number apart from its unit ("12%" and "12 percent" alike)."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())
    plain = re.sub(r"\bper ?cent\b", "%", plain)
    plain = re.sub(r"(?<=\d)(?=[^\W\d_]|%)", " ", plain)
    return re.sub(r"[^\w%]+", " ", plain).strip()


def find_missing_details(
    sentences: Sequence[Sentence], sources: Sequence[str]
) -> tuple[MissingDetail, ...]:
    """Details of ``sentences`` found in none of ``sources``.

    Compared without case, punctuation and thousands separators, as whole words. A capital at
    the head of a sentence makes no name, an acronym there does. Dates win over the numbers
    inside them. Offsets are characters in the answer.
    """
    haystack = f" {' '.join(plain_detail(text) for text in sources)} "
    found: list[MissingDetail] = []
    for sentence in sentences:
        # A list marker is no detail, and the word behind it stands at the sentence's head.
        skipped = marker_length(sentence.text)
        text, start = sentence.text[skipped:], sentence.start + skipped
        for detail in find_details(text):
            piece = text[detail.start : detail.end]
            if f" {plain_detail(piece)} " not in haystack:
                found.append(
                    MissingDetail(
                        detail.kind.value, piece, start + detail.start, start + detail.end
                    )
                )
    return tuple(found)
