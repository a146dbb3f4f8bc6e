"""Which cells of sentences x chunks were computed, in words."""

from __future__ import annotations

from dataclasses import dataclass

from provenance_core import Audit

NOT_COMPUTED = "not computed"
NOT_COMPUTED_WHY = f"{NOT_COMPUTED}: the NLI model read only the chunks that were selected"


@dataclass(frozen=True, slots=True)
class CellCount:
    """``sentences`` and ``chunks`` of an audit, and how many of the chunks the NLI model ``read``
    with each sentence."""

    sentences: int
    chunks: int
    read: int

    @property
    def text(self) -> str:
        """How many cells were computed, of how many: "12 of 30"."""
        return f"{self.sentences * self.read:,} of {self.sentences * self.chunks:,}"


def count_cells(audit: Audit) -> CellCount:
    """Count the cells of an audit.

    Of its sentences and chunks.
    """
    return CellCount(len(audit.sentences), len(audit.sources), int(audit.evidence.read.sum()))


def reads_all(audit: Audit) -> bool:
    """Whether every cell was computed.

    False where the NLI model read only some of the chunks.
    """
    return not audit.evidence.chunks_read


def cells_text(audit: Audit) -> str:
    """How many cells were computed, and what is not known of the others.

    Sentences; "" where every cell was computed.
    """
    if reads_all(audit):
        return ""
    cells = count_cells(audit)
    each = "the sentence" if cells.sentences == 1 else f"each of {cells.sentences:,} sentences"
    return (
        f"The NLI model read {cells.read:,} of {cells.chunks:,} chunks with {each}: {cells.text} "
        "cells were computed. The other chunks were not selected as "
        "sources. Whether one of them supports or contradicts a sentence was not computed."
    )
