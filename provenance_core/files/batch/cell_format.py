"""A number of a spreadsheet as its cell shows it: 15%, 0042, 3.10 EUR, 1,234, -5 for (5)."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

# What a format is made of. No text are colours, the width of a sign (_x) and what fills a cell
# (*x). Other signs are of powers, fractions, conditions and texts, which are left to the number.
_PART = re.compile(
    r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[A-Za-z]+\d*\]|[_*].'
    r"|(?P<digit>[#0?])|(?P<mark>[.,%])|(?P<other>[eE/@\[G])|(?P<text>.)"
)
_SECTION = re.compile(r'((?:"[^"]*"|[\\_*].|[^;"\\_*])*)(?:;|\Z)')
_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_LONGEST = 255  # characters, as spreadsheets allow
_EXACT = 15  # digits of a number, as spreadsheets keep
_ROUNDED = Context(prec=1_000, rounding=ROUND_HALF_UP)


def shown_number(value: float, format: str | None) -> int | float | str:
    """A number as its format shows it, or the number itself where the format adds nothing. What a
    format shows in brackets, or in another colour alone, has a minus sign.

    >>> shown_number(0.15, "0%"), shown_number(42, "0000"), shown_number(3.1, '0.00" EUR"')
    ('15%', '0042', '3.10 EUR')
    >>> shown_number(-1234.5, "#,##0.00;(#,##0.00)"), shown_number(7.0, "General")
    ('-1,234.50', 7)
    """
    whole = int(value) if float(value).is_integer() else value
    if not format or len(format) > _LONGEST:
        return whole
    # openpyxl runs the sections of the format that Excel calls accounting together.
    sections = _SECTION.findall(format.replace(")_(", ");_("))
    number = Decimal(f"{value:.{_EXACT}g}")
    at = 1 if number < 0 else 2 if number == 0 else 0
    positive = text = _shown(abs(number), sections[0])
    if at < len(sections) - 1:  # the last one found is the empty end
        text = _shown(abs(number), sections[at])
    if number < 0 and re.sub(r"[()]", "", text) == positive:
        text = f"-{positive}" if re.search(r"[1-9]", positive) else positive
    # A dash may be how a zero is shown, and an empty text how it is hidden.
    plain = _PLAIN.fullmatch(text) and Decimal(text) == number
    return whole if plain or not re.search(r"\w", text) else text


def _shown(number: Decimal, section: str) -> str:
    """A number without its sign by one section of a format; "" where that has other signs."""
    parts = list(_PART.finditer(section))
    if any(part["other"] for part in parts):
        return ""
    signs = [part["digit"] or part["mark"] or "" for part in parts]
    point = signs.index(".") if "." in signs else len(signs)
    digits = [at for at, part in enumerate(parts) if part["digit"]]
    ones = [at for at in digits if at < point]
    decimals = digits[len(ones) :]
    grouped = bool(ones) and "," in signs[ones[0] : ones[-1]]
    thousands = signs[ones[-1] :].count(",") if ones else 0  # 0.0,, shows millions
    number = number.scaleb(2 * signs.count("%") - 3 * thousands)
    rounded = number.quantize(Decimal(1).scaleb(-len(decimals)), context=_ROUNDED)
    head, _, tail = f"{rounded:{',' if grouped else ''}f}".partition(".")
    head = head.lstrip("0").zfill(sum(signs[at] == "0" for at in ones))
    while tail.endswith("0") and signs[decimals[len(tail) - 1]] != "0":
        tail = tail[:-1]
    shown = dict(zip(decimals, tail, strict=False))
    for at in () if grouped else reversed(ones[1:]):  # texts may stand between: 000-00
        shown[at], head = head[-1:], head[:-1]
    shown[ones[0] if ones else -1] = head
    shown[point] = "." if tail else ""
    texts = (part[1] or part[2] or part[3] or part["text"] or "" for part in parts)
    found = (shown.get(at, "%" if signs[at] == "%" else text) for at, text in enumerate(texts))
    return "".join(found).strip()
