"""Words and numbers of the Thresholds page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from provenance_core.statistics.thresholds.types import (
    BestThreshold,
    Estimate,
    Figure,
    Goal,
    Objective,
    Part,
)
from reports.glossary import tooltip
from storage import ItemColumn, ItemFilter, PresetFigure, Reviewed

_DISAGREED = (Reviewed.DISPUTED, Reviewed.UNSETTLED, Reviewed.SETTLED, Reviewed.OVERRULED)
FIGURES = {
    Figure.F1: ("F1", tooltip("F1")),
    Figure.BALANCED_ACCURACY: ("Balanced accuracy", tooltip("balanced accuracy")),
    Figure.PRECISION: ("Precision", tooltip("precision")),
    Figure.RECALL: ("Recall", tooltip("recall")),
    Figure.FALSE_ALARM_RATE: ("False alarm rate", tooltip("false alarm rate")),
    Figure.ACCURACY: ("Accuracy", tooltip("accuracy")),
}
OBJECTIVES = {
    Objective.F1: "F1",
    Objective.BALANCED_ACCURACY: "balanced accuracy",
    Objective.PRECISION: "precision at a required recall",
    Objective.COST: "least cost",
}
_OF_PART = (Figure.F1, Figure.PRECISION, Figure.RECALL)
COLUMNS = {
    ItemColumn.TASK: "task",
    ItemColumn.SOURCE_MODEL: "source model",
    ItemColumn.SUBSET: "subset",
    ItemColumn.RUN: "run",
    ItemColumn.PROFILE: "profile",
    ItemColumn.DETECTOR: "detector",
}


def goal_words(goal: Goal) -> str:
    """The goal with what the user set for it."""
    match goal.objective:
        case Objective.PRECISION:
            return f"best precision with a recall of at least {goal.recall:.2f}"
        case Objective.COST:
            return f"least cost, a missed hallucination costing {goal.cost_ratio:g} false alarms"
        case _:
            return f"best {OBJECTIVES[goal.objective]}"


def threshold_text(value: float) -> str:
    """With the three decimals that the slider has."""
    return f"{value:.3f}"


def interval_text(estimate: Estimate) -> str:
    """“0.612 to 0.734”, or why there is no interval."""
    if estimate.interval is None:
        return estimate.reason
    return f"{estimate.interval.low:.3f} to {estimate.interval.high:.3f}"


def estimate_text(estimate: Estimate) -> str:
    """“0.681 (0.612 to 0.734)”, or why there is no figure or no interval."""
    if estimate.value is None:
        return f"– ({estimate.reason})"
    return f"{estimate.value:.3f} ({interval_text(estimate)})"


def parts_frame(parts: Sequence[Part]) -> pd.DataFrame:
    """One row a part: at the common threshold and at its own best."""
    fits = {True: "yes", False: "no", None: "not known"}
    return pd.DataFrame(
        [
            {
                "part": part.name or "(none)",
                "answers": part.n,
                "hallucinated": f"{100 * part.hallucinated / part.n:.1f} %",
                "common threshold fits": fits[part.fits],
                "own best threshold": _figure_text(part.best.threshold),
                "F1 at its own": (
                    _figure_text(part.best.figures.of(Figure.F1)) if part.best.figures else "–"
                ),
                **{FIGURES[figure][0]: _figure_text(part.common.of(figure)) for figure in _OF_PART},
            }
            for part in parts
        ]
    )


def parts_notes(parts: Sequence[Part]) -> list[str]:
    """A line for each part of which :func:`parts_frame` lacks a figure or an interval: why."""
    lines = []
    for part in parts:
        shown = (part.best.threshold, *(part.common.of(figure) for figure in _OF_PART))
        if reasons := dict.fromkeys(each.reason for each in shown if each.reason):
            lines.append(f"{part.name or '(none)'}: {' '.join(reasons)}")
    return lines


def _figure_text(estimate: Estimate) -> str:
    """“0.681 (0.612 to 0.734)”, or what there is of it."""
    if estimate.value is None or estimate.interval is None:
        return "–" if estimate.value is None else f"{estimate.value:.3f}"
    return estimate_text(estimate)


def selective(chosen: ItemFilter) -> bool:
    """Whether the filter keeps answers by how they scored or were judged, so that figures of
    what is left do not speak for answers in general."""
    return (
        chosen.audits.verdict is not None
        or chosen.audits.flagged is not None
        or chosen.label is not None
        or chosen.score_from is not None
        or chosen.score_to is not None
        or chosen.reviewed in _DISAGREED
    )


def preset_figure(name: str, estimate: Estimate) -> PresetFigure:
    """``estimate`` as a preset keeps it."""
    interval = estimate.interval
    return PresetFigure(
        name,
        estimate.value,
        interval.low if interval else None,
        interval.high if interval else None,
        estimate.reason,
    )


def objective_words(threshold: float, best: Sequence[BestThreshold]) -> str:
    """What ``threshold`` is the best for, in words."""
    goals = [goal_words(each.goal) for each in best if each.threshold.value == threshold]
    return "; ".join(goals) or "set by hand"


def evidence_frame(figures: Sequence[PresetFigure]) -> pd.DataFrame:
    """The figures that a preset was saved with; None stays empty, with its reason."""
    return pd.DataFrame(
        [
            {"figure": f.name, "value": f.value, "from": f.low, "to": f.high, "remark": f.reason}
            for f in figures
        ],
        columns=["figure", "value", "from", "to", "remark"],
    )
