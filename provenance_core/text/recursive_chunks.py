"""The recursive chunker of the grounded-in-context detector (Grounded in Context, section 3.2).

Claims are cut at line ends, then at sentence ends, then (semchunk) at clause ends and between
words; chunks of the context at paragraph ends, line ends, sentence ends and so on (semchunk). Each
level is used only where the one above leaves a part too long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from provenance_core.text.splitting import Bounds, TokenCounter, sentence_bounds, strip_bounds
from provenance_core.types import Chunk, ContextItem, Sentence

# A line that goes on in lower case is one that was wrapped.
_LINE_END = re.compile(r"(?<!\s)\s*\n\s*(?![^\W\d_A-Z]*[a-z])")
_HAS_WORD = re.compile(r"[^\W\d_]")


def split_recursively(text: str, max_tokens: int, count_tokens: TokenCounter) -> list[Bounds]:
    """Cut a text at its paragraphs, then its sentences, then its words, until each part has at most
    ``max_tokens`` tokens. Only white space lies between the half-open ranges. ``count_tokens``:
    counts the tokens of each of several texts."""

    import semchunk  # only one detector needs it, and it is slow to import

    def count(part: str) -> int:
        return count_tokens([part])[0]

    # Not memoized: its cache would outlive the audit, with the user's texts in it.
    found = semchunk.chunk(text, max_tokens, count, memoize=False, offsets=True)
    offsets = cast(tuple[list[str], list[Bounds]], found)[1]
    return [strip_bounds(text, a, b) for a, b in offsets if text[a:b].strip()]


def split_into_claims(
    answer: str, max_tokens: int, count_tokens: TokenCounter
) -> tuple[Sentence, ...]:
    """Cut an answer into parts that tile it and are scored as claims: sentences, lines where a
    title or a list item ends without a full stop, or pieces of a sentence with more than
    ``max_tokens`` tokens. ``count_tokens``: counts the tokens of each of several texts."""
    starts: list[int] = []
    for a, b in _units(answer):
        text = answer[a:b]
        if count_tokens([text])[0] <= max_tokens:
            starts.append(a)
        else:
            # The first part begins where the sentence does, white space before it included.
            parts = split_recursively(text, max_tokens, count_tokens)
            starts += [a, *(a + start for start, _ in parts[1:])]
    return tuple(
        Sentence(index, a, b, answer[a:b])
        for index, (a, b) in enumerate(pairwise([*starts, len(answer)]))
    )


def _units(text: str) -> list[Bounds]:
    """Sentences of the lines of ``text``, which they tile; one without a letter belongs to the
    next (a list number) or else to the last."""
    edges = [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
    found = [
        (line + a, line + b)
        for line, end in pairwise(edges)
        for a, b in sentence_bounds(text[line:end])
    ]
    units: list[Bounds] = []
    start = 0
    for a, b in found:
        if _HAS_WORD.search(text[a:b]):
            units.append((start, b))
            start = b
    if start < len(text):
        if units and not re.search(r"\w", text[start:]):
            units[-1] = (units[-1][0], len(text))
        else:
            units.append((start, len(text)))
    return units


def chunk_recursively(
    context: Sequence[ContextItem], *, max_tokens: int, count_tokens: TokenCounter
) -> tuple[Chunk, ...]:
    """Cut context items into chunks without overlap. :func:`joined_text` puts together again what a
    cut parts. ``max_tokens``: Most tokens of a chunk, 1 or more. ``count_tokens``: Counts the
    tokens of each of several texts. Chunks in the order of the items;
    ``item.text[chunk.start:chunk.end]`` is ``chunk.text``. An item of white space alone has
    none."""
    bounds = [
        (item, a, b)
        for item in context
        for a, b in split_recursively(item.text, max_tokens, count_tokens)
    ]
    texts = [item.text[a:b] for item, a, b in bounds]
    return tuple(
        Chunk(index, item.index, a, b, text, tokens)
        for index, ((item, a, b), text, tokens) in enumerate(
            zip(bounds, texts, count_tokens(texts), strict=True)
        )
    )


def joined_text(context: Sequence[ContextItem], chunks: Sequence[Chunk]) -> str:
    """Join chunks to one premise. Neighbours stand as they do in their item, others on lines of
    their own."""
    parts: list[str] = []
    last: Chunk | None = None
    for chunk in chunks:
        between = None
        if last is not None and (last.item, last.index + 1) == (chunk.item, chunk.index):
            between = context[chunk.item].text[last.end : chunk.start]
        if between is not None and not between.strip():
            parts[-1] += between + chunk.text
        else:
            parts.append(chunk.text)
        last = chunk
    return "\n".join(parts)
