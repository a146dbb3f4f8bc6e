"""Context items into the premises of a detector: chunks, sentences, paragraphs or documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.text.chunking import chunk_context
from provenance_core.text.splitting import (
    Bounds,
    TokenCounter,
    sentence_bounds,
    split_long,
    strip_bounds,
)
from provenance_core.types import Chunk, ContextItem, Granularity

_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")


def split_premises(
    context: Sequence[ContextItem],
    granularity: Granularity,
    *,
    max_tokens: int,
    count_tokens: TokenCounter,
) -> tuple[Chunk, ...]:
    """Cut context items into premises of a given size. ``max_tokens``: Most tokens of a premise, 1
    or more. ``count_tokens``: Counts the tokens of each of several texts. In the order of the
    items, without overlap; parts of white space alone are left out."""
    if granularity is Granularity.DOCUMENT:
        return chunk_context(
            context, max_tokens=max_tokens, overlap_sentences=0, count_tokens=count_tokens
        )
    chunks: list[Chunk] = []
    for item in context:
        split = sentence_bounds if granularity is Granularity.SENTENCE else _paragraphs
        bounds = [strip_bounds(item.text, a, b) for a, b in split(item.text)]
        whole = [(a, b) for a, b in bounds if item.text[a:b].strip()]
        if granularity is Granularity.PARAGRAPH:
            whole = _at_sentence_ends(item.text, whole, max_tokens, count_tokens)
        parts = [
            strip_bounds(item.text, a, b)
            for a, b in split_long(item.text, whole, max_tokens, count_tokens)
        ]
        tokens = count_tokens([item.text[a:b] for a, b in parts]) if parts else []
        for (a, b), count in zip(parts, tokens, strict=True):
            chunks.append(Chunk(len(chunks), item.index, a, b, item.text[a:b], count))
    return tuple(chunks)


def _paragraphs(text: str) -> list[Bounds]:
    """Half-open ranges of the paragraphs, which blank lines separate."""
    ends = [match.end() for match in _PARAGRAPH_END.finditer(text)]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def _at_sentence_ends(
    text: str, bounds: Sequence[Bounds], limit: int, count: TokenCounter
) -> list[Bounds]:
    """``bounds`` with every range of more than ``limit`` tokens cut into its sentences."""
    lengths = count([text[a:b] for a, b in bounds]) if bounds else []
    result: list[Bounds] = []
    for (a, b), length in zip(bounds, lengths, strict=True):
        if length <= limit:
            result.append((a, b))
        else:
            result += [(a + start, a + end) for start, end in sentence_bounds(text[a:b])]
    return result
