"""Context items into chunks at sentence ends, each with its item and exact offsets."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.text.splitting import (
    Bounds,
    TokenCounter,
    sentence_bounds,
    split_long,
    strip_bounds,
)
from provenance_core.types import Chunk, ContextItem, EvidencePlace


def chunk_context(
    context: Sequence[ContextItem],
    *,
    max_tokens: int,
    overlap_sentences: int,
    count_tokens: TokenCounter,
) -> tuple[Chunk, ...]:
    """Cut context items into chunks. An item that fits is one chunk: this keeps the retriever's own
    chunking (paper section 2, observation 2). A longer one is cut at sentence ends, and a single
    sentence over the limit between words. ``max_tokens``: Most tokens of a chunk, 1 or more.
    ``count_tokens``: Counts the tokens of each of several texts. Chunks in the order of the items;
    ``item.text[chunk.start:chunk.end]`` is ``chunk.text``. Every character that is not white space
    lies in a chunk. An item of white space alone has none."""
    chunks: list[Chunk] = []
    lengths = count_tokens([item.text for item in context])
    for item, length in zip(context, lengths, strict=True):
        if not item.text.strip():
            continue
        if length <= max_tokens:
            ranges = [(0, len(item.text))]
        else:
            ranges = _pack(item.text, max_tokens, overlap_sentences, count_tokens)
        stripped = [strip_bounds(item.text, a, b) for a, b in ranges]
        texts = [item.text[a:b] for a, b in stripped]
        for (a, b), text, tokens in zip(stripped, texts, count_tokens(texts), strict=True):
            chunks.append(Chunk(len(chunks), item.index, a, b, text, tokens))
    return tuple(chunks)


def context_sentences(chunks: Sequence[Chunk]) -> tuple[EvidencePlace, ...]:
    """The sentences of chunks, each once where chunks overlap, in the order of the chunks."""
    found: dict[tuple[int, int, int], EvidencePlace] = {}
    for chunk in chunks:
        for bounds in sentence_bounds(chunk.text):
            start, end = strip_bounds(chunk.text, *bounds)
            place = EvidencePlace(chunk.index, chunk.start + start, chunk.start + end)
            found.setdefault((chunk.item, place.start, place.end), place)
    return tuple(found.values())


def _pack(text: str, max_tokens: int, overlap: int, count: TokenCounter) -> list[Bounds]:
    sentences = split_long(text, sentence_bounds(text), max_tokens, count)
    lengths = count([text[a:b] for a, b in sentences])
    ranges: list[Bounds] = []
    first = 0
    while first < len(sentences):
        last, total = first, lengths[first]
        while last + 1 < len(sentences) and total + lengths[last + 1] <= max_tokens:
            last += 1
            total += lengths[last]
        ranges.append((sentences[first][0], sentences[last][1]))
        if last + 1 == len(sentences):
            break
        back = last + 1
        while (
            back - 1 > first
            and last + 1 - (back - 1) <= overlap
            and sum(lengths[back - 1 : last + 2]) <= max_tokens
        ):
            back -= 1
        first = back
    return ranges
