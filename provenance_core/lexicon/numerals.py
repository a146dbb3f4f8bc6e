"""One normal form of a number, however it is written: "1,240", "1 240" and "1240" are alike, as
"twelve" and "12" are, and "3.50" and "3.5".

The reading of quantities, the copied runs and the known words all take it from here.
"""

from __future__ import annotations

import re

from provenance_core.lexicon.readings import kept_readings

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL = {word: float(i) for i, word in enumerate(_ONES.split())} | {
    word: 10.0 * i for i, word in enumerate(TENS.split(), 2)
}
LARGE = {
    "hundred": 1e2,
    "dozen": 12.0,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
_GAP = "[ \u00a0\u2009\u202f]"
# Digits in groups, which no other number stands beside: two columns of a table are none.
_GROUPED = (
    rf"(?<!\d[ \u00a0\u2009\u202f])[1-9]\d{{0,2}}(?:{_GAP}\d{{3}})+(?:[.,]\d{{1,2}})?"
    rf"(?!\d|{_GAP}\d|[.,]\d)"
    # "50, 000", as tokenisers write it: no number of its own is written 000.
    rf"|(?<![\d,.])[1-9]\d{{0,2}}(?:{_GAP}?,{_GAP}\d{{3}})*{_GAP}?,{_GAP}000(?![\d.,]\d|\d)"
    r"|[1-9]\d{0,2}(?:['\u2019]\d{3})+(?:\.\d+)?(?!\d)"
    r"|[1-9]\d{0,2}(?:\.\d{3})+,\d{1,2}(?![\d.,])|[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.,])"
)
# "3,7 Mio.", "3,50 €": a comma before a unit, where no list of numbers can be meant.
_DECIMAL_COMMA = (
    r"\d+,\d{1,2}(?=[ \u00a0\u202f]?(?:[%€$£¥°]|(?:Mio|Mrd|Tsd|Euros?|dollars?|pounds?|francs?"
    r"|EUR|USD|GBP|CHF|[Mm]illion(?:en|s)?|[Mm]illiard(?:en?|s)?|Tausend|Prozent|per\s?cent|Grad|Hektar"
    r"|(?:Kilo|Quadrat|Kubik|Zenti|Milli)?[Mm]etern?|(?:Kilo)?[Gg]ramm|Litern?|Tonnen?|Stunden?|Minuten?"
    r"|km|kg|cm|mm|m|g|l|h)\b))"
)
# What the digits of one number look like; where several fit, the first does.
DIGITS = rf"{_GROUPED}|{_DECIMAL_COMMA}|\d+(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TENS_WORD, _ONES_WORD = TENS.replace(" ", "|"), _ONES.replace(" ", "|")
_SMALL_WORD = rf"(?:(?:{_TENS_WORD})(?:[\s-]+(?:{_ONES_WORD}))?|{_ONES_WORD})"
_SPELT = (
    rf"\b{_SMALL_WORD}(?:[\s-]+(?:{'|'.join(LARGE)})\b)*"
    rf"(?:(?<=d)(?:[\s-]+|\s+and\s+){_SMALL_WORD}\b(?:[\s-]+(?:{'|'.join(LARGE)})\b)*)*\b"
)
_WORD = re.compile(
    rf"(?<![\w.,])(?P<grouped>{_GROUPED})|(?P<spelt>{_SPELT})"
    r"|(?P<digits>\d+(?:[.,]\d+)*)(?!\w)|\w+(?:['\u2019]\w+)*"
)


def plain_digits(written: str) -> str:
    """Write a number as digits with a decimal point alone. All of its decimals are kept.

    >>> [plain_digits(each) for each in ("1,240", "1 240", "1.240,50", "3,50", "3.50")]
    ['1240', '1240', '1240.50', '3.50', '3.50']
    """
    joined = re.sub(rf"{_GAP}|['\u2019]", "", written)
    if re.fullmatch(r"\d+(?:\.\d{3})*,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}", joined):
        return joined.replace(".", "").replace(",", ".")
    return joined.replace(",", "")


def in_thousands(written: str) -> float | None:
    """Read a number as "1.240" as German does, where the point parts the thousands; None for any
    other writing.

    >>> in_thousands("1.240"), in_thousands("0.240"), in_thousands("1.24")
    (1240.0, None, None)
    """
    point = re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", written)
    return float(written.replace(".", "")) if point else None


def words_value(words: str) -> float:
    """Read a number, 0 or more, in English words.

    >>> words_value("two hundred and twelve"), words_value("a dozen")
    (212.0, 12.0)
    """
    total = current = 0.0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in SMALL:
            current += SMALL[word]
        elif word in LARGE:
            if LARGE[word] >= 1000:
                total += max(current, 1.0) * LARGE[word]
                current = 0.0
            else:
                current = max(current, 1.0) * LARGE[word]
    return total + current


@kept_readings
def normal_words(text: str) -> tuple[str, ...]:
    """List the words of a text with each number in its normal form. "1.240" is read with its point
    between the thousands: the same digits, whatever is meant. In order, without case.

    >>> normal_words("Twelve of 1,240 paid 3.50")
    ('12', 'of', '1240', 'paid', '3.5')
    """
    found = []
    for match in _WORD.finditer(text.casefold()):
        word = match.group().replace("\u2019", "'")
        if match["spelt"]:
            word = f"{words_value(word):.0f}"
        elif match["grouped"] or match["digits"]:
            word = _normal(match.group())
        found.append(word)
    return tuple(found)


def _normal(written: str) -> str:
    thousands = in_thousands(written)
    if thousands is not None:
        return f"{thousands:.0f}"
    known = r"\d+(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d{3})*,\d{1,2}"
    if not (re.fullmatch(known, written) or re.fullmatch(_GROUPED, written)):
        return written  # a list, a date or the number of a version
    digits = plain_digits(written)
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
