"""Curves that show every threshold at once: ROC, precision and recall, calibration, scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provenance_core.statistics.bootstrap import interval_of
from provenance_core.statistics.metrics import (
    average_precision,
    bin_edges,
    calibration,
    calibration_bins,
    roc_auc,
)
from provenance_core.statistics.thresholds.figures import no_interval
from provenance_core.statistics.thresholds.outcomes import drawn_outcomes, share
from provenance_core.statistics.thresholds.types import (
    Band,
    CalibrationBin,
    Curves,
    Estimate,
    LabelledScores,
    PrecisionRecallCurve,
    RocCurve,
    ScoreHistogram,
)
from provenance_core.types import Floats

_HISTOGRAM_BINS = 40
_GRID: Floats = np.arange(101) / 100
_ROUNDING = 1e-12


def curves_of(sample: LabelledScores) -> Curves:
    """Draw curves and their figures with bands, from one bootstrap of whole groups. Points in [0,
    1]."""
    bins = _calibration_bins(sample)
    measured = calibration(sample.labels, sample.scores)
    point = "No interval: resampling adds to a calibration error."
    nothing = Estimate(None, None, sample.one_class)
    ece = Estimate(measured.ece, None, point) if measured else nothing
    brier = Estimate(measured.brier, None, point) if measured else nothing
    histogram = _histogram(sample)
    if sample.one_class:
        return Curves(None, None, bins, histogram, nothing, nothing, ece, brier)
    from sklearn.metrics import precision_recall_curve, roc_curve

    # Hallucinated is the class to find, and a low score speaks for it.
    wanted = 1 - np.asarray(sample.labels)
    low = -np.asarray(sample.scores)
    rate, recall, _ = roc_curve(wanted, low)
    precision, reached, _ = precision_recall_curve(wanted, low, drop_intermediate=True)
    bands = _bands(sample)
    why = "" if bands.roc else no_interval(sample)
    mean = average_precision(wanted.tolist(), low.tolist())
    return Curves(
        RocCurve(tuple(rate.tolist()), tuple(recall.tolist()), bands.roc),
        # The last point, of no answer called hallucinated, is a convention, not a measurement.
        PrecisionRecallCurve(
            tuple(reached[:-1].tolist()), tuple(precision[:-1].tolist()), bands.precision_recall
        ),
        bins,
        histogram,
        Estimate(roc_auc(sample.labels, sample.scores), interval_of(bands.areas), why),
        Estimate(mean, interval_of(bands.average_precisions), why),
        ece,
        brier,
    )


@dataclass(frozen=True, slots=True)
class _Bands:
    """``areas`` under the ROC curve and ``average_precisions``: of each draw that holds both
    labels."""

    roc: Band | None
    precision_recall: Band | None
    areas: Floats
    average_precisions: Floats


def _bands(sample: LabelledScores) -> _Bands:
    # Above the highest score all are called hallucinated.
    distinct = np.unique(np.asarray(sample.scores))
    thresholds = np.append(distinct, np.nextafter(distinct[-1], np.inf))
    heights, precisions, areas, averages = [], [], [], []
    for outcomes in drawn_outcomes(sample, thresholds):
        for caught, false_alarms in zip(outcomes.caught, outcomes.false_alarms, strict=True):
            hallucinated, supported = int(caught[-1]), int(false_alarms[-1])
            if not hallucinated or not supported:  # One label only.
                continue
            precision = share(caught, caught + false_alarms)
            steps = np.diff(caught) * np.nan_to_num(precision[1:])
            areas.append(np.trapezoid(caught, false_alarms) / (hallucinated * supported))
            averages.append(steps.sum() / hallucinated)
            heights.append(np.interp(_GRID, false_alarms / supported, caught / hallucinated))
            # The first threshold that reaches each recall: between two of them is no threshold.
            reached = np.searchsorted(caught / hallucinated, _GRID[1:] - _ROUNDING)
            precisions.append(precision[reached])
    roc, precision_recall = _band(_GRID, heights), _band(_GRID[1:], precisions)
    return _Bands(roc, precision_recall, np.array(areas), np.array(averages))


def _band(at: Floats, drawn: Sequence[Floats]) -> Band | None:
    """Intervals at each of ``at`` of curves that have a value at each; None without a curve."""
    if not drawn:
        return None
    found = [interval_of(values) for values in np.array(drawn).T]
    kept = [(x, each) for x, each in zip(at.tolist(), found, strict=True) if each is not None]
    return Band(
        tuple(x for x, _ in kept),
        tuple(each.low for _, each in kept),
        tuple(each.high for _, each in kept),
    )


def _calibration_bins(sample: LabelledScores) -> tuple[CalibrationBin, ...]:
    """The bins that hold an answer; those of the ECE."""
    scores = np.asarray(sample.scores, dtype=np.float64)
    labels = np.asarray(sample.labels, dtype=np.float64)
    edges = bin_edges()
    # Scores below an edge but not below the one before it are in the bin between.
    tops = np.append(edges[1:-1], np.nextafter(1.0, 2.0))
    parts = []
    for outcomes in drawn_outcomes(sample, tops):
        supported = np.diff(outcomes.false_alarms, axis=1, prepend=0)
        hallucinated = np.diff(outcomes.caught, axis=1, prepend=0)
        parts.append(share(supported, supported + hallucinated))
    drawn = np.concatenate(parts) if parts else np.empty((0, len(tops)))
    held = calibration_bins(scores)
    return tuple(
        CalibrationBin(
            float(edges[b]),
            float(edges[b + 1]),
            int((held == b).sum()),
            float(scores[held == b].mean()),
            float(labels[held == b].mean()),
            interval_of(drawn[:, b]),
        )
        for b in np.unique(held).tolist()
    )


def _histogram(sample: LabelledScores) -> ScoreHistogram:
    edges = np.arange(_HISTOGRAM_BINS + 1) / _HISTOGRAM_BINS
    scores, labels = np.asarray(sample.scores), np.asarray(sample.labels)

    def counts(label: int) -> tuple[int, ...]:
        return tuple(np.histogram(scores[labels == label], edges)[0].tolist())

    return ScoreHistogram(tuple(edges.tolist()), counts(0), counts(1))
