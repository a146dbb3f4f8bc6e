"""The words that deny, for every module that looks for them."""

from __future__ import annotations

import re

NEGATIONS = ("no", "not", "without", "never", "nor", "cannot")


def denial_pattern(*more: str) -> re.Pattern[str]:
    """Make a pattern of the words that deny what stands beside them.

    Finds a whole word of :data:`NEGATIONS` or ``more``, or "n't", in small letters or capitals.

    Examples
    --------
    >>> denies = denial_pattern("closed")
    >>> [bool(denies.search(text)) for text in ("It isn't open.", "It is closed.", "A note.")]
    [True, True, False]
    """
    return re.compile(rf"\b(?:{'|'.join((*NEGATIONS, *more))})\b|n['\u2019]t\b", re.IGNORECASE)
