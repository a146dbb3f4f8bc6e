"""What the cells of sentences x chunks can show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provenance_core import DETECTORS, Audit
from provenance_core.detectors import Quantity, cell_matrix
from provenance_core.scoring.support import support_matrix
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD
from provenance_core.types import (
    Entailment,
    Evidence,
    Floats,
    ModelInfo,
    PairScores,
    SentenceLabel,
)
from reports.glossary import tooltip


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """A verdict of a cell: its name, its letter, and its colour as red, green and blue."""

    name: str
    letter: str
    rgb: tuple[int, int, int]


# What a number of a cell means.
QUANTITY_MEANINGS = {
    Quantity.BALANCE: "From -1, where the chunk contradicts the sentence, to 1, where it supports "
    "it.",
    Quantity.SUPPORT: tooltip("support"),
    Quantity.ENTAILMENT: tooltip("entailment"),
    Quantity.CONTRADICTION: f"{tooltip('contradiction')} The NLI model gives its probability, of "
    "the closest sentence of the chunk where it read one.",
    Quantity.VERDICT: "The probabilities of entailment, contradiction and neutral; the colour "
    "shows the largest.",
}
# By the place of the probability in a cell: entailment, neutral, contradiction.
CELL_VERDICTS = (
    CellVerdict("entailment", "E", (0, 114, 178)),
    CellVerdict("neutral", "N", (200, 199, 194)),
    CellVerdict("contradiction", "C", (213, 94, 0)),
)
_NEUTRAL, _CONTRADICTION = 1, 2
# As the NLI matrix writes a cell: [E, C, N].
WRITTEN_ORDER = (0, 2, 1)


def shown_quantities(audit: Audit) -> tuple[Quantity, ...]:
    """Name what can be shown of an audit's cells.

    Without contradiction, and so without the verdict of a cell, where the NLI model measures none.
    Without the verdict too where more than the model's reading of the whole chunk makes support and
    contradiction: its largest probability could differ from the sentence's label.
    """
    if not audit.evidence.nli_model.tells_contradiction:
        return Quantity.SUPPORT, Quantity.ENTAILMENT
    if audit.evidence.support and own_quantity(audit) is not Quantity.VERDICT:
        return tuple(each for each in Quantity if each is not Quantity.VERDICT)
    return tuple(Quantity)


def own_quantity(audit: Audit) -> Quantity:
    """Name what the score of an audit is made from.

    Of support, where contradiction was measured too, the balance of both, in which supported, not
    found and contradicted differ.
    """
    quantity = DETECTORS[audit.parameters.detector].traits.quantity
    if quantity is Quantity.SUPPORT and audit.evidence.nli_model.tells_contradiction:
        return Quantity.BALANCE
    return quantity


def counted_reading(evidence: Evidence, sentence: int, chunk: int) -> tuple[Entailment, ModelInfo]:
    """Find what a model said of a cell: the second one where it read the cell again.

    Three probabilities, and the model.
    """
    second = evidence.second
    if second is not None and second.scores.read[sentence, chunk]:
        return second.scores.cell(sentence, chunk), second.model
    return evidence.sentence_scores.cell(sentence, chunk), evidence.nli_model


def counted_scores(evidence: Evidence) -> Floats:
    """Read what the models said of every cell: the second one where it read the cell again.

    Entailment, neutral and contradiction of each sentence by each chunk: shape (S, N, 3); NaN of a
    pair that the first model did not read, whatever the second read of it.
    """
    values = evidence.sentence_scores.values
    if evidence.second is not None:
        again = evidence.second.scores
        values = np.where(again.read[..., None], again.values, values)
    return np.where(evidence.read[..., None], values, np.nan)


def answer_cells(audit: Audit) -> Floats:
    """Read what the NLI model said of the whole answer.

    Entailment, neutral and contradiction by each chunk: shape (1, N, 3), or (0, N, 3) where it was
    not scored.
    """
    scores = audit.evidence.answer_scores
    return scores.values.reshape(min(1, len(scores)), len(audit.evidence.chunks), 3)


def cell_values(audit: Audit, quantity: Quantity) -> Floats:
    """Compute a quantity of each sentence and chunk.

    Shape (S, N); a verdict as its place in ``CELL_VERDICTS``; NaN of a pair that was not read.
    """
    if quantity in (Quantity.BALANCE, Quantity.SUPPORT):
        support, against = cell_matrix(audit)
        return support - against if quantity is Quantity.BALANCE else support
    if quantity is Quantity.CONTRADICTION:
        return cell_matrix(audit)[1]
    values = _values(counted_scores(audit.evidence), quantity)
    if quantity is Quantity.VERDICT:
        # What a chunk has against a sentence that it is not about does not count.
        uncounted = (values == _CONTRADICTION) & (cell_matrix(audit)[1] == 0.0)
        values = np.where(uncounted, float(_NEUTRAL), values)
    return values


def answer_values(audit: Audit, quantity: Quantity) -> Floats:
    """Compute a quantity of the whole answer and each chunk.

    Shape (1, N), or (0, N) where the answer was not scored.
    """
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
        return np.where(np.isnan(cells[..., 0]), np.nan, cells.argmax(axis=-1))
    return cells[..., _CONTRADICTION if quantity is Quantity.CONTRADICTION else 0]


def cell_tones(audit: Audit, quantity: Quantity) -> Floats:
    """Compute how far each cell speaks for its sentence or against it, by the rules that label the
    sentences.

    Shape (S, N), in [-1, 1]. Of support, and of support less contradiction: at least 0.4 where the
    support reaches the threshold, else at most -0.4 where the chunk contradicts the sentence, else
    between -0.2 and 0.2. NaN where the sentence is set aside, and of a pair that was not read.
    """
    evidence, threshold = audit.evidence, audit.parameters.threshold
    if quantity in (Quantity.BALANCE, Quantity.SUPPORT):
        tones = _tones(quantity, *cell_matrix(audit), threshold)
    else:
        tones = _signed(cell_values(audit, quantity), quantity)
    for traced in audit.sentences:
        row = tones[traced.sentence.index]
        if traced.label is SentenceLabel.SET_ASIDE:
            row[:] = np.nan
        elif (
            quantity is Quantity.BALANCE
            and traced.label is SentenceLabel.CONTRADICTED
            and not traced.selection_miss
        ):
            # Its evidence may state another value, which no probability says.
            row[traced.evidence_chunk] = min(row[traced.evidence_chunk], -_LEAST_TONE)
    tones[~evidence.read] = np.nan
    return tones


def answer_tones(audit: Audit, quantity: Quantity) -> Floats:
    """Compute how far each chunk speaks for the whole answer or against it.

    Shape (1, N), or (0, N) where the answer was not scored, as :func:`cell_tones`.
    """
    if quantity not in (Quantity.BALANCE, Quantity.SUPPORT) or not audit.evidence.answer_scores:
        return _signed(answer_values(audit, quantity), quantity)
    support = answer_values(audit, Quantity.SUPPORT)
    against = _values(answer_cells(audit), Quantity.CONTRADICTION)
    return _tones(quantity, support, against, audit.parameters.threshold)


# A cell that supports or contradicts has at least this tone, any other at most the second.
_LEAST_TONE = 0.4
_MOST_OF_NOTHING = 0.2


def _tones(quantity: Quantity, support: Floats, against: Floats, threshold: float) -> Floats:
    """The tone of each cell; of support alone nothing counts against it. Calibrated support of an
    unrelated passage is not 0, but well under the threshold: such cells have no tone."""
    if quantity is Quantity.SUPPORT:
        against = np.zeros_like(against)

    def tone(values: Floats, edge: float) -> Floats:
        nothing = 0.7 * edge
        reached = _LEAST_TONE + (1 - _LEAST_TONE) * (values - edge) / max(1 - edge, 1e-9)
        nearly = _MOST_OF_NOTHING * np.clip((values - nothing) / max(edge - nothing, 1e-9), 0, 1)
        return np.where(values >= edge, reached, nearly)

    for_it, against_it = tone(support, threshold), tone(against, CONTRADICTION_THRESHOLD)
    neither = (support < threshold) & (against < CONTRADICTION_THRESHOLD)
    return np.where(
        neither, for_it - against_it, np.where(support >= threshold, for_it, -against_it)
    )


def _signed(values: Floats, quantity: Quantity) -> Floats:
    return -values if quantity is Quantity.CONTRADICTION else values.copy()


def cell_value_text(quantity: Quantity, value: float) -> str:
    """Write the value of a cell.

    Two places, with a sign where it may be below 0.
    """
    return f"{value:+.2f}" if quantity is Quantity.BALANCE else f"{value:.2f}"


def cell_numbers(cell: Floats, model: ModelInfo) -> tuple[str, ...]:
    """Write the probabilities of a cell, each with its letter.

    ``cell``: Entailment, neutral and contradiction, shape (3,). As [E, C, N]; of a model that
    measures no contradiction only the first.
    """
    if not model.tells_contradiction:
        return (f"{CELL_VERDICTS[0].letter} {cell[0]:.2f}",)
    return tuple(f"{CELL_VERDICTS[i].letter} {cell[i]:.2f}" for i in WRITTEN_ORDER)


def pair_numbers(
    support: float, contradiction: float, entailment: float, model: ModelInfo
) -> tuple[str, ...]:
    """Write what counted of a sentence and a chunk, where a support map made its support.

    ``support, contradiction, entailment``: Each in [0, 1]. Each with its name; without
    contradiction of a model that measures none.
    """
    named = [
        (Quantity.SUPPORT, support),
        (Quantity.CONTRADICTION, contradiction),
        (Quantity.ENTAILMENT, entailment),
    ]
    return tuple(
        f"{name} {value:.3f}"
        for name, value in named
        if model.tells_contradiction or name is not Quantity.CONTRADICTION
    )
