"""The sign of a number: a minus before it, or words beside it that say up or down."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_REACH = 60
_ABOUT = (
    r"(?:about|around|nearly|almost|roughly|approximately|some|over|under|(?:more|less)\s+than)"
)
_FALLING = (
    r"fell|fall(?:s|en|ing)?|drop(?:s|ped|ping)?|declin(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)"
    r"|shr[aiu]nk|shrink(?:s|ing|age)?|contracted|contraction|lost|los[es]s?|losing|down|reduc(?:ed|tion)"
)
_RISING = (
    r"grew|grow[ns]?|growing|growth|rose|ris(?:e|es|en|ing)|increas(?:e[sd]?|ing)|gain(?:s|ed|ing)?"
    r"|climb(?:s|ed|ing)?|expanded|expansion|up"
)
_BESIDE = rf"(?:\s+\w+ly)?(?:\s+(?:by|of))?(?:\s+{_ABOUT})?\s+$"
_FALLING_BEFORE = re.compile(rf"\b(?:{_FALLING}){_BESIDE}", re.IGNORECASE)
_RISING_BEFORE = re.compile(
    rf"\b(?:(?:{_RISING}){_BESIDE}|(?:change|growth|increase|rise|gain)\b[^.;:\n|]{{0,20}}:\s*$)",
    re.IGNORECASE,
)
_FALLING_BEHIND = re.compile(
    r"\s+(?:decline|decrease|drop|fall|loss|reduction|lower|less|fewer)\b", re.IGNORECASE
)
_RISING_BEHIND = re.compile(
    r"\s+(?:growth|increase|rise|gain|higher|more)\b(?!\s+than\s+\d)", re.IGNORECASE
)
# Words with which a number without a minus may be meant below zero.
_MAY_BE_BELOW = re.compile(
    rf"\b(?:{_FALLING}|below|beneath|under|minus|negative|freez\w+|frost|cold|deficit|debts?|owe[sd]?"
    r"|lower\w*|less|fewer|cut|discount|rebate|off|refund\w*|deduct\w*|sav(?:e|es|ed|ing|ings)|cheaper"
    r"|short\w*|behind|slump\w*|plung\w+|slid\w*|slip\w*|weaken\w*|spent|paid|pays?|costs?|expenses?"
    r"|withdr\w+|worse\w*|reduc\w+|reces\w+|before|earlier|west|south)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"[.;|\n](?:\s|$)|\n")
_MINUS = re.compile(r"(?:(?P<sign>[-\u2013\u2212])[$€£]?|\b(?:minus|negative)\s+)$", re.IGNORECASE)
# A dash behind one of these, or at the head of the text, is no hyphen.
_APART = re.compile(r"(?:^|[\s(\[|:;=,\"\u201c\u2018~\u2248<>])$")
# Behind a value it is that of a range, or a minus of arithmetic.
_BEHIND_VALUE = re.compile(r"(?:\d(?:[\s-]?(?!and|to|or|but)[^\W\d_]{1,3})?|[%°])\s*$")
_LINE_HEAD = re.compile(r"(?:^|\n)[ \t]*$")
_MEASURED = re.compile(r"[$€£]?[\d.,]+\s?(?:[%°]|degrees?\b|per\s?cent)")


class Sign(StrEnum):
    """What a number says of its sign. ``UNSURE``: it may be meant below zero, or not."""

    NONE = "none"
    MINUS = "minus"  # written
    PLUS = "plus"  # written, or a rise
    DOWN = "down"  # a fall
    UNSURE = "unsure"


_OPPOSED = frozenset(
    frozenset(pair)
    for pair in ((Sign.MINUS, Sign.NONE), (Sign.MINUS, Sign.PLUS), (Sign.DOWN, Sign.PLUS))
)


def are_opposed(one: Sign, other: Sign) -> bool:
    """Whether two numbers cannot be one value, whatever their digits are. A plain number is above
    zero, and a fall of 5 is neither a rise of 5 nor at odds with a plain 5. The order of both does
    not matter.

    >>> are_opposed(Sign.MINUS, Sign.NONE), are_opposed(Sign.MINUS, Sign.DOWN)
    (True, False)
    """
    return frozenset((one, other)) in _OPPOSED


def signed_start(text: str, start: int) -> int:
    """Find where a number begins with its minus. ``start`` where it has no minus, and where the
    dash may be that of a range ("5-6"), of a name ("A-320") or of a list.

    >>> text = "East: -5.3 %"
    >>> text[signed_start(text, 7) :]
    '-5.3 %'
    """
    match = _MINUS.search(text, max(0, start - 10), start)
    if match is None:
        return start
    before = text[max(0, match.start() - _REACH) : match.start()]
    if _BEHIND_VALUE.search(before) or not _APART.search(before):
        return start
    # A list has a hyphen at the head of its lines, and "births minus deaths" is a difference.
    unclear = match["sign"] is None or (match["sign"] == "-" and _LINE_HEAD.search(before))
    return start if unclear and not _MEASURED.match(text, start) else match.start()


@dataclass(frozen=True, slots=True)
class SaidSign:
    """A sign, and ``text[start:end]``, the number with the words that say it ("fell by 5 %")."""

    sign: Sign
    start: int
    end: int


def find_sign(text: str, start: int, end: int, lead: int) -> SaidSign:
    """Find the sign of a number in the words about it. The sign, and the characters of the number
    with the words that say it."""
    if text[start] in "-\u2013\u2212" or re.match(r"minus|negative", text[start:end], re.I):
        return SaidSign(Sign.MINUS, start, end)
    if re.search(r"[-\u2013\u2212]\s?[$€£]?$", text[max(0, start - 3) : start]):
        return SaidSign(Sign.UNSURE, start, end)
    first = max(0, lead - _REACH)
    before = text[first:lead]
    for sign, ahead, behind in (
        (Sign.DOWN, _FALLING_BEFORE, _FALLING_BEHIND),
        (Sign.PLUS, _RISING_BEFORE, _RISING_BEHIND),
    ):
        if match := ahead.search(before):
            return SaidSign(sign, first + match.start(), end)
        if match := behind.match(text, end):
            return SaidSign(sign, start, match.end())
    if before.endswith("+"):
        return SaidSign(Sign.PLUS, lead - 1, end)
    clause = _CUT.split(before)[-1] + " " + _CUT.split(text[end : end + _REACH])[0]
    return SaidSign(Sign.UNSURE if _MAY_BE_BELOW.search(clause) else Sign.NONE, start, end)
