"""Whether the context has the very words that are wrong in an answer, of another thing."""

from __future__ import annotations

import re
from collections.abc import Iterable


def has_the_words(words: str, texts: Iterable[str]) -> bool:
    """Whether a text has these words, in the same letters and not as a part of others. "412" is not
    in "4,412", "412.5" or "X412". False for no words."""
    parts = words.split()
    if not parts:
        return False
    held = r"\s+".join(map(re.escape, parts))
    found = re.compile(rf"(?<!\w)(?<!\d[.,:]){held}(?!\w)(?![.,:]\d)")
    return any(found.search(text) is not None for text in texts)
