"""What each chunk says of each sentence: the one value that everything shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core.scoring.label_rules import ALIKE
from provenance_core.scoring.tracing import (
    CONTRADICTION_THRESHOLD,
    SURE_CONTRADICTION,
    sentence_matrix,
)
from provenance_core.types import (
    Cells,
    Evidence,
    Floats,
    Scores,
    SentenceLabel,
    Stance,
    TracedSentence,
)

# What a chunk is measured by where a detector's threshold is no support.
EVEN = 0.5
SUPPORT = "support"  # what a measure of support is called


@dataclass(frozen=True, slots=True)
class CellMeasure:
    """What a detector counts of a cell of sentence and chunk. ``name``: in words. ``values``: in
    [0, 1], (S, N). ``threshold``: from there on the chunk supports the sentence. ``against``:
    P(contradiction) as the detector counts it, (S, N); None for what the models say."""

    name: str
    values: Floats
    threshold: float
    against: Floats | None = None


def least_contradiction(evidence: Evidence, measure: CellMeasure) -> float:
    """The P(contradiction) from which a chunk that does not support a sentence contradicts it."""
    by_words = evidence.labelled_by >= ALIKE and bool(evidence.support)
    of_support = measure.against is None and measure.name == SUPPORT
    return SURE_CONTRADICTION if by_words and of_support else CONTRADICTION_THRESHOLD


def make_cells(
    evidence: Evidence,
    traced: Sequence[TracedSentence],
    sources: Collection[int],
    measure: CellMeasure,
) -> Cells:
    """The cells of an audit, in which no stance differs from the label of its sentence.

    A chunk supports a sentence from the threshold on; else it contradicts the sentence from
    :func:`least_contradiction` on. The evidence of a
    sentence has the stance of its label, because several chunks may support it together, or words
    may contradict it. No source supports a sentence that is contradicted or not found, and none
    contradicts one that is not found.

    ``sources``: the selected chunks, by index."""
    against = sentence_matrix(evidence)[1] if measure.against is None else measure.against
    supports = measure.values >= measure.threshold
    least = least_contradiction(evidence, measure)
    if not evidence.support:
        # Of a model without a support map: shared words alone make no support.
        supports &= evidence.sentence_scores.entailment >= against
    stances = tuple(
        tuple(
            Stance.NOT_READ
            if np.isnan(measure.values[each.sentence.index, chunk])
            else _stance(
                each,
                chunk,
                chunk in sources,
                bool(supports[each.sentence.index, chunk]),
                bool(against[each.sentence.index, chunk] >= least),
            )
            for chunk in range(len(evidence.chunks))
        )
        for each in traced
    )
    return Cells(measure.name, Scores(measure.values), Scores(against), stances)


def _stance(
    traced: TracedSentence, chunk: int, source: bool, supports: bool, against: bool
) -> Stance:
    label, evidence = traced.label, chunk in (traced.evidence_chunk, *traced.together)
    if label is SentenceLabel.SET_ASIDE:
        return Stance.NEITHER
    if evidence and (label is SentenceLabel.SUPPORTED or traced.selection_miss):
        return Stance.SUPPORTS
    if evidence and label is SentenceLabel.CONTRADICTED:
        return Stance.CONTRADICTS
    if supports and (label is SentenceLabel.SUPPORTED or not source):
        return Stance.SUPPORTS
    silent = label is SentenceLabel.NOT_FOUND and source and not traced.selection_miss
    if against and not supports and not silent:
        return Stance.CONTRADICTS
    return Stance.NEITHER
