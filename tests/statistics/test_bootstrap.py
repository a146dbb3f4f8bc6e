"""The bootstrap over groups: its draws, its areas and its intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from provenance_core.statistics.bootstrap import bootstrap_auc, interval_of, resampled_areas
from provenance_core.statistics.types import Interval


def noisy(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, and scores that know something of them and sometimes tie."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, 2, rows)
    return labels, (labels + generator.normal(size=rows)).round(1)


def test_each_area_is_scikit_learns_on_the_drawn_rows():
    labels, scores = noisy(60, 5)
    groups = np.random.default_rng(6).integers(0, 20, 60).astype(str)
    found = resampled_areas(
        labels.tolist(), scores.tolist(), groups.tolist(), resamples=50, seed=11
    )
    names = np.unique(groups)
    # The same draws: of the groups in the order of their names, one block of 50 resamples.
    draws = np.random.default_rng(11).integers(0, len(names), size=(50, len(names)))
    for area, draw in zip(found, draws, strict=True):
        rows = np.concatenate([np.flatnonzero(groups == names[number]) for number in draw])
        assert area == pytest.approx(roc_auc_score(labels[rows], scores[rows]))


def test_a_group_comes_with_all_of_its_rows():
    # Draws aa and bb rank perfectly, ab has one pair of four wrong; rows drawn one by one would
    # give other areas, and draws of one class.
    areas = resampled_areas([1, 0, 1, 0], [0.9, 0.8, 0.5, 0.4], list("aabb"), resamples=200)
    assert set(areas.tolist()) == {1.0, 0.75}


def test_number_of_resamples_does_not_change_the_first_ones():
    labels, scores = noisy(30, 1)
    groups = [str(n) for n in range(30)]
    many = resampled_areas(labels, scores, groups, resamples=120)
    assert len(many) == 120
    assert many[:50] == pytest.approx(resampled_areas(labels, scores, groups, resamples=50))


def test_columns_of_the_same_rows_are_drawn_alike():
    labels, scores = noisy(80, 2)
    groups = [str(n // 2) for n in range(80)]
    areas = resampled_areas(labels, scores, groups, resamples=100, seed=3)
    # The same ranking in other numbers: nothing differs in any draw.
    assert (resampled_areas(labels, np.exp(scores), groups, resamples=100, seed=3) == areas).all()
    # The other way round: every pair is turned over.
    assert resampled_areas(labels, -scores, groups, resamples=100, seed=3) == pytest.approx(
        1 - areas
    )
    assert (resampled_areas(labels, scores, groups, resamples=100, seed=4) != areas).any()


def test_copies_of_a_row_narrow_the_interval_only_when_they_count_as_independent():
    labels, scores = (values.tolist() for values in noisy(60, 7))
    groups = [str(n) for n in range(60)]
    once = bootstrap_auc(labels, scores, groups)
    grouped = bootstrap_auc(labels * 5, scores * 5, groups * 5)
    alone = bootstrap_auc(labels * 5, scores * 5)
    assert grouped == once
    assert alone.high - alone.low < 0.6 * (grouped.high - grouped.low)


def test_interval_has_the_width_that_theory_gives():
    # Hanley and McNeil (1982): standard error of an AUC of about 0.76 with 500 and 500 rows.
    generator = np.random.default_rng(0)
    labels = np.repeat([0, 1], 500)
    scores = labels + generator.normal(size=1000)
    auc = float(roc_auc_score(labels, scores))
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    error = math.sqrt((auc * (1 - auc) + 499 * (q1 - auc**2) + 499 * (q2 - auc**2)) / 250_000)
    found = bootstrap_auc(labels.tolist(), scores.tolist())
    assert found.low == pytest.approx(auc - 1.96 * error, abs=0.005)
    assert found.high == pytest.approx(auc + 1.96 * error, abs=0.005)


def test_interval_is_seeded():
    labels, scores = [0, 1] * 20, [float(i % 7) for i in range(40)]
    assert bootstrap_auc(labels, scores, seed=1) == bootstrap_auc(labels, scores, seed=1)
    assert bootstrap_auc(labels, scores, seed=1) != bootstrap_auc(labels, scores, seed=2)


@pytest.mark.parametrize("labels", [[], [1, 1], [0, 0, 0]])
def test_one_class_has_no_interval(labels):
    assert bootstrap_auc(labels, [0.5] * len(labels)) is None


def test_draws_of_one_class_are_left_out():
    # Half of the draws of two one-row groups hold one of them twice.
    areas = resampled_areas([1, 0], [0.9, 0.1], ["a", "b"], resamples=100)
    assert 20 < np.isnan(areas).sum() < 80
    assert interval_of(areas) == Interval(1.0, 1.0)
    assert interval_of(np.full(3, np.nan)) is None


def test_interval_by_hand():
    found = interval_of(np.arange(101.0))
    assert (found.low, found.high) == pytest.approx((2.5, 97.5))


def test_one_source_has_no_interval():
    assert bootstrap_auc([0, 1, 0, 1], [0.1, 0.9, 0.5, 0.4], ["a"] * 4) is None
