"""Context items that a tool joined to one text by a sign that it did not escape."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A bar between items for certain: behind the end of a sentence, or behind the bar that closes the
# row of a table, and right before what follows. ``P(a|b)`` and ``ls | grep x`` are none.
_AFTER_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]?(\|)(?=\S)")
_AFTER_TABLE = re.compile(r"(?m)^[ \t]*\|.*?\|[ \t]*(\|)(?=[^\s|])")
_TABLE_LINE = re.compile(r"(?m)^[ \t]*\|.*\|[ \t]*$")


@dataclass(frozen=True, slots=True)
class Parted:
    """The items, and whether a sign that is left in them may part two more."""

    items: tuple[str, ...]
    in_doubt: bool


def parted_at_bars(text: str) -> Parted:
    """Part a text at the bars that stand between items for certain; the others stay.

    >>> parted_at_bars("It is red.|It is long.").items
    ('It is red.', 'It is long.')
    >>> parted_at_bars("P(rain|cloud) is 0.3.")
    Parted(items=('P(rain|cloud) is 0.3.',), in_doubt=True)
    """
    lines = [match.span() for match in _TABLE_LINE.finditer(text)]
    cuts = {match.start(1) for match in _AFTER_TABLE.finditer(text)}
    for match in _AFTER_SENTENCE.finditer(text):
        at = match.start(1)
        if not any(start < at < end for start, end in lines):
            cuts.add(at)
    items, start = [], 0
    for at in (*sorted(cuts), len(text)):
        items.append(text[start:at])
        start = at + 1
    kept = tuple(item for item in items if item.strip())
    return Parted(kept, any("|" in _TABLE_LINE.sub("", item) for item in kept))
