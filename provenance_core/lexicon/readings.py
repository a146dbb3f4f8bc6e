"""How much of what was read in texts is kept for the next claim and the next answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

# Texts of which each reader keeps what it read: memory does not grow with a file's rows.
_KEPT = 1024
# Of texts of so many characters, which take megabytes, it keeps a few.
_LONG, _LONG_KEPT = 50_000, 8


def kept_readings(read: Callable[[str], T]) -> Callable[[str], T]:
    """Make a reader that keeps what it read in the last texts.

    >>> read = []
    >>> length = kept_readings(lambda text: read.append(text) or len(text))
    >>> length("mill"), length("mill"), read
    (4, 4, ['mill'])
    """
    of_short, of_long = lru_cache(_KEPT)(read), lru_cache(_LONG_KEPT)(read)

    @wraps(read)
    def reading(text: str) -> T:
        return (of_long if len(text) >= _LONG else of_short)(text)

    return reading
