"""Which texts did not fit a window and were read in parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from provenance_core.text.splitting import TokenCounter, sentence_bounds, split_long
from provenance_core.types import Chunk, ContextItem, Cut, CutKind, Notice


def cut_sentences(
    text: str, limit: int, count: TokenCounter, kind: CutKind, index: int | None = None
) -> tuple[Cut, ...]:
    """Find the sentences of a text that are too long and are cut between words. ``limit``: Most
    tokens of a part. ``count``: Counts the tokens of each of several texts. A cut for each such
    sentence, in order."""
    bounds = sentence_bounds(text)
    lengths = count([text[a:b] for a, b in bounds]) if bounds else []
    cuts, place = [], 0
    for bound, tokens in zip(bounds, lengths, strict=True):
        parts = 1
        if tokens > limit:
            parts = len(split_long(text, [bound], limit, count))
            cuts.append(Cut(kind, place if index is None else index, tokens, limit, parts))
        place += parts
    return tuple(cuts)


def cuts_of_context(
    items: Sequence[ContextItem], chunks: Sequence[Chunk], limit: int, count: TokenCounter
) -> tuple[tuple[Cut, ...], tuple[Notice, ...]]:
    """Find what of the context was cut. ``limit``: Most tokens of a chunk. ``count``: Counts the
    tokens of each of several texts. A cut for each item of several chunks and each sentence over
    the limit, and a notice of the latter."""
    parts = Counter(chunk.item for chunk in chunks)
    cut = [item for item in items if parts[item.index] > 1]
    lengths = count([item.text for item in cut]) if cut else []
    whole: list[Cut] = []
    sentences: list[Cut] = []
    for item, tokens in zip(cut, lengths, strict=True):
        if tokens > limit:
            whole.append(Cut(CutKind.CONTEXT_ITEM, item.index, tokens, limit, parts[item.index]))
        sentences += cut_sentences(item.text, limit, count, CutKind.CONTEXT_SENTENCE, item.index)
    if not sentences:
        return tuple(whole), ()
    named = ", ".join(str(index + 1) for index in sorted({each.index for each in sentences}))
    notice = Notice(
        "context_sentence_cut",
        f"{len(sentences)} {'sentence' if len(sentences) == 1 else 'sentences'} of the context "
        f"(item {named}) have over {limit} tokens, more than a chunk holds; cut between words.",
    )
    return (*whole, *sentences), (notice,)
