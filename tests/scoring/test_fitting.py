"""The fit of a support map: on data whose answer is known."""

from __future__ import annotations

import numpy as np

from provenance_core.scoring.fitting import (
    Coefficients,
    FitRow,
    Hold,
    answer_log_odds,
    as_map,
    coefficients,
    fit,
    log_loss,
    packed,
)
from provenance_core.types import AnswerKind, SupportMap, SupportTerm, SupportWeight

TERMS = (SupportTerm.ENTAILMENT, SupportTerm.CONTRADICTION)
TRUTH = Coefficients(0.5, np.array([1.5, 0.8]))


def made_rows(count: int, seed: int = 0) -> list[FitRow]:
    """Answers of one sentence and one chunk, labelled by chance as the true map says."""
    generator = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        values = generator.normal(size=2) * 2
        odds = TRUTH.intercept + values @ TRUTH.weights
        label = int(generator.random() < 1 / (1 + np.exp(-odds)))
        terms = {name: np.array([[value]]) for name, value in zip(TERMS, values, strict=True)}
        rows.append(FitRow(f"g{number}", label, AnswerKind.CLAIM, terms, np.array([[True]])))
    return rows


FAR = Coefficients(0.0, np.array([0.3, 0.3]))


def test_many_rows_give_the_map_that_labelled_them():
    found = fit(made_rows(4000), TERMS, hold=Hold(FAR, 0.001))
    assert abs(found.intercept - TRUTH.intercept) < 0.15
    assert np.abs(found.weights - TRUTH.weights).max() < 0.15


def test_few_rows_move_a_strongly_held_map_little():
    rows = made_rows(30)
    held = fit(rows, TERMS, hold=Hold(FAR, 1000.0, 1000.0))
    free = fit(rows, TERMS, hold=Hold(FAR, 0.01, 0.01))
    assert np.abs(held.weights - FAR.weights).max() < 0.05
    assert np.abs(free.weights - FAR.weights).max() > 0.5


def test_a_row_that_counts_twice_is_as_two_rows():
    rows = made_rows(60)
    twice = fit([*rows, *rows[:20]], TERMS, hold=Hold(FAR, 1.0))
    counts = np.array([2.0] * 20 + [1.0] * 40)
    counted = fit(rows, TERMS, hold=Hold(FAR, 1.0), counts=counts)
    assert abs(counted.intercept - twice.intercept) < 1e-3
    assert np.abs(counted.weights - twice.weights).max() < 1e-3
    assert np.abs(fit(rows, TERMS, hold=Hold(FAR, 1.0)).weights - twice.weights).max() > 1e-2


def test_counts_belong_to_the_rows_that_tell_something():
    rows = made_rows(60)
    empty = FitRow("none", 1, AnswerKind.CLAIM, rows[0].terms, np.array([[False]]))
    counts = np.array([9.0, *[1.0] * 60])
    with_empty = fit([empty, *rows], TERMS, hold=Hold(FAR, 1.0), counts=counts)
    assert np.allclose(with_empty.weights, fit(rows, TERMS, hold=Hold(FAR, 1.0)).weights)


def test_without_a_row_the_centre_stays():
    assert fit([], TERMS, hold=Hold(FAR, 1.0)) is FAR


def test_no_weight_is_below_zero_though_the_labels_ask_for_it():
    rows = [
        FitRow(row.group, 1 - row.label, row.kind, row.terms, row.read) for row in made_rows(200)
    ]
    assert fit(rows, TERMS, hold=Hold(FAR, 0.001)).weights.min() >= 0.0


def test_an_answer_is_as_supported_as_its_worst_sentence_by_its_best_chunk():
    terms = {TERMS[0]: np.array([[9.0, -9.0], [-9.0, 2.0]]), TERMS[1]: np.zeros((2, 2))}
    row = FitRow("g", 1, AnswerKind.CLAIM, terms, np.ones((2, 2), dtype=bool))
    at = Coefficients(0.0, np.array([1.0, 1.0]))
    given = packed([row], TERMS)
    assert abs(answer_log_odds(given, at)[0] - 2.0) < 0.01
    # The cell that decides is left out: the sentence's other one does.
    read = np.array([[True, True], [True, False]])
    less = packed([FitRow("g", 1, AnswerKind.CLAIM, terms, read)], TERMS)
    assert answer_log_odds(less, at)[0] < -8.9
    assert log_loss(less, at)[0] > log_loss(given, at)[0]


def test_the_slope_is_that_of_the_loss():
    """Found by the fit alone: no step in any direction is better."""
    rows = made_rows(100)
    found = fit(rows, TERMS, hold=Hold(FAR, 2.0, 2.0))
    given = packed(rows, TERMS)

    def cost(theta: np.ndarray) -> float:
        at = Coefficients(theta[0], theta[1:])
        away = theta - np.r_[FAR.intercept, FAR.weights]
        return float(log_loss(given, at).sum() + 2.0 * away @ away)

    best = np.r_[found.intercept, found.weights]
    for step in np.eye(3) * 0.01:
        assert cost(best) < cost(best + step) and cost(best) < cost(best - step)


def test_a_map_comes_back_from_its_coefficients():
    support = SupportMap(0.25, (SupportWeight(TERMS[1], 0.75),))
    assert as_map(coefficients(support, TERMS), TERMS) == support
