"""The whole amount that a number stands in, for frames and quotations: "14.2 M€", not "14.2 M".

What was compared is not touched by this: only where the words begin and end that are shown.
"""

from __future__ import annotations

import re

from provenance_core.text.splitting import Bounds

_CURRENCY = r"(?:[$€£¥]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|JPY|PLN|CZK|CNY|INR|AUD|CAD)\b)"
# "1.300.000", "12'700", "3,7"; a space between thousands only where it cannot be broken, as two
# numbers may stand beside each other.
_DIGITS = "\\d+(?:[.,'’\u00a0\u202f]\\d+)*"
_LARGE = r"(?:k|K|M|m|mn|mil|bn|B|tn|Mio|Mrd|Tsd|million|billion|trillion|thousand)(?![^\W\d_])\.?"
_AMOUNT = re.compile(
    rf"(?<![\w.,])(?:{_CURRENCY}\s?)?{_DIGITS}(?:\s?[–—-]\s?{_DIGITS})?"
    rf"(?P<behind>(?:\s?{_LARGE}(?=\s?{_CURRENCY})|\s?{_LARGE})?(?:\s?(?:{_CURRENCY}|%))?)"
)


def whole_amount(text: str, start: int, end: int) -> Bounds:
    """Find the whole amount that a number is a part of.

    ``start`` and ``end``, moved outwards to what belongs to the amount: a currency before or behind
    it, other digits of it, the other end of a range, "M" or "Mio.", and "%".

    Examples
    --------
    >>> text = "Revenue was 14.2 M€."
    >>> text[slice(*whole_amount(text, 12, 18))]
    '14.2 M€'
    """
    for found in _AMOUNT.finditer(text):
        last = found.end()
        # The full stop of "Mio." at the end is that of the sentence.
        if text[last - 1] == "." and not text[last:].strip():
            last -= 1
        if found.start() < end and start < last:
            return min(start, found.start()), max(end, last)
    return start, end
