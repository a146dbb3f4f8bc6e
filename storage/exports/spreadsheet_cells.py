"""Texts as cells of a spreadsheet that runs no formula."""

from __future__ import annotations

# A spreadsheet runs a cell that begins with one of these (OWASP, "CSV Injection"), or with the wide
# form of one.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def neutral_cell(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would run as a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
