"""A number of a spreadsheet as its cell shows it: 15 %, 0042, 3.10 €."""

from __future__ import annotations

import re

# The part of a format that stands for the digits: #,##0.00
_DIGITS = re.compile(r"[#0?](?:[#0?,.]*[#0?])?")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*].')
_PLAIN = ("", "general", "@")


def shown_number(value: float, format: str | None) -> int | float | str:
    """A number as its format shows it, or the number itself where the format adds nothing.

    >>> shown_number(0.15, "0%"), shown_number(42, "0000"), shown_number(3.1, '0.00" EUR"')
    ('15%', '0042', '3.10 EUR')
    >>> shown_number(7.0, "General"), shown_number(0.25, "0.0##")
    (7, 0.25)
    """
    whole = int(value) if float(value).is_integer() else value
    section = (format or "").split(";")[0]
    if section.casefold() in _PLAIN:
        return whole
    bare = _LITERAL.sub(lambda m: m[1] or m[2] or m[3] or "", section)
    found = _DIGITS.search(_LITERAL.sub(lambda m: "\x00" * len(m[0]), section))
    if found is None or re.search(r"[eE/][+?#0-9-]", section):
        return whole
    before, _, decimals = found[0].partition(".")
    digits = found[0]
    at = bare.find(digits)
    prefix, suffix = bare[:at], bare[at + len(digits) :]
    if at < 0 or ("#" in decimals and not prefix and not suffix):
        return whole
    scaled = value * 100 if "%" in section else value
    text = f"{abs(scaled):.{len(decimals)}f}"
    least = before.count("0")
    if not prefix and not suffix and least < 2 and float(text) == abs(scaled):
        return whole
    head, dot, tail = text.partition(".")
    sign = "-" if scaled < 0 and float(text) else ""
    return f"{sign}{prefix}{head.zfill(least)}{dot}{tail}{suffix}".strip()
