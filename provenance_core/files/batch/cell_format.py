"""A number or a moment of a spreadsheet as its cell shows it: 15%, 0042, 3.10 EUR, 5 March 2024."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
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


# What a format of dates and times is made of. [$-407] names a language, or the machine's own way.
_MOMENT = re.compile(
    r'"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-(?P<language>[^\]]*))?\]|\[(?P<whole>h+|m+|s+)\]|\[[^\]]*\]'
    r"|[_*].|(?P<half>am/pm|a/p)|(?P<code>y+|m+|d+|h+|s+|\.0+)|(?P<other>[eg@#?])|(?P<text>.)",
    re.IGNORECASE,
)
# What Excel shows in the way of the machine, however it is written.
_OF_MACHINE = re.compile(r"(?:mm-dd-yy|m/d/yy h:mm)\Z|.*\[\$-(?:f800|f400|x-sys)", re.IGNORECASE)
_ENGLISH = re.compile(r"en|[0-9a-f]*[048c]09\Z", re.IGNORECASE)
_OF_PROGRAMS = re.compile(r"yyyy-mm-dd\\?[ T]", re.IGNORECASE)  # they write every date so
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_Moment = date | time | timedelta  # a datetime is a date


def shown_moment(value: _Moment, format: str | None) -> _Moment | str:
    """A date, a time or a duration as its format shows it; the value itself, cut to what is shown,
    where the format leaves the way to the machine or names a month in another language.

    >>> shown_moment(datetime(2024, 3, 5), "d mmmm yyyy"), shown_moment(time(14, 30), "h:mm AM/PM")
    ('5 March 2024', '2:30 PM')
    >>> shown_moment(timedelta(hours=26, minutes=5), "[h]:mm")
    '26:05'
    """
    known = format and len(format) <= _LONGEST
    if not format or not known or (isinstance(value, timedelta) and value < timedelta()):
        return value
    parts = list(_MOMENT.finditer(_SECTION.findall(format)[0]))
    codes = [(part["code"] or part["whole"] or "").lower() for part in parts]
    moment = _rounded(_moment(value), codes)
    midnight = isinstance(value, datetime) and moment.time() == time()
    named = any(len(code) > 2 and code[0] in "md" for code in codes)
    languages = [part["language"] for part in parts if part["language"]]
    if (
        not any(codes)
        or any(part["other"] for part in parts)
        or _OF_MACHINE.match(format)
        or (midnight and _OF_PROGRAMS.match(format))
        or (named and not all(map(_ENGLISH.match, languages)))
    ):
        return _cut(value, moment, codes)
    hours = moment.hour % 12 or 12 if any(part["half"] for part in parts) else moment.hour
    seconds = round((moment - datetime.min).total_seconds())
    return "".join(
        str(seconds // _SECONDS[code[0]]).zfill(len(code))
        if part["whole"]
        else _shown_code(moment, code, hours, minutes=_are_minutes(codes, at))
        if code
        else ("AM", "PM")[moment.hour > 11][: len(part["half"]) // 2]
        if part["half"]
        else part[1] or part[2] or part[3] or part["text"] or ""
        for at, (part, code) in enumerate(zip(parts, codes, strict=True))
    ).strip()


def _moment(value: _Moment) -> datetime:
    if isinstance(value, timedelta):
        return datetime.min + value
    if isinstance(value, time):
        return datetime.combine(date.min, value)
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def _rounded(moment: datetime, codes: Sequence[str]) -> datetime:
    """A moment without the part of a second that a format does not show."""
    digits = max((len(code) - 1 for code in codes if code[:1] == "."), default=0)
    step = 10 ** max(6 - digits, 0)
    # Without seconds, a spreadsheet cuts and does not round.
    half = timedelta(microseconds=step // 2 if any(code[:1] == "s" for code in codes) else 0)
    moment += half
    return moment - timedelta(microseconds=moment.microsecond % step)


def _cut(value: _Moment, moment: datetime, codes: Sequence[str]) -> _Moment:
    if isinstance(value, time | timedelta):
        return moment.time() if isinstance(value, time) else moment - datetime.min
    has_time = any(code[:1] in ("h", "s") for code in codes)
    return moment if has_time and moment.time() != time() else moment.date()


def _are_minutes(codes: Sequence[str], at: int) -> bool:
    """Whether an m stands behind hours or before seconds, where it is no month."""
    before = next((code for code in reversed(codes[:at]) if code), "")
    after = next((code for code in codes[at + 1 :] if code), "")
    return before[:1] == "h" or after[:1] == "s"


def _shown_code(moment: datetime, code: str, hours: int, *, minutes: bool) -> str:
    kind, width = code[0], len(code)
    if kind == ".":
        return f".{moment.microsecond:06}"[:width]
    if kind == "y":
        return f"{moment.year:04}"[-2 if width < 3 else 0 :]
    month = kind == "m" and not minutes
    if width > 2 and (month or kind == "d"):
        name = calendar.month_name[moment.month] if month else calendar.day_name[moment.weekday()]
        return name[: 3 if width == 3 else 1 if width == 5 and month else None]
    number = {"d": moment.day, "h": hours, "s": moment.second}.get(kind, moment.minute)
    return str(moment.month if month else number).zfill(width)
