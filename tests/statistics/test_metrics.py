"""Every metric against scikit-learn, or by hand where it has none."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as reference

from provenance_core.statistics.metrics import (
    at_threshold,
    average_precision,
    calibration,
    roc_auc,
    roc_points,
    span_counts,
    span_figures,
    suppression,
)
from provenance_core.statistics.types import SpanCounts, SpanFigures
from tests.conftest import scored_row


def drawn(seed: int, rows: int = 200) -> tuple[list[int], list[float]]:
    """Labels, and scores in [0, 1] that know something of them and often tie."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, 2, rows)
    scores = np.clip(0.5 + 0.2 * labels + 0.3 * generator.normal(size=rows), 0, 1).round(2)
    return labels.tolist(), scores.tolist()


# Ranking


def test_auc_by_hand():
    # Pairs (supported, hallucinated): 0.9 beats both, 0.4 beats 0.1 and ties 0.4: 3.5 of 4.
    assert roc_auc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]) == pytest.approx(3.5 / 4)


@pytest.mark.parametrize("seed", [3, 4])
def test_ranking_agrees_with_scikit_learn(seed):
    labels, scores = drawn(seed)
    assert roc_auc(labels, scores) == pytest.approx(reference.roc_auc_score(labels, scores))
    assert average_precision(labels, scores) == pytest.approx(
        reference.average_precision_score(labels, scores)
    )


@pytest.mark.parametrize("labels", [[], [1, 1], [0, 0, 0]])
def test_one_class_has_no_figure(labels):
    scores = [0.5] * len(labels)
    assert roc_auc(labels, scores) is None
    assert average_precision(labels, scores) is None
    assert at_threshold(labels, scores, 0.5) is None
    assert roc_points(labels, scores) is None


