"""Which chunks of a long context each text is read against.

A context of at most :data:`READ_WHOLE` chunks is read whole. Of a longer one, the relevance model
reads the chunks nearest to the query and, where those are few, to the sentences of the answer; the
NLI model reads each text against the selected chunks and those nearest to the text, or those in
which it stands word for word. Near are chunks that share its rarest words
(:mod:`provenance_core.text.nearest`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from provenance_core.audit.prepare import Prepared
from provenance_core.findings.copied import verbatim_places
from provenance_core.text.nearest import nearest, shared_words
from provenance_core.types import Bools, Floats, Notice

# What was measured of these limits: docs/explanation/limits.md.
READ_WHOLE = 40
NEAREST = 12
_LEAST_EACH = 4


@dataclass(frozen=True, slots=True)
class LongContext:
    """A context of N chunks that is not read whole. ``texts``: T distinct hypotheses. ``shared``:
    what each shares with each chunk, (T, N). ``chunks``: the chunks' texts."""

    texts: tuple[str, ...]
    shared: Floats
    chunks: tuple[str, ...]

    def to_score(self, query: str, most: int) -> list[int]:
        """The chunks whose relevance to ``query`` is scored, at least ``most`` or
        :data:`READ_WHOLE` of them: those nearest to it, then those nearest to the answer."""
        (row,) = shared_words([query], self.chunks)
        near = zip_longest(*(nearest(each, NEAREST) for each in self.shared))
        order = [*nearest(row, max(most, READ_WHOLE)), *(at for found in near for at in found)]
        order += range(len(self.chunks))
        wanted = [at for at in dict.fromkeys(order) if at is not None]
        return sorted(wanted[: max(most, READ_WHOLE)])

    def to_score_each(self, queries: Sequence[str], most: int) -> list[list[int]]:
        """Which chunks' relevance to each of ``queries`` is scored, where these are the sentences
        of the answer: together as many pairs as one query has, but a few for each."""
        each = max(_LEAST_EACH, -(-max(most, READ_WHOLE) // len(queries)))
        shared = shared_words(queries, self.chunks)
        return [sorted(nearest(row, each)) or [0] for row in shared]

    def to_read(self, selected: Sequence[int]) -> Bools:
        """Which chunks each text is read against, (T, N): ``selected``, and the :data:`NEAREST`, or
        those in which it stands word for word: nothing else can change what these say of it."""
        cells = np.zeros(self.shared.shape, dtype=np.bool_)
        for place in verbatim_places(self.texts, self.chunks):
            cells[place] = True
        for row in np.flatnonzero(~cells.any(axis=1)):
            cells[row, nearest(self.shared[row], NEAREST)] = True
        cells[:, list(selected)] = True
        unread = ~cells.any(axis=1)
        cells[unread, 0] = True  # every text is read against something
        return cells


def long_context(prepared: Prepared) -> LongContext | None:
    """What is known of a context of over :data:`READ_WHOLE` chunks; None of a shorter one."""
    chunks = tuple(chunk.text for chunk in prepared.chunks)
    if len(chunks) <= READ_WHOLE:
        return None
    texts = prepared.hypotheses.distinct
    return LongContext(texts, shared_words(texts, chunks), chunks)


def nearest_notice(cells: Bools) -> Notice:
    """Say how much of a long context was read. ``cells``: (T, N)."""
    return Notice(
        "nearest_chunks",
        f"The context has {cells.shape[1]:,} chunks: each sentence was read against the sources "
        f"and the chunks nearest to it by their words, {int(cells.sum(axis=1).max())} at most. The "
        "heatmap shows the others as not read.",
    )
