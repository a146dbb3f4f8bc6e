"""Sentences with exact offsets (sentencex does the splitting; nothing is dropped)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from provenance_core.text.list_markers import marker_length
from provenance_core.text.markdown_tables import find_tables
from provenance_core.text.sentence_ends import sentence_ends

TokenCounter = Callable[[list[str]], list[int]]
Bounds = tuple[int, int]

_HAS_WORD = re.compile(r"[^\W\d_]")
_WORD_END = re.compile(r"\S+\s*")


def sentence_bounds(text: str) -> list[Bounds]:
    """Find the sentences of a text: half-open ranges that tile it. A segment without a letter (a
    bullet, white space) joins the sentence that follows it, else the last one. So a range holds
    words wherever the text has some. A row of a Markdown table stays one sentence. A Markdown
    heading, a line in bold and a list item end with their line."""
    rows = {row.end for table in find_tables(text) for row in table.rows}
    bounds: list[Bounds] = []
    position = start = 0
    for end in sentence_ends(text):
        if _HAS_WORD.search(text, position, end) or end in rows:
            bounds.append((start, end))
            start = end
        position = end
    if start < len(text):
        if bounds and not re.search(r"\w", text[start:]):
            bounds[-1] = (bounds[-1][0], len(text))
        else:
            bounds.append((start, len(text)))
    return bounds


def sentence_around(text: str, place: int) -> Bounds:
    """The sentence of a text, not empty, that holds a character; behind its end the last one."""
    bounds = sentence_bounds(text)
    return next(((a, b) for a, b in bounds if a <= place < b), bounds[-1])


def split_long(text: str, bounds: list[Bounds], limit: int, count: TokenCounter) -> list[Bounds]:
    """Cut the ranges of a text that are too long between words. ``limit``: Most tokens of a range,
    1 or more; a single longer word is cut between characters. ``count``: Counts the tokens of each
    of several texts. Ranges that tile what ``bounds`` tiled."""
    lengths = count([text[a:b] for a, b in bounds]) if bounds else []
    result: list[Bounds] = []
    for (a, b), length in zip(bounds, lengths, strict=True):
        result.extend([(a, b)] if length <= limit else _cut(text, a, b, limit, count))
    return result


def _cut(text: str, a: int, b: int, limit: int, count: TokenCounter) -> list[Bounds]:
    words: list[Bounds] = []
    # No word piece is shorter than one character, so `limit` characters never exceed `limit`
    # tokens by more than normalisation adds; half of it leaves room for that.
    step = max(1, limit // 2)
    for match in _WORD_END.finditer(text, a, b):
        edges = [*range(match.start(), match.end(), step), match.end()]
        too_long = match.end() - match.start() > limit
        words.extend(pairwise(edges) if too_long else [(match.start(), match.end())])
    if not words:
        return [(a, b)]
    words[0] = (a, words[0][1])
    lengths = count([text[x:y] for x, y in words])
    result: list[Bounds] = []
    start, total = a, 0
    for (x, _), length in zip(words, lengths, strict=True):
        if total and total + length > limit:
            result.append((start, x))
            start, total = x, 0
        total += length
    result.append((start, b))
    return result


def strip_bounds(text: str, a: int, b: int) -> Bounds:
    """Take the white space at the ends of a range off it. A range of white space alone stays as it
    is."""
    piece = text[a:b]
    stripped = piece.strip()
    if not stripped:
        return a, b
    offset = a + len(piece) - len(piece.lstrip())
    return offset, offset + len(stripped)


def claim_bounds(text: str, a: int, b: int) -> Bounds:
    """Take the white space at the ends of a range, and the list markers at its start, off it. A
    range that holds nothing else stays as it is."""
    return strip_bounds(text, a + marker_length(text[a:b]), b)


def fitting_bounds(text: str, limit: int, count: TokenCounter) -> list[Bounds]:
    """Cut a text into as few parts as fit, which tile it: all of it where that has at most
    ``limit`` tokens, else its sentences, packed up to the limit. A sentence over the limit is cut
    between words. ``count``: counts the tokens of each of several texts."""
    if count([text])[0] <= limit:
        return [(0, len(text))]
    bounds = split_long(text, sentence_bounds(text), limit, count)
    lengths = count([text[a:b] for a, b in bounds])
    edges, total = [0], 0
    for (a, _), length in zip(bounds, lengths, strict=True):
        if total and total + length > limit:
            edges.append(a)
            total = 0
        total += length
    return list(pairwise([*edges, len(text)]))
