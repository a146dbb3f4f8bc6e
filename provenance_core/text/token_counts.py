"""Tokens of texts, each counted once: chunks, cuts and totals of an audit ask for the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from provenance_core.text.splitting import TokenCounter

# Characters that are counted at a time: a fraction of a second.
_AT_ONCE = 400_000


class CountedOnce:
    """A token counter that remembers what it counted as long as it lives. ``heard``: Called with
    the number of characters that were counted since the last call.

    >>> asked = []
    >>> def count(texts):
    ...     asked.extend(texts)
    ...     return [len(text.split()) for text in texts]
    >>> counted = CountedOnce(count, lambda characters: None)
    >>> counted(["a b", "a b", "c"]), counted(["c"]), asked
    ([2, 2, 1], [1], ['a b', 'c'])
    """

    def __init__(self, count: TokenCounter, heard: Callable[[int], None]) -> None:
        self._count = count
        self._heard = heard
        self._known: dict[str, int] = {}

    def __call__(self, texts: list[str]) -> list[int]:
        """Tokens of each text, in their order."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        for batch in _batches(missing):
            self._known.update(zip(batch, self._count(batch), strict=True))
            self._heard(sum(map(len, batch)))
        return [self._known[text] for text in texts]


def _batches(texts: list[str]) -> Iterator[list[str]]:
    """``texts`` in their order, in batches of about ``_AT_ONCE`` characters."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        batch.append(text)
        characters += len(text)
        if characters >= _AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
