"""Sentences that several chunks support together and none alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provenance_core.lexicon.words import content_words
from provenance_core.scoring.features import hypotheses
from provenance_core.scoring.support import last_entailment
from provenance_core.types import Chunk, Evidence, PassagePlace

_ENTAILED = 0.5


def read_together(evidence: Evidence, sentence: int, first: int) -> tuple[int, ...]:
    """The chunks whose window entails a sentence (index) with at least even odds, where no chunk
    does alone: ``first`` (index) where it is one of them, and those with more of its content words,
    rising; none where one chunk is enough."""
    reading = evidence.second.together if evidence.second else None
    if reading is None:
        return ()
    by_window = np.nan_to_num(reading.scores.entailment[sentence])
    alone = np.nan_to_num(last_entailment(evidence)[sentence])
    if not by_window.size or by_window.max() < _ENTAILED or alone.max() >= _ENTAILED:
        return ()
    parts = reading.windows[int(by_window.argmax())]
    inside = [chunk for chunk in evidence.chunks if _overlaps(chunk, parts)]
    wanted = content_words(hypotheses(evidence)[sentence])
    held = {chunk.index: wanted & content_words(chunk.text) for chunk in inside}
    chosen = [first] if first in held else []
    while held:
        known = frozenset[str]().union(*(held[at] for at in chosen))
        best = max(held, key=lambda at: len(held[at] - known))
        if held[best] <= known:
            break
        chosen.append(best)
    # Its words stand in one chunk: what the window adds is what stands around that.
    return tuple(sorted(chosen if len(chosen) > 1 else held))


def _overlaps(chunk: Chunk, parts: Sequence[PassagePlace]) -> bool:
    return any(
        part.item == chunk.item and part.start < chunk.end and chunk.start < part.end
        for part in parts
    )
