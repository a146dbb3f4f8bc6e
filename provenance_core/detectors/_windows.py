"""Windows of the whole context that a second model reads: what no chunk holds together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from provenance_core.lexicon.words import content_words
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.protocol import PairScorer
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import Window, windows
from provenance_core.types import Evidence, PairScores, WindowReading

# Shorter windows join nothing: beside a claim that leaves them no more room, none is read.
_LEAST_TOKENS = 96


def read_windows(
    evidence: Evidence,
    claims: Sequence[str],
    rows: Sequence[int],
    model: PairScorer,
    progress: Callable[[float], None],
) -> WindowReading:
    """Read the sentences with the indices ``rows`` against windows of the context. Each against the
    one that shares most content words with what stands for it in ``claims``. None where one chunk
    holds the whole context, which was read already."""
    count = len(claims)
    found = _windows(evidence, [claims[row] for row in rows], model)
    held = [content_words(window.text) for window in found]
    cells = [(row, _nearest(content_words(claims[row]), held)) for row in rows if found]
    used = sorted({at for _, at in cells})
    scores = np.full((count, len(used), 3), np.nan)
    if cells:
        pairs = [(found[at].text, claims[row]) for row, at in cells]
        said = nli_probabilities(model.predict(pairs, progress), model.labels)
        for (row, at), values in zip(cells, said, strict=True):
            scores[row, used.index(at)] = values
    return WindowReading(tuple(found[at].parts for at in used), PairScores(scores))


def _windows(evidence: Evidence, claims: Sequence[str], model: PairScorer) -> tuple[Window, ...]:
    """Windows with room for each of the claims beside them."""
    if len(evidence.chunks) < 2 or not claims:
        return ()
    room = model.text_budget - max(model.count_tokens(claims))
    if room < _LEAST_TOKENS:
        return ()
    items = [item.text for item in evidence.context]
    bounds = [sentence_bounds(text) for text in items]
    return windows(items, bounds, most_tokens=room, count_tokens=model.count_tokens)


def _nearest(wanted: frozenset[str], held: Sequence[frozenset[str]]) -> int:
    """The window with most of the wanted words, the first of equal ones."""
    return max(range(len(held)), key=lambda at: len(wanted & held[at]))
