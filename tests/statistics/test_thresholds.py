"""Choosing a threshold: figures by hand, against scikit-learn, and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, confusion_matrix, f1_score, roc_auc_score

from provenance_core.statistics.metrics import at_threshold, calibration
from provenance_core.statistics.thresholds.best import best_thresholds, parts_of
from provenance_core.statistics.thresholds.curves import curves_of
from provenance_core.statistics.thresholds.figures import cost_at, figures_at, flips
from provenance_core.statistics.thresholds.outcomes import drawn_outcomes, outcomes_at
from provenance_core.statistics.thresholds.types import (
    Confusion,
    Figure,
    Goal,
    LabelledScores,
    Objective,
)


def sample(scores, labels, groups=None) -> LabelledScores:
    groups = groups or [str(i) for i in range(len(scores))]
    return LabelledScores(tuple(scores), tuple(labels), tuple(groups))


# Three hallucinated, four supported; 0.5 twice.
HAND = sample([0.1, 0.2, 0.3, 0.5, 0.5, 0.8, 0.9], [0, 0, 1, 0, 1, 1, 1])


def noisy(rows: int, seed: int, group_size: int = 2) -> LabelledScores:
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, 2, rows)
    scores = np.clip(0.5 + 0.2 * (2 * labels - 1) + 0.25 * generator.normal(size=rows), 0, 1)
    return sample(
        scores.round(2).tolist(),
        labels.tolist(),
        [str(i // group_size) for i in range(rows)],
    )


def of(figures, figure: Figure) -> float | None:
    return figures.of(figure).value


def test_figures_by_hand():
    (found,) = figures_at(HAND, [0.4])
    # Called hallucinated: 0.1, 0.2 (rightly), 0.3 (a false alarm); 0.5 is missed.
    assert found.confusion == Confusion(caught=2, missed=1, false_alarms=1, passed=3)
    assert of(found, Figure.PRECISION) == pytest.approx(2 / 3)
    assert of(found, Figure.RECALL) == pytest.approx(2 / 3)
    assert of(found, Figure.F1) == pytest.approx(2 / 3)
    assert of(found, Figure.FALSE_ALARM_RATE) == pytest.approx(1 / 4)
    assert of(found, Figure.BALANCED_ACCURACY) == pytest.approx((2 / 3 + 3 / 4) / 2)
    assert of(found, Figure.ACCURACY) == pytest.approx(5 / 7)


@pytest.mark.parametrize(
    ("threshold", "caught", "false_alarms"),
    [(0.0, 0, 0), (0.1, 0, 0), (0.10001, 1, 0), (0.5, 2, 1), (0.51, 3, 2), (1.0, 3, 4)],
)
def test_a_score_at_the_threshold_is_supported(threshold, caught, false_alarms):
    (found,) = figures_at(HAND, [threshold])
    assert found.confusion == Confusion(caught, 3 - caught, false_alarms, 4 - false_alarms)


def test_figures_are_those_of_scikit_learn_and_of_the_present_metrics():
    rows = noisy(80, 1)
    thresholds = [0.9, 0.31, 0.5]
    for threshold, found in zip(thresholds, figures_at(rows, thresholds), strict=True):
        assert found.threshold == threshold
        said = [int(score >= threshold) for score in rows.scores]
        c = found.confusion
        assert [[c.caught, c.missed], [c.false_alarms, c.passed]] == confusion_matrix(
            rows.labels, said
        ).tolist()
        known = at_threshold(rows.labels, rows.scores, threshold)
        for figure in (
            Figure.F1,
            Figure.PRECISION,
            Figure.RECALL,
            Figure.BALANCED_ACCURACY,
            Figure.ACCURACY,
        ):
            assert of(found, figure) == pytest.approx(getattr(known, figure.value)), figure


def test_precision_of_nothing_called_hallucinated_is_none_with_the_reason():
    (found,) = figures_at(HAND, [0.0])
    assert of(found, Figure.PRECISION) is None
    assert "No answer is called hallucinated" in found.of(Figure.PRECISION).reason
    assert of(found, Figure.RECALL) == 0.0
    assert of(found, Figure.F1) == 0.0


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([1, 1, 1], "All 3 answers are labelled supported"),
        ([0, 0], "All 2 answers are labelled hallucinated"),
        ([0], "The one answer is labelled hallucinated"),
        ([], "no labelled answer"),
    ],
)
def test_one_label_gives_reasons_and_no_figures(labels, reason):
    rows = sample([0.5] * len(labels), labels)
    (found,) = figures_at(rows, [0.4])
    for each in found.figures:
        assert each.estimate.value is None
        assert reason in each.estimate.reason
    (best,) = best_thresholds(rows, [Goal(Objective.F1)])
    assert best.threshold.value is None and best.figures is None
    assert reason in best.threshold.reason
    curves = curves_of(rows)
    assert curves.roc is None and curves.precision_recall is None
    assert reason in curves.auc.reason
    assert (curves.ece.value is None) == (not labels)


def test_draws_are_of_whole_groups():
    # Both rows of a group come together: the counts are even in every draw.
    rows = sample([0.2, 0.2, 0.8, 0.8], [0, 0, 1, 1], list("aabb"))
    for outcomes in drawn_outcomes(rows, np.array([0.5]), resamples=60):
        assert (outcomes.caught % 2 == 0).all()
        assert (outcomes.caught + outcomes.passed == 4).all()
        assert len(set(outcomes.caught.ravel().tolist())) > 1


def test_draws_are_the_same_whatever_the_thresholds():
    rows = noisy(40, 3)
    few = [o.caught[:, 0] for o in drawn_outcomes(rows, np.array([0.5]), resamples=70)]
    grid = np.array([0.2, 0.5, 0.7])
    many = [o.caught[:, 1] for o in drawn_outcomes(rows, grid, resamples=70)]
    assert (np.concatenate(few) == np.concatenate(many)).all()


def test_each_draw_is_the_count_of_its_rows():
    rows = noisy(30, 4, group_size=3)
    grid = np.array([0.3, 0.5, 0.6])
    names = np.unique(rows.groups)
    (found,) = drawn_outcomes(rows, grid, resamples=20, seed=7)
    draws = np.random.default_rng(7).integers(0, len(names), size=(20, len(names)))
    for at, draw in enumerate(draws):
        members = [i for name in names[draw] for i, g in enumerate(rows.groups) if g == name]
        drawn = sample([rows.scores[i] for i in members], [rows.labels[i] for i in members])
        expected = outcomes_at(drawn, grid)
        for name in ("caught", "missed", "false_alarms", "passed"):
            assert getattr(found, name)[at].tolist() == getattr(expected, name).tolist()


def test_interval_of_a_share_has_the_width_that_theory_gives():
    # Recall of 500 hallucinated answers, 80 % caught: standard error sqrt(0.8 * 0.2 / 500).
    rows = sample([0.1] * 400 + [0.9] * 100 + [0.9] * 500, [0] * 500 + [1] * 500)
    (found,) = figures_at(rows, [0.5])
    recall = found.of(Figure.RECALL)
    assert recall.value == 0.8
    assert recall.interval.low == pytest.approx(0.8 - 1.96 * 0.01789, abs=0.006)
    assert recall.interval.high == pytest.approx(0.8 + 1.96 * 0.01789, abs=0.006)


def test_one_source_has_figures_and_no_interval():
    rows = sample([0.1, 0.9], [0, 1], ["a", "a"])
    (found,) = figures_at(rows, [0.5])
    assert of(found, Figure.F1) == 1.0
    assert found.of(Figure.F1).interval is None
    assert "one source document" in found.of(Figure.F1).reason
    curves = curves_of(rows)
    assert curves.auc.value == 1.0 and curves.auc.interval is None and curves.roc.band is None


def test_best_thresholds_by_hand():
    rows = sample([0.1, 0.2, 0.3, 0.4, 0.6, 0.8], [0, 0, 1, 0, 1, 1])
    f1, balanced, precise, cheap, dear = best_thresholds(
        rows,
        [
            Goal(Objective.F1),
            Goal(Objective.BALANCED_ACCURACY),
            Goal(Objective.PRECISION, recall=0.6),
            Goal(Objective.COST, cost_ratio=10),
            Goal(Objective.COST, cost_ratio=0.1),
        ],
    )
    # Up to 0.4: three caught, one false alarm, F1 6/7; thresholds 0.401 to 0.6, middle 0.5.
    assert f1.threshold.value == 0.5
    assert f1.reached.value == pytest.approx(6 / 7)
    assert f1.figures.confusion == Confusion(3, 0, 1, 2)
    # Two thirds caught without an alarm, and all with one, are both 5/6: the lower row.
    assert balanced.threshold.value == 0.25
    assert balanced.reached.value == pytest.approx(5 / 6)
    assert (precise.threshold.value, precise.reached.value) == (0.25, 1.0)
    assert cheap.threshold.value == 0.5
    assert cheap.reached.value == pytest.approx(1 / 6)
    assert dear.threshold.value == 0.25
    assert dear.reached.value == pytest.approx(0.1 / 6)


def test_best_f1_is_not_beaten_by_any_threshold():
    rows = noisy(120, 9)
    (best,) = best_thresholds(rows, [Goal(Objective.F1)])
    # Between two scores next to each other, every threshold tells the same.
    said = [
        f1_score(rows.labels, [int(s >= threshold) for s in rows.scores], pos_label=0)
        for threshold in {*rows.scores, 1.1}
    ]
    assert best.reached.value == pytest.approx(max(said))
    interval = best.threshold.interval
    assert interval.low <= best.threshold.value <= interval.high
    assert interval.low < interval.high


def test_thresholds_that_nothing_tells_apart_are_all_in_the_interval():
    (best,) = best_thresholds(
        sample([0.2] * 20 + [0.7] * 20, [0] * 20 + [1] * 20), [Goal(Objective.F1)]
    )
    interval = best.threshold.interval
    assert (interval.low, best.threshold.value, interval.high) == (0.201, 0.45, 0.7)


def test_interval_of_the_choice_narrows_with_more_answers():
    def width(rows: int) -> float:
        goal = Goal(Objective.BALANCED_ACCURACY)
        found = [best_thresholds(noisy(rows, seed), [goal])[0].threshold for seed in range(4)]
        return np.mean([each.interval.high - each.interval.low for each in found])

    assert width(1500) < 0.7 * width(60)


def test_a_recall_that_no_threshold_reaches_is_said():
    rows = sample([1.0, 1.0, 0.2], [0, 1, 1])
    (best,) = best_thresholds(rows, [Goal(Objective.PRECISION, recall=0.9)])
    assert best.threshold.value is None and best.figures is None
    assert "recall of 0.9" in best.threshold.reason


@pytest.mark.parametrize(
    "wrong",
    [{"recall": 0.0}, {"recall": 1.1}, {"cost_ratio": 0.0}, {"cost_ratio": float("nan")}],
)
def test_a_goal_out_of_range_is_refused(wrong):
    with pytest.raises(ValueError, match="must be"):
        Goal(Objective.F1, **wrong)


@pytest.mark.parametrize(
    ("scores", "labels", "groups"),
    [
        ((0.5,), (), ("a",)),
        ((0.5,), (2,), ("a",)),
        ((1.5,), (1,), ("a",)),
        ((float("nan"),), (1,), ("a",)),
    ],
)
def test_bad_samples_are_refused(scores, labels, groups):
    with pytest.raises(ValueError):
        LabelledScores(scores, labels, groups)


def test_cost_by_hand():
    found = cost_at(HAND, 0.4, 5.0)
    assert found.value == pytest.approx((5 * 1 + 1) / 7)
    assert found.interval.low < found.value < found.interval.high


def test_parts_show_where_one_threshold_does_not_fit():
    low = [0.1, 0.15, 0.2, 0.3, 0.35, 0.4] * 5
    high = [0.6, 0.65, 0.7, 0.8, 0.85, 0.9] * 5
    rows = sample(low + high + [0.5], [0, 0, 0, 1, 1, 1] * 10 + [1])
    names = ["low"] * 30 + ["high"] * 30 + ["single"]
    high_part, low_part, single = parts_of(rows, names, 0.25, Goal(Objective.F1))
    assert [p.name for p in (high_part, low_part, single)] == ["high", "low", "single"]
    assert (low_part.n, low_part.hallucinated) == (30, 15)
    assert low_part.best.threshold.value == 0.25 and low_part.fits
    assert low_part.common.of(Figure.F1).value == 1.0
    assert high_part.best.threshold.value == 0.75 and high_part.fits is False
    assert high_part.common.of(Figure.F1).value == 0.0
    assert high_part.best.reached.value == 1.0
    assert single.fits is None and "labelled supported" in single.best.threshold.reason
    assert len(parts_of(rows, names, 0.25, Goal(Objective.F1), most=2)) == 2


def test_flips_between_two_thresholds():
    found = flips(HAND, 0.3, 0.5)
    # 0.3 was supported and is not any more; 0.5 reaches both.
    assert [(f.index, f.supported_before, f.fixed) for f in found] == [(2, True, False)]
    back = flips(HAND, 0.51, 0.2)
    assert [(f.index, f.supported_before, f.fixed) for f in back] == [
        (1, False, False),
        (2, False, True),
        (3, False, False),
        (4, False, True),
    ]
    assert flips(HAND, 0.4, 0.4) == ()


def test_curves_go_through_the_operating_points():
    curves = curves_of(HAND)
    assert (curves.roc.false_alarm_rate[0], curves.roc.recall[0]) == (0.0, 0.0)
    assert (curves.roc.false_alarm_rate[-1], curves.roc.recall[-1]) == (1.0, 1.0)
    points = set(zip(curves.roc.false_alarm_rate, curves.roc.recall, strict=True))
    assert (0.0, 2 / 3) in points and (0.5, 1.0) in points
    (there,) = figures_at(HAND, [0.51])
    measured = list(
        zip(curves.precision_recall.recall, curves.precision_recall.precision, strict=True)
    )
    assert (of(there, Figure.RECALL), of(there, Figure.PRECISION)) in measured
    assert all(recall > 0 for recall, _ in measured)
    assert sum(curves.histogram.hallucinated) == 3
    assert sum(curves.histogram.supported) == 4


def test_areas_are_those_of_scikit_learn_and_lie_in_their_intervals():
    rows = noisy(150, 5)
    curves = curves_of(rows)
    assert curves.auc.value == pytest.approx(roc_auc_score(rows.labels, rows.scores))
    expected = average_precision_score(1 - np.array(rows.labels), -np.array(rows.scores))
    assert curves.average_precision.value == pytest.approx(expected)
    for found in (curves.auc, curves.average_precision):
        assert found.interval.low < found.value < found.interval.high


def test_bands_hold_the_curves_that_they_are_of():
    rows = noisy(200, 6)
    curves = curves_of(rows)
    band = curves.roc.band
    height = np.interp(band.at, curves.roc.false_alarm_rate, curves.roc.recall)
    inside = (np.array(band.low) <= height) & (height <= np.array(band.high))
    assert inside.mean() > 0.95
    assert np.mean(np.array(band.high) - np.array(band.low)) < 0.4
    assert all(low <= high for low, high in zip(band.low, band.high, strict=True))
    below = curves.precision_recall.band
    assert below.at[-1] == 1.0
    # At recall 1 the precision is that of the highest-scored hallucinated answer's threshold.
    top = max(s for s, label in zip(rows.scores, rows.labels, strict=True) if not label)
    (there,) = figures_at(rows, [float(np.nextafter(top, 2))])
    assert below.low[-1] <= of(there, Figure.PRECISION) <= below.high[-1]


def test_calibration_bins_by_hand():
    rows = sample([0.3, 0.35, 0.7, 1.0], [0, 1, 1, 1])
    bins = curves_of(rows).calibration
    assert [(b.low, b.high, b.n) for b in bins] == [(0.3, 0.4, 2), (0.7, 0.8, 1), (0.9, 1.0, 1)]
    assert bins[0].mean_score == pytest.approx(0.325)
    assert bins[0].share_supported == 0.5
    assert (bins[0].interval.low, bins[0].interval.high) == (0.0, 1.0)
    assert bins[1].interval.low == bins[1].interval.high == 1.0


def test_ece_is_that_of_the_bins():
    rows = noisy(100, 8)
    curves = curves_of(rows)
    by_bins = sum(b.n * abs(b.mean_score - b.share_supported) for b in curves.calibration) / 100
    assert curves.ece.value == pytest.approx(by_bins)
    known = calibration(rows.labels, rows.scores)
    assert (curves.ece.value, curves.brier.value) == (known.ece, known.brier)


def test_the_same_answers_give_the_same_figures():
    rows = noisy(60, 11)
    assert curves_of(rows) == curves_of(rows)
    assert figures_at(rows, [0.5]) == figures_at(rows, [0.5])
