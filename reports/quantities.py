"""What the cells of sentences x chunks can show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provenance_core import DETECTORS, Audit
from provenance_core.detectors import Quantity
from provenance_core.scoring.cells import least_contradiction
from provenance_core.scoring.support import support_matrix
from provenance_core.scoring.tracing import CONTRADICTION_THRESHOLD
from provenance_core.types import (
    Bools,
    Entailment,
    Evidence,
    Floats,
    ModelInfo,
    PairScores,
    SentenceLabel,
    Stance,
)
from reports.glossary import tooltip
from reports.wording import READ_LATER, UNREAD


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """A verdict of a cell: its name, its letter, and its colour as red, green and blue."""

    name: str
    letter: str
    rgb: tuple[int, int, int]


# What a number of a cell means.
QUANTITY_MEANINGS = {
    Quantity.SUPPORT: tooltip("support"),
    Quantity.ENTAILMENT: tooltip("entailment"),
    Quantity.CONTRADICTION: f"{tooltip('contradiction')} The NLI model gives its probability, of "
    "the closest sentence of the chunk where it read one.",
    Quantity.VERDICT: "The probabilities of entailment, contradiction and neutral; the colour "
    "shows whether the chunk supports or contradicts the sentence.",
}
# Named for what a chunk says of a sentence; the letter is of the probability that speaks for it.
CELL_VERDICTS = (
    CellVerdict("supports", "E", (0, 114, 178)),
    CellVerdict("neither", "N", (200, 199, 194)),
    CellVerdict("contradicts", "C", (213, 94, 0)),
)
_PLACES = {Stance.SUPPORTS: 0.0, Stance.NEITHER: 1.0, Stance.CONTRADICTS: 2.0}
_SAID = {
    Stance.SUPPORTS: "supports",
    Stance.CONTRADICTS: "contradicts",
    Stance.NEITHER: "neither supports nor contradicts",
}
# As the NLI matrix writes a cell: [E, C, N].
WRITTEN_ORDER = (0, 2, 1)


def shown_quantities(audit: Audit) -> tuple[Quantity, ...]:
    """Name what can be shown of an audit's cells: what its labels are made of, and what else the
    models say. Without contradiction, and so without the three probabilities, where the NLI model
    measures none; without the three too where a support map makes more of them than they show."""
    own = own_quantity(audit)
    found = dict.fromkeys((Quantity(audit.cells.measure), Quantity.ENTAILMENT))
    if audit.evidence.nli_model.tells_contradiction:
        found[Quantity.CONTRADICTION] = None
        if not audit.evidence.support or own is Quantity.VERDICT:
            found[Quantity.VERDICT] = None
    return tuple(found)


def own_quantity(audit: Audit) -> Quantity:
    """Name what is shown of the cells at first."""
    verdict = DETECTORS[audit.parameters.detector].traits.quantity is Quantity.VERDICT
    return Quantity.VERDICT if verdict else Quantity(audit.cells.measure)


def counted_reading(evidence: Evidence, sentence: int, chunk: int) -> tuple[Entailment, ModelInfo]:
    """Find what a model said of a cell: the second one where it read the cell again."""
    second = evidence.second
    if second is not None and second.scores.read[sentence, chunk]:
        return second.scores.cell(sentence, chunk), second.model
    return evidence.sentence_scores.cell(sentence, chunk), evidence.nli_model


def counted_scores(evidence: Evidence) -> Floats:
    """Read what the models said of every cell: the second one where it read the cell again.
    Entailment, neutral and contradiction, shape (S, N, 3); NaN of a pair that the first model did
    not read."""
    values = evidence.sentence_scores.values
    if evidence.second is not None:
        again = evidence.second.scores
        values = np.where(again.read[..., None], again.values, values)
    return np.where(evidence.read[..., None], values, np.nan)


def answer_cells(audit: Audit) -> Floats:
    """Read what the NLI model said of the whole answer, shape (1, N, 3); (0, N, 3) where it was not
    scored."""
    scores = audit.evidence.answer_scores
    return scores.values.reshape(min(1, len(scores)), len(audit.evidence.chunks), 3)


def cell_values(audit: Audit, quantity: Quantity) -> Floats:
    """Compute a quantity of each sentence and chunk, shape (S, N); a verdict as its place in
    ``CELL_VERDICTS``; NaN of a pair that was not read, and of the contradiction by a chunk that
    supports the sentence."""
    cells = audit.cells
    if quantity == cells.measure:
        return cells.support.values
    if quantity is Quantity.CONTRADICTION:
        return np.where(_stances_are(audit, Stance.SUPPORTS), np.nan, cells.contradiction.values)
    if quantity is Quantity.VERDICT:
        places = [[_PLACES.get(each, np.nan) for each in row] for row in cells.stances]
        return np.array(places, dtype=np.float64)
    return _values(counted_scores(audit.evidence), quantity)


def _stances_are(audit: Audit, stance: Stance) -> Bools:
    return np.array([[each is stance for each in row] for row in audit.cells.stances])


def answer_values(audit: Audit, quantity: Quantity) -> Floats:
    """Compute a quantity of the whole answer and each chunk, shape (1, N); (0, N) where it was not
    scored."""
    evidence = audit.evidence
    if quantity is Quantity.SUPPORT and evidence.answer_scores:
        return support_matrix(
            PairScores(answer_cells(audit)),
            [evidence.answer],
            [chunk.text for chunk in evidence.chunks],
            evidence.nli_model,
        )
    return _values(answer_cells(audit), quantity)


def _values(cells: Floats, quantity: Quantity) -> Floats:
    if quantity is Quantity.VERDICT:
        return np.where(np.isnan(cells[..., 0]), np.nan, cells.argmax(axis=-1))
    return cells[..., 2 if quantity is Quantity.CONTRADICTION else 0]


def cell_tones(audit: Audit, quantity: Quantity) -> Floats:
    """Compute how far each cell speaks for its sentence or against it, shape (S, N), in [-1, 1]. Of
    what the labels are made of: at least 0.4 where the chunk supports the sentence, at most -0.4
    where it contradicts it, else between 0 and 0.2. NaN where the sentence is set aside or the pair
    was not read."""
    cells, threshold = audit.cells, audit.parameters.threshold
    if quantity == cells.measure:
        tones = _tones(
            _stances_are(audit, Stance.SUPPORTS),
            _stances_are(audit, Stance.CONTRADICTS),
            cells.support.values,
            cells.contradiction.values,
            threshold,
        )
    else:
        tones = _signed(cell_values(audit, quantity), quantity)
    for traced in audit.sentences:
        if traced.label is SentenceLabel.SET_ASIDE:
            tones[traced.sentence.index] = np.nan
    tones[_stances_are(audit, Stance.NOT_READ)] = np.nan
    return tones


def answer_tones(audit: Audit, quantity: Quantity) -> Floats:
    """:func:`cell_tones` of the whole answer, shape (1, N); (0, N) where it was not scored."""
    if quantity is not Quantity.SUPPORT or not audit.evidence.answer_scores:
        return _signed(answer_values(audit, quantity), quantity)
    support, threshold = answer_values(audit, Quantity.SUPPORT), audit.parameters.threshold
    against = _values(answer_cells(audit), Quantity.CONTRADICTION)
    opposing = (support < threshold) & (against >= CONTRADICTION_THRESHOLD)
    return _tones(support >= threshold, opposing, support, against, threshold)


# A cell that supports or contradicts has at least this tone, any other at most the second.
_LEAST_TONE = 0.4
_MOST_OF_NOTHING = 0.2


def _tones(
    supports: Bools, contradicts: Bools, support: Floats, against: Floats, threshold: float
) -> Floats:
    """The tone of each cell by its stance. Calibrated support of an unrelated passage is not 0, but
    well under the threshold: such cells have no tone."""
    nothing = 0.7 * threshold
    nearly = np.clip((support - nothing) / max(threshold - nothing, 1e-9), 0, 1)
    values = np.where(supports, _reached(support, threshold), _MOST_OF_NOTHING * nearly)
    return np.where(contradicts, -_reached(against, CONTRADICTION_THRESHOLD), values)


def _reached(values: Floats, edge: float) -> Floats:
    """From the least tone at the edge to 1."""
    beyond = np.clip((values - edge) / max(1 - edge, 1e-9), 0, 1)
    return np.asarray(_LEAST_TONE + (1 - _LEAST_TONE) * beyond, dtype=np.float64)


def _signed(values: Floats, quantity: Quantity) -> Floats:
    return -values if quantity is Quantity.CONTRADICTION else values.copy()


def cell_value_text(value: float) -> str:
    """Write the value of a cell with two places."""
    return f"{value:.2f}"


def cell_numbers(cell: Floats, model: ModelInfo) -> tuple[str, ...]:
    """Write the probabilities of a cell, shape (3,), as [E, C, N]; of a model that measures no
    contradiction only the first."""
    if not model.tells_contradiction:
        return (f"{CELL_VERDICTS[0].letter} {cell[0]:.2f}",)
    return tuple(f"{CELL_VERDICTS[i].letter} {cell[i]:.2f}" for i in WRITTEN_ORDER)


def pair_numbers(audit: Audit, sentence: int, chunk: int) -> tuple[str, ...]:
    """Write what a chunk says of a sentence, and the numbers that counted. Without contradiction
    where the chunk supports the sentence, and of a model that measures none."""
    cells = audit.cells
    stance = cells.stances[sentence][chunk]
    if stance is Stance.NOT_READ:
        later = audit.evidence.later(sentence, chunk)
        if later is None:
            return (UNREAD,)
        numbers = np.array([later.entailment, later.neutral, later.contradiction])
        return (READ_LATER, *cell_numbers(numbers, audit.evidence.nli_model))
    cell, model = counted_reading(audit.evidence, sentence, chunk)
    named = {cells.measure: float(cells.support.values[sentence, chunk])}
    if model.tells_contradiction and stance is not Stance.SUPPORTS:
        named["contradiction"] = float(cells.contradiction.values[sentence, chunk])
    named.setdefault("entailment", cell.entailment)
    return (_SAID[stance], *(f"{name} {value:.3f}" for name, value in named.items()))


def why_neither(audit: Audit, sentence: int, chunk: int) -> str:
    """Say why a chunk that more likely than not contradicts a sentence counts as neither: the limit
    of P(contradiction) that it does not reach, or words; "" of any other cell."""
    against = float(audit.cells.contradiction.values[sentence, chunk])
    neither = audit.cells.stances[sentence][chunk] is Stance.NEITHER
    aside = audit.sentences[sentence].label is SentenceLabel.SET_ASIDE
    if not neither or aside or against < CONTRADICTION_THRESHOLD:
        return ""
    detector = DETECTORS[audit.parameters.detector]
    measure = detector.cell_measure(audit.evidence, audit.parameters)
    least = least_contradiction(audit.evidence, measure)
    counts = f"a contradiction counts from {least:.2f}, or where words show it"
    return counts if against < least else ""