@pytest.mark.parametrize(("rows", "tolerance"), [(100, 1e-4), (5000, 2e-3)])
def test_roc_curve_has_the_area_and_few_points(rows, tolerance):
    labels, _ = drawn(5, rows)
    scores = (np.array(labels) + np.random.default_rng(6).normal(size=rows)).tolist()
    curve = roc_points(labels, scores)
    x, y = curve.false_positive_rate, curve.true_positive_rate
    assert (x[0], y[0], x[-1], y[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert list(x) == sorted(x) and list(y) == sorted(y)
    assert len(x) <= 402
    assert np.trapezoid(y, x) == pytest.approx(roc_auc(labels, scores), abs=tolerance)


# At a threshold


def test_figures_at_a_threshold_by_hand():
    # Called hallucinated: 0.4 (wrongly), 0.2 and 0.1. 0.5 itself is called supported.
    found = at_threshold([1, 1, 0, 0, 0], [0.5, 0.4, 0.6, 0.2, 0.1], 0.5)
    assert found.threshold == 0.5
    assert found.accuracy == pytest.approx(3 / 5)
    assert found.balanced_accuracy == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.f1 == pytest.approx(2 / 3)


@pytest.mark.parametrize("threshold", [0.3, 0.55, 0.8])
def test_figures_at_a_threshold_agree_with_scikit_learn(threshold):
    labels, scores = drawn(7)
    found = at_threshold(labels, scores, threshold)
    said = [int(score >= threshold) for score in scores]
    assert found.accuracy == pytest.approx(reference.accuracy_score(labels, said))
    assert found.balanced_accuracy == pytest.approx(reference.balanced_accuracy_score(labels, said))
    # Hallucinated as the positive class.
    truth, called = [1 - label for label in labels], [1 - value for value in said]
    assert found.precision == pytest.approx(reference.precision_score(truth, called))
    assert found.recall == pytest.approx(reference.recall_score(truth, called))
    assert found.f1 == pytest.approx(reference.f1_score(truth, called))
    assert found.f1 != pytest.approx(reference.f1_score(labels, said))


def test_nothing_called_hallucinated_is_no_error():
    found = at_threshold([1, 0], [0.9, 0.8], 0.5)
    assert (found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0)
    assert found.balanced_accuracy == 0.5


# Calibration


def test_brier_score_agrees_with_scikit_learn():
    labels, scores = drawn(8)
    assert calibration(labels, scores).brier == pytest.approx(
        reference.brier_score_loss(labels, scores)
    )


def test_expected_calibration_error_by_hand():
    # Bins 0.9-1.0: |0.95 - 1/2| x 2/4, 0.8-0.9: |0.85 - 1| / 4, 0.1-0.2: |0.15 - 0| / 4.
    found = calibration([1, 0, 1, 0], [0.95, 0.95, 0.85, 0.15])
    assert found.ece == pytest.approx(0.225 + 0.0375 + 0.0375)
    # 1.0 lies in the last bin, with 0.9.
    assert calibration([0, 1], [1.0, 0.9]).ece == pytest.approx(0.95 - 0.5)


def test_calibration_needs_a_row_but_not_both_classes():
    assert calibration([], []) is None
    assert calibration([1, 1], [1.0, 1.0]).ece == 0.0


# Spans


@pytest.mark.parametrize(
    ("gold", "found", "expected"),
    [
        ([(2, 5)], [(0, 4)], SpanCounts(gold=3, found=4, both=2)),
        ([(2, 5), (4, 7)], [], SpanCounts(gold=5, found=0, both=0)),  # an overlap counts once
        ([], [(8, 99)], SpanCounts(gold=0, found=2, both=0)),  # beyond the answer
        ([(0, 1)], [(-5, 1)], SpanCounts(gold=1, found=1, both=1)),
    ],
)
def test_span_counts_by_hand(gold, found, expected):
    assert span_counts(10, gold, found) == expected


def test_span_figures_are_over_all_answers_together():
    found = span_figures([SpanCounts(3, 4, 2), SpanCounts(0, 4, 0), SpanCounts(1, 0, 0)])
    precision, recall = 2 / 8, 2 / 4
    assert found == SpanFigures(3, precision, recall, pytest.approx(1 / 3))


def test_span_figures_without_a_mark_or_without_a_hit():
    assert span_figures([]) is None
    assert span_figures([SpanCounts(0, 4, 0)]) is None
    assert span_figures([SpanCounts(4, 0, 0)]) == SpanFigures(1, 0.0, 0.0, 0.0)


# Suppression


def test_suppression_by_hand():
    rows = [
        scored_row(1, 0.9, source="a"),  # the best of a is supported
        scored_row(0, 0.1, source="a"),
        scored_row(1, 0.1, source="b"),  # the best of b is hallucinated
        scored_row(0, 0.2, source="b"),
        scored_row(0, 0.0, source="b"),
        scored_row(1, 0.5, source="c"),  # two tie as the best of c
        scored_row(0, 0.5, source="c"),
        scored_row(0, 0.9, source="alone"),
    ]
    found = suppression(rows, 0)
    before, after = (1 / 2 + 2 / 3 + 1 / 2) / 3, (0 + 1 + 1 / 2) / 3
    assert found.sources == 3
    assert (found.before, found.after) == pytest.approx((before, after))
    assert found.suppressed == pytest.approx(1 - after / before)


def test_suppression_ranks_by_the_column_asked_for():
    rows = [scored_row(1, 0.1, 0.9, source="a"), scored_row(0, 0.9, 0.1, source="a")]
    assert [suppression(rows, column).after for column in (0, 1)] == [1.0, 0.0]


def test_suppression_where_there_is_nothing_to_choose_or_to_suppress():
    assert suppression([scored_row(1, 0.1, source="a"), scored_row(0, 0.2, source="b")], 0) is None
    found = suppression([scored_row(1, 0.1, source="a"), scored_row(1, 0.2, source="a")], 0)
    assert (found.before, found.after, found.suppressed) == (0.0, 0.0, None)
