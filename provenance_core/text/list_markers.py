"""List markers: "6. ", "- ", "(a) ", "Step 2: ". They number or point, and claim nothing."""

from __future__ import annotations

import re

_ROMAN = r"(?:x{0,3}(?:ix|iv|v?i{1,3}|v|x))"
_NUMBER = rf"(?:\d{{1,3}}(?:\.\d{{1,2}})*|[A-Za-z]|{_ROMAN})"
_ONE = (
    r"(?:[-*+•◦▪‣·–—]\s+(?:\[[ xX]\]\s+)?"  # a bullet, with or without a box to tick
    rf"|(?:\*\*|__)?(?:\({_NUMBER}\)|{_NUMBER}\)|\d{{1,3}}(?:\.\d{{1,2}})*\.|[a-z]\.(?=\s+[A-Z]))"
    r"(?:\*\*|__)?\s+"
    r"|(?:\*\*|__)?(?i:step)\s+\d{1,2}\s*[:.)–—-](?:\*\*|__)?\s+"
    r"|(?:>\s+|\#{1,6}\s+))"
)
_MARKERS = re.compile(rf"\s*{_ONE}(?:{_ONE})*(?=[^\s])")
LIST_LINE = re.compile(rf"^(?=[ \t]*{_ONE}\S)", re.MULTILINE)


def marker_length(text: str) -> int:
    """Measure the white space and list markers at the start of a text. Characters; 0 where nothing
    but them is in it.

    >>> marker_length("  6. Rinse well."), marker_length("42."), marker_length("1990. Then")
    (5, 0, 0)
    """
    found = _MARKERS.match(text)
    return found.end() if found else 0
