"""The sentences of the context, where each stands, and which are closest to a text by its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core.lexicon.words import content_words
from provenance_core.text.nearest import nearest, shared_words
from provenance_core.text.splitting import sentence_bounds, strip_bounds
from provenance_core.types import Chunk, ContextItem

# Closest sentences of the context that are read for each sentence of the answer.
CLOSEST = 3


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """``item.text[start:end]`` is a sentence of the context; ``chunk``: the first that holds it."""

    item: int
    chunk: int
    start: int
    end: int


def context_sentences(
    items: Sequence[ContextItem], chunks: Sequence[Chunk]
) -> tuple[SentencePlace, ...]:
    """Find the sentences of chunks. Every sentence once, in the order of the chunks, with offsets
    in its item."""
    found: dict[tuple[int, int, int], SentencePlace] = {}
    for chunk in chunks:
        text = items[chunk.item].text
        for a, b in sentence_bounds(chunk.text):
            start, end = strip_bounds(text, chunk.start + a, chunk.start + b)
            if end > start:
                place = SentencePlace(chunk.item, chunk.index, start, end)
                found.setdefault((chunk.item, start, end), place)
    return tuple(found.values())


def closest_sentences(
    texts: Sequence[str], sentences: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """Find for each text the sentences that share its rarest content words. A shared word counts by
    how few of the sentences have it (inverse document frequency). For each text at most
    :data:`CLOSEST` indices, the closest first; none that shares no word."""
    shared = shared_words(texts, sentences, content_words)
    return tuple(tuple(nearest(row, CLOSEST)) for row in shared)
