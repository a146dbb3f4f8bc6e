"""Metrics of scored rows. Point figures come from scikit-learn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from provenance_core.statistics.types import (
    AtThreshold,
    Calibration,
    Curve,
    ScoredRow,
    SpanCounts,
    SpanFigures,
    Suppression,
)

_BINS = 10
_CURVE_POINTS = 200


def has_both_classes(labels: Sequence[int]) -> bool:
    """Whether there is a 0 and a 1, without which no ranking can be judged. Whether both occur."""
    return 0 in labels and 1 in labels


def no_ranking(labels: Sequence[int], what: str) -> str:
    """Why there is no AUC, as the end of a sentence; "" with both classes."""
    if has_both_classes(labels):
        return ""
    if not labels:
        return f"no AUC: there is no {what}"
    only = "supported" if labels[0] else "hallucinated"
    return f"no AUC: every {what} is {only}, and a ranking needs both classes"


def roc_auc(labels: Sequence[int], scores: Sequence[float]) -> float | None:
    """Measure the area under the ROC curve, in [0, 1]; None with one class only."""
    if not has_both_classes(labels):
        return None
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels, scores))


def average_precision(labels: Sequence[int], scores: Sequence[float]) -> float | None:
    """Measure the average precision of the supported class, in [0, 1]; None with one class only."""
    if not has_both_classes(labels):
        return None
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(labels, scores))


def at_threshold(
    labels: Sequence[int], scores: Sequence[float], threshold: float
) -> AtThreshold | None:
    """Compute the figures when ``score >= threshold`` says supported. Figures in [0, 1]; None with
    one class only."""
    if not has_both_classes(labels):
        return None
    from sklearn.metrics import (
        accuracy_score,
        balanced_accuracy_score,
        precision_recall_fscore_support,
    )

    said = [int(score >= threshold) for score in scores]
    precision, recall, f1, _ = precision_recall_fscore_support(
        labels, said, pos_label=0, average="binary", zero_division=0.0
    )
    return AtThreshold(
        threshold,
        float(accuracy_score(labels, said)),
        float(balanced_accuracy_score(labels, said)),
        float(precision),
        float(recall),
        float(f1),
    )


def calibration(labels: Sequence[int], probabilities: Sequence[float]) -> Calibration | None:
    """Measure the expected calibration error over ten equal-width bins, and the Brier score. The
    error is the mean of |confidence - share supported|, weighted by rows. ``probabilities``: of
    support, in [0, 1]. None without a row."""
    if not labels:
        return None
    p = np.asarray(probabilities, dtype=np.float64)
    y = np.asarray(labels, dtype=np.float64)
    bins = calibration_bins(p)
    error = sum(
        abs(p[bins == b].mean() - y[bins == b].mean()) * (bins == b).mean()
        for b in range(_BINS)
        if (bins == b).any()
    )
    return Calibration(float(error), float(np.mean((p - y) ** 2)))


def bin_edges() -> NDArray[np.float64]:
    """The edges of the ten equal-width bins of :func:`calibration`, shape (11,), from 0 to 1."""
    return np.arange(_BINS + 1) / _BINS


def calibration_bins(probabilities: NDArray[np.float64]) -> NDArray[np.intp]:
    """Find the bin, 0 to 9, of each probability. A bin holds its lower edge."""
    return np.searchsorted(bin_edges()[1:-1], probabilities, side="right")


def roc_points(labels: Sequence[int], scores: Sequence[float]) -> Curve | None:
    """Draw the ROC curve, thinned to 200 points and the last. None with one class only."""
    if not has_both_classes(labels):
        return None
    from sklearn.metrics import roc_curve

    false, true, _ = roc_curve(labels, scores)
    step = -(-len(false) // _CURVE_POINTS)
    keep = sorted({*range(0, len(false), step), len(false) - 1})
    return Curve(
        tuple(round(float(false[i]), 4) for i in keep),
        tuple(round(float(true[i]), 4) for i in keep),
    )


def span_counts(
    length: int, gold: Sequence[tuple[int, int]], found: Sequence[tuple[int, int]]
) -> SpanCounts:
    """Count the characters of an answer inside gold spans, found spans and both. Three numbers of
    characters."""
    marked, said = _mask(length, gold), _mask(length, found)
    return SpanCounts(int(marked.sum()), int(said.sum()), int((marked & said).sum()))


def _mask(length: int, spans: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    mask = np.zeros(length, dtype=bool)
    for start, end in spans:
        mask[max(0, start) : max(0, end)] = True
    return mask


def span_figures(counts: Sequence[SpanCounts]) -> SpanFigures | None:
    """Compute character-level precision, recall and F1 over all answers together (RAGTruth 5.2).
    Figures in [0, 1]; None when no character is marked."""
    gold, found, both = (
        sum(getattr(count, name) for count in counts) for name in ("gold", "found", "both")
    )
    if not gold:
        return None
    precision = both / found if found else 0.0
    recall = both / gold
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return SpanFigures(len(counts), precision, recall, f1)


def suppression(rows: Sequence[ScoredRow], column: int) -> Suppression | None:
    """Measure what choosing the best-scored answer of each source saves (RAGTruth section 6.3).
    None where no source has two answers."""
    sources: dict[str, list[ScoredRow]] = defaultdict(list)
    for row in rows:
        sources[row.source].append(row)
    several = [group for group in sources.values() if len(group) > 1]
    if not several:
        return None
    before = float(np.mean([np.mean([1 - row.label for row in group]) for group in several]))
    after = float(np.mean([_best_is_hallucinated(group, column) for group in several]))
    return Suppression(len(several), before, after, 1 - after / before if before else None)


def _best_is_hallucinated(group: Sequence[ScoredRow], column: int) -> float:
    best = max(row.scores[column] for row in group)
    return float(np.mean([1 - row.label for row in group if row.scores[column] == best]))
