"""How fast rows are done and how long the rest takes, for a person to read."""

from __future__ import annotations

from dataclasses import dataclass

_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Pace:
    """``rows_a_second`` over some time, and the seconds that the rows left take at that pace."""

    rows_a_second: float
    seconds_left: float

    def __str__(self) -> str:
        speed = self.rows_a_second
        digits = 0 if speed >= 100 else 1 if speed >= 1 else 2
        return f"{speed:,.{digits}f} rows a second, {in_words(self.seconds_left)} left"


def measured_pace(rows: int, seconds: float, left: int) -> Pace | None:
    """Measure how fast rows are done. None before there is anything to measure."""
    if rows <= 0 or seconds <= 0:
        return None
    return Pace(rows / seconds, left * seconds / rows)


def in_words(seconds: float) -> str:
    """Say a span of time in its two largest units.

    >>> in_words(8), in_words(61), in_words(7380)
    ('8 s', '1 min 1 s', '2 h 3 min')
    """
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE} min"
