"""From the scores of a data set to every figure of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from provenance_core.evaluation.types import BASELINE_METHODS, Column, EvaluationResult, ScoredSet
from provenance_core.statistics.bootstrap import interval_of, resampled_areas
from provenance_core.statistics.metrics import (
    at_threshold,
    average_precision,
    calibration,
    has_both_classes,
    no_ranking,
    roc_auc,
    roc_points,
    span_figures,
    suppression,
)
from provenance_core.statistics.types import Difference, Figures, ScoredRow, SkipReason
from provenance_core.types import Floats

_BASELINES = frozenset(map(str, BASELINE_METHODS))


def summarise(
    scored: ScoredSet,
    *,
    training_overlap: str = "",
    seed: int = 0,
) -> EvaluationResult:
    """Compute every figure of a set, and of each of its subsets where it has several."""
    whole = _summarise(scored, "", training_overlap, seed)
    names = sorted({row.subset for row in scored.rows})
    if len(names) < 2:
        return whole
    parts = (
        replace(
            scored,
            rows=tuple(row for row in scored.rows if row.subset == name),
            skipped=(),
            warnings=(),
        )
        for name in names
    )
    subsets = tuple(
        replace(_summarise(part, name, training_overlap, seed), of=len(part.rows))
        for name, part in zip(names, parts, strict=True)
    )
    return replace(whole, subsets=subsets)


def _summarise(
    scored: ScoredSet, subset: str, training_overlap: str, seed: int
) -> EvaluationResult:
    rows = scored.rows
    labels = [row.label for row in rows]
    groups = [row.group for row in rows]
    both = has_both_classes(labels)
    columns = [[row.scores[i] for row in rows] for i in range(len(scored.columns))]
    areas = [
        resampled_areas(labels, scores, groups, seed=seed) if both else None for scores in columns
    ]
    figures = tuple(
        # The cells of Table 5 have no curve of their own: results.json stays small.
        _figures(column, labels, scores, drawn, curve=index == 0 or column.name in _BASELINES)
        for index, (column, scores, drawn) in enumerate(
            zip(scored.columns, columns, areas, strict=True)
        )
    )
    return EvaluationResult(
        dataset=scored.dataset,
        method=scored.method,
        subset=subset,
        training_overlap=training_overlap,
        n=len(rows),
        of=scored.of,
        positives=sum(labels),
        groups=len(set(groups)),
        base_rate=sum(labels) / len(labels) if labels else None,
        figures=figures,
        differences=_differences(figures, areas),
        suppression=suppression(rows, 0),
        spans=span_figures([row.spans for row in rows if row.spans is not None]),
        skipped=scored.skipped,
        warnings=scored.warnings,
        note=_note(rows, scored.skipped),
    )


def _figures(
    column: Column,
    labels: Sequence[int],
    scores: Sequence[float],
    drawn: Floats | None,
    *,
    curve: bool,
) -> Figures:
    """The figures of a column; ``drawn``: its areas by resample, where there are both labels."""
    return Figures(
        column=column.name,
        auc=roc_auc(labels, scores),
        interval=None if drawn is None else interval_of(drawn),
        average_precision=average_precision(labels, scores),
        at_threshold=None
        if column.threshold is None
        else at_threshold(labels, scores, column.threshold),
        calibration=calibration(labels, scores) if column.probability else None,
        curve=roc_points(labels, scores) if curve else None,
    )


def _differences(
    figures: Sequence[Figures], areas: Sequence[Floats | None]
) -> tuple[Difference, ...]:
    """How far the first column's AUC is from each baseline's, over the same resamples."""
    first, of_first = figures[0], areas[0]
    found = []
    for figure, drawn in zip(figures[1:], areas[1:], strict=True):
        if figure.column not in _BASELINES:
            continue
        if first.auc is None or figure.auc is None or drawn is None or of_first is None:
            continue
        if interval := interval_of(of_first - drawn):
            found.append(Difference(first.column, figure.column, first.auc - figure.auc, interval))
    return tuple(found)


def _note(rows: Sequence[ScoredRow], skipped: Sequence[SkipReason]) -> str:
    if rows:
        return no_ranking([row.label for row in rows], "row scored")
    if skipped:
        first = skipped[0]
        return f"no AUC: no row could be scored ({first.rows:,} rows: {first.reason})"
    return "no AUC: the file holds no row"
