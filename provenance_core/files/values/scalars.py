"""A value of a cell as text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from provenance_core.errors import InputError


@dataclass(frozen=True, slots=True)
class Formula:
    """A cell whose formula the file holds, but not its result."""

    text: str

    def __str__(self) -> str:
        return self.text


def scalar_text(value: object) -> str | None:
    """Write a single value as text. A text as it is; "" for None and NaN; a number or truth value
    as text; a date in ISO 8601, without a midnight that only says that it is a date; a duration as
    hours, minutes and seconds. None for a list or an object. Raises InputError where it is a
    formula of a spreadsheet without a result, or a number of thousands of digits."""
    if isinstance(value, Formula):
        raise InputError(
            f"a cell has the formula {value} without a result, or with an error as result; open "
            "the file in a spreadsheet program and save it, or write the value itself"
        )
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int | float | Decimal):
        return None
    try:
        return str(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        raise InputError("a number of thousands of digits; write it as a text") from None
