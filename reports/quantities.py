"""What the cells of sentences x chunks can show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provenance_core import DETECTORS, Audit
from provenance_core.detectors import Quantity
from provenance_core.scoring.support import support_matrix
from provenance_core.scoring.tracing import sentence_matrix
from provenance_core.types import Entailment, Evidence, Floats, ModelInfo, PairScores


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """A verdict of a cell: its name, its letter, and its colour as red, green and blue."""

    name: str
    letter: str
    rgb: tuple[int, int, int]


# By the place of the probability in a cell: entailment, neutral, contradiction.
CELL_VERDICTS = (
    CellVerdict("entailment", "E", (0, 114, 178)),
    CellVerdict("neutral", "N", (200, 199, 194)),
    CellVerdict("contradiction", "C", (213, 94, 0)),
)
# As the NLI matrix writes a cell: [E, C, N].
WRITTEN_ORDER = (0, 2, 1)


def shown_quantities(audit: Audit) -> tuple[Quantity, ...]:
    """What can be shown of the audit's cells: without contradiction, and so without the verdict of
    a cell, where the NLI model measures none."""
    if audit.evidence.nli_model.tells_contradiction:
        return tuple(Quantity)
    return Quantity.SUPPORT, Quantity.ENTAILMENT


def own_quantity(audit: Audit) -> Quantity:
    """What the score of the audit is made from; of support, where contradiction was measured too,
    the balance of both, in which supported, not found and contradicted differ."""
    quantity = DETECTORS[audit.parameters.detector].traits.quantity
    if quantity is Quantity.SUPPORT and audit.evidence.nli_model.tells_contradiction:
        return Quantity.BALANCE
    return quantity


def counted_reading(evidence: Evidence, sentence: int, chunk: int) -> tuple[Entailment, ModelInfo]:
    """What a model said of a cell, and which model: the second one where it read the cell again."""
    second = evidence.second
    if second is not None and (again := second.cell(sentence, chunk)) is not None:
        return again, second.model
    return evidence.sentence_scores.cell(sentence, chunk), evidence.nli_model


def answer_cells(audit: Audit) -> Floats:
    """Entailment, neutral and contradiction of the whole answer by each chunk: shape (1, N, 3), or
    (0, N, 3) where it was not scored."""
    scores = audit.evidence.answer_scores
    return scores.values.reshape(min(1, len(scores)), len(audit.evidence.chunks), 3)


def cell_values(audit: Audit, quantity: Quantity) -> Floats:
    """``quantity`` of each sentence and chunk, shape (S, N); a verdict as its place in
    ``CELL_VERDICTS``."""
    if quantity in (Quantity.BALANCE, Quantity.SUPPORT):
        support, against = sentence_matrix(audit.evidence)
        return support - against if quantity is Quantity.BALANCE else support
    return _values(audit.evidence.sentence_scores.values, quantity)


def answer_values(audit: Audit, quantity: Quantity) -> Floats:
    """The same of the whole answer: shape (1, N), or (0, N) where it was not scored."""
    evidence = audit.evidence
    if quantity in (Quantity.BALANCE, Quantity.SUPPORT) and evidence.answer_scores:
        support = support_matrix(
            PairScores(answer_cells(audit)),
            [evidence.answer],
            [chunk.text for chunk in evidence.chunks],
            evidence.nli_model,
        )
        against = _values(answer_cells(audit), Quantity.CONTRADICTION)
        return support - against if quantity is Quantity.BALANCE else support
    return _values(answer_cells(audit), quantity)


def _values(cells: Floats, quantity: Quantity) -> Floats:
    if quantity is Quantity.VERDICT:
        return cells.argmax(axis=-1).astype(np.float64)
    return cells[..., 2 if quantity is Quantity.CONTRADICTION else 0]


def says_nothing(threshold: float) -> float:
    """Up to which support, less contradiction or not, a passage says nothing of a sentence, in
    (0, 1): calibrated support of an unrelated passage is not 0, but well under the threshold."""
    return 0.7 * min(max(threshold, 0.1), 0.9)


def cell_strength(quantity: Quantity, value: float, threshold: float) -> float:
    """How far a value of a cell speaks for or against the sentence, in [0, 1]; 0 where it says
    nothing."""
    if quantity not in (Quantity.BALANCE, Quantity.SUPPORT):
        return abs(value)
    nothing = says_nothing(threshold)
    return max(0.0, abs(value) - nothing) / (1 - nothing)


def cell_numbers(cell: Floats, model: ModelInfo) -> tuple[str, ...]:
    """The probabilities of a cell, shape (3,), each with its letter, as [E, C, N]; of a ``model``
    that measures no contradiction only the first."""
    if not model.tells_contradiction:
        return (f"{CELL_VERDICTS[0].letter} {cell[0]:.2f}",)
    return tuple(f"{CELL_VERDICTS[i].letter} {cell[i]:.2f}" for i in WRITTEN_ORDER)
