"""Which documents no weights see: whatever is fitted after training is fitted and measured on them.

The same article stands in several sets, in lower case here and cut short there. A document is
therefore known by the least hash of its runs of words, which two versions of a text mostly share.
What they do not share is caught by :class:`Seen`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from zlib import crc32

from training.contamination import normal

HELD_IN = 5  # one document of so many is held out
KEY_RUN = 5  # words
SHARED_RUN = 12  # words
MOST_SHARED = 0.15


def _runs(words: Sequence[str], length: int) -> set[int]:
    """Hashes of the runs of words; of the whole text, where it has fewer words."""
    last = max(1, len(words) - length + 1)
    return {crc32(" ".join(words[at : at + length]).encode()) for at in range(last)}


def document(context: Iterable[str]) -> str:
    """The name of the document that a context is, the same for other writings of it."""
    least = min(_runs(normal(" ".join(context)).split(), KEY_RUN))
    return hashlib.sha256(str(least).encode()).hexdigest()[:16]


def is_held_out(context: Iterable[str], one_in: int = HELD_IN) -> bool:
    """Whether a row with this context, one document of so many, is kept from all training."""
    return int(document(context)[:8], 16) % one_in == 0


class Seen:
    """Runs of twelve words of some texts."""

    def __init__(self) -> None:
        self._runs: set[int] = set()

    def add(self, text: str) -> None:
        """Add the runs of a text; one of fewer words counts as a whole."""
        self._runs |= _runs(normal(text).split(), SHARED_RUN)

    def shares(self, text: str) -> bool:
        """Whether over 15 % of a text's runs of twelve words were added."""
        own = _runs(normal(text).split(), SHARED_RUN)
        return len(own & self._runs) > MOST_SHARED * len(own)
