"""Windows of the whole context that a second model reads: each sentence against at most two, those
that share most of its content words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core.lexicon.words import content_words
from provenance_core.models.protocol import PairScorer
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import Window, windows
from provenance_core.types import Evidence, Floats, PairScores, WindowReading

MOST_WINDOWS = 2
# Shorter windows than this join nothing: beside a claim that leaves them no room, none is read.
_LEAST_TOKENS = 96


@dataclass(frozen=True, slots=True)
class WindowPairs:
    """Which sentence (index) is read against which window: ``cells``, as (sentence, window)."""

    windows: tuple[Window, ...]
    cells: tuple[tuple[int, int], ...]

    def texts(self, claims: Sequence[str]) -> list[tuple[str, str]]:
        """Window and claim of each pair; ``claims``: of each sentence."""
        return [(self.windows[window].text, claims[row]) for row, window in self.cells]

    def reading(self, said: Floats, sentences: int) -> WindowReading:
        """``said`` of each pair, (P, 3), by sentence and window. Windows that nobody read are left
        out."""
        used = sorted({window for _, window in self.cells})
        scores = np.full((sentences, len(used), 3), np.nan)
        for (row, window), values in zip(self.cells, said, strict=True):
            scores[row, used.index(window)] = values
        return WindowReading(
            tuple(self.windows[window].parts for window in used), PairScores(scores)
        )


def window_pairs(
    evidence: Evidence, claims: Sequence[str], rows: Sequence[int], model: PairScorer
) -> WindowPairs | None:
    """Choose the windows of the sentences with the indices ``rows``, whose claims are ``claims``.

    None where a chunk alone holds the whole context, or a claim leaves a window no room.
    """
    if len(evidence.chunks) < 2 or not rows:
        return None
    longest = max(model.count_tokens([claims[row] for row in rows]))
    room = model.text_budget - longest
    if room < _LEAST_TOKENS:
        return None
    items = [item.text for item in evidence.context]
    found = windows(
        items,
        [sentence_bounds(text) for text in items],
        most_tokens=room,
        count_tokens=model.count_tokens,
    )
    held = [content_words(window.text) for window in found]
    return WindowPairs(
        found,
        tuple((row, at) for row in rows for at in _nearest(content_words(claims[row]), held)),
    )


def _nearest(wanted: frozenset[str], held: Sequence[frozenset[str]]) -> list[int]:
    """The windows with most of the wanted words, the first of equal ones."""
    return sorted(range(len(held)), key=lambda at: -len(wanted & held[at]))[:MOST_WINDOWS]
