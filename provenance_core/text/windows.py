"""Windows of the whole context: sentences in order, across items, as many as fit together.

A sentence of an answer often joins facts of two items, which no chunk holds. A window does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provenance_core.text.splitting import Bounds, TokenCounter, split_long, strip_bounds
from provenance_core.types import PassagePlace

# Between two items of a window. A mark that a tokenizer keeps: most drop blank lines.
BORDER = "\n\n¶ "


@dataclass(frozen=True, slots=True)
class Window:
    """Parts of items in their order, at most one of each item, and their texts joined by
    ``BORDER``. ``tokens``: as counted part by part, with the borders."""

    parts: tuple[PassagePlace, ...]
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence, or a part of a long one, without white space at its ends."""

    item: int
    start: int
    end: int
    tokens: int


def windows(
    items: Sequence[str],
    sentences: Sequence[Sequence[Bounds]],
    *,
    most_tokens: int,
    count_tokens: TokenCounter,
) -> tuple[Window, ...]:
    """Gather the sentences of all items, in order, into windows of at most ``most_tokens`` (1 or
    more) that overlap by half: one if everything fits; else each begins with the sentence at the
    middle of the one before, and the last ends with the last sentence. None for a context without
    words. ``sentences``: of each item, the half-open ranges of its sentences; one of more than
    ``most_tokens`` is cut between words. Raises ValueError if they are of more or fewer items than
    there are."""
    parts = _parts(items, sentences, most_tokens, count_tokens)
    border = count_tokens([BORDER.strip()])[0]
    found: list[Window] = []
    first = 0
    while first < len(parts):
        last, size = _filled(parts, first, most_tokens, border)
        found.append(_window(items, parts[first:last], size))
        if last == len(parts):
            break
        first = _middle(parts, first, last)
    return tuple(found)


def _parts(
    items: Sequence[str],
    sentences: Sequence[Sequence[Bounds]],
    most_tokens: int,
    count_tokens: TokenCounter,
) -> list[_Part]:
    # Counted at once: a long context has thousands of items.
    cut = [
        (number, *strip_bounds(text, a, b))
        for number, (text, bounds) in enumerate(zip(items, sentences, strict=True))
        for a, b in bounds
        if text[a:b].strip()
    ]
    sizes = count_tokens([items[number][a:b] for number, a, b in cut]) if cut else []
    found: list[_Part] = []
    for (number, a, b), size in zip(cut, sizes, strict=True):
        if size <= most_tokens:
            found.append(_Part(number, a, b, size))
        else:
            found += _cut(number, items[number], (a, b), most_tokens, count_tokens)
    return found


def _cut(
    number: int, text: str, sentence: Bounds, most_tokens: int, count_tokens: TokenCounter
) -> list[_Part]:
    """The parts of a sentence that is too long."""
    cut = split_long(text, [sentence], most_tokens, count_tokens)
    bounds = [strip_bounds(text, a, b) for a, b in cut if text[a:b].strip()]
    sizes = count_tokens([text[a:b] for a, b in bounds])
    return [_Part(number, a, b, size) for (a, b), size in zip(bounds, sizes, strict=True)]


def _filled(parts: Sequence[_Part], first: int, most: int, border: int) -> tuple[int, int]:
    """The part behind the last one that fits with those from ``first``, and their tokens."""
    size, last = parts[first].tokens, first + 1
    while last < len(parts):
        crossing = border if parts[last].item != parts[last - 1].item else 0
        more = size + crossing + parts[last].tokens
        if more > most:
            break
        size, last = more, last + 1
    return last, size


def _middle(parts: Sequence[_Part], first: int, last: int) -> int:
    """The part at the middle of those from ``first`` to ``last``, never ``first`` itself."""
    half = sum(part.tokens for part in parts[first:last]) / 2
    passed = 0
    for at in range(first, last):
        if at > first and passed >= half:
            return at
        passed += parts[at].tokens
    # The last part alone holds half of the tokens.
    return max(first + 1, last - 1)


def _window(items: Sequence[str], parts: Sequence[_Part], tokens: int) -> Window:
    joined: list[PassagePlace] = []
    for part in parts:
        if joined and joined[-1].item == part.item:
            joined[-1] = PassagePlace(part.item, joined[-1].start, part.end)
        else:
            joined.append(PassagePlace(part.item, part.start, part.end))
    text = BORDER.join(items[each.item][each.start : each.end] for each in joined)
    return Window(tuple(joined), text, tokens)
