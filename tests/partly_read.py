"""Evidence of which the NLI model read some chunks alone, as with ``cells=sources``."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from provenance_core.types import Evidence, PairScores


def partly_read(evidence: Evidence, chunks: Sequence[int]) -> Evidence:
    """``evidence`` as if the NLI model had read only the chunks with these indices."""
    read = np.isin(np.arange(len(evidence.chunks)), chunks)

    def of_read(scores: PairScores) -> PairScores:
        values = scores.values.copy()
        values[:, ~read] = np.nan
        return PairScores(values)

    return replace(
        evidence,
        claim_scores=of_read(evidence.claim_scores),
        sentence_scores=of_read(evidence.sentence_scores),
        support=tuple(
            tuple(value if known else None for value, known in zip(row, read, strict=True))
            for row in evidence.support
        ),
        chunks_read=tuple(read.tolist()),
    )
