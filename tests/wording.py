"""Sentences that the app shows, pinned as inline snapshots.

``pytest --inline-snapshot=fix`` writes the sentence that is shown now in place of the old one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from inline_snapshot import get_snapshot_value

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?:]) +")


def assert_shows(shown: str | Iterable[str], expected: str) -> None:
    """Assert that ``expected``, a snapshot, is a part of the text ``shown`` or one of the texts."""
    wanted: str = get_snapshot_value(expected)
    assert closest(shown if isinstance(shown, str) else list(shown), wanted) == expected


def closest(shown: str | Sequence[str], wanted: str) -> str:
    """``wanted`` where it is shown; else the shown text that is most like it, "" without any."""
    if wanted in shown:
        return wanted
    texts = _passages(shown, wanted) if isinstance(shown, str) else shown
    return max(texts, key=lambda text: SequenceMatcher(None, wanted, text).ratio(), default="")


def _passages(shown: str, wanted: str) -> list[str]:
    """The parts of a text with as many sentences as ``wanted``."""
    count = len(_BETWEEN_SENTENCES.split(wanted))
    found = []
    for line in shown.splitlines():
        parts = _BETWEEN_SENTENCES.split(line)
        found += [" ".join(parts[at : at + count]) for at in range(max(len(parts) - count + 1, 1))]
    return found
