"""Every data type of choosing a threshold, frozen. Figures are in [0, 1] unless said otherwise.

An answer is called supported when its score reaches the threshold, else hallucinated.
Hallucinated is the class to find: precision, recall and F1 are of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from provenance_core.statistics.types import Interval


@dataclass(frozen=True, slots=True)
class LabelledScores:
    """``n`` answers: score in [0, 1], label (1 = supported, 0 = hallucinated), and the name of the
    source document, over which the bootstrap draws. ValueError when lengths differ, a label is
    neither 0 nor 1, or a score is out of range."""

    scores: tuple[float, ...]
    labels: tuple[int, ...]
    groups: tuple[str, ...]

    def __post_init__(self) -> None:
        if not len(self.scores) == len(self.labels) == len(self.groups):
            raise ValueError(
                f"{len(self.scores)} scores, {len(self.labels)} labels and {len(self.groups)} "
                "groups: there must be as many of each"
            )
        for index, label in enumerate(self.labels):
            if label not in (0, 1):
                raise ValueError(f"label {index} must be 0 or 1, not {label!r}")
        for index, score in enumerate(self.scores):
            if not (math.isfinite(score) and 0.0 <= score <= 1.0):
                raise ValueError(f"score {index} must be in [0, 1], not {score!r}")

    @property
    def n(self) -> int:
        """How many answers."""
        return len(self.scores)

    @property
    def supported(self) -> int:
        """How many are labelled supported."""
        return sum(self.labels)

    @property
    def hallucinated(self) -> int:
        """How many are labelled hallucinated."""
        return self.n - self.supported

    @property
    def base_rate(self) -> float | None:
        """Share labelled supported; None without an answer."""
        return self.supported / self.n if self.n else None

    @property
    def one_class(self) -> str:
        """Why nothing can be told apart here, in a sentence; '' when both labels occur."""
        if not self.n:
            return "There is no labelled answer."
        if self.hallucinated and self.supported:
            return ""
        given = "supported" if self.supported else "hallucinated"
        if self.n == 1:
            return f"The one answer is labelled {given}; both labels are needed."
        return f"All {self.n:,} answers are labelled {given}; both labels are needed."

    @property
    def no_interval(self) -> str:
        """Why nothing can be drawn for an interval, in a sentence; '' when it can."""
        if len(set(self.groups)) < 2:
            return "No interval: all answers come from one source document."
        return ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its interval. ``reason`` says why one of them is None, in a sentence."""

    value: float | None
    interval: Interval | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Answers by label and verdict. ``caught``: hallucinated, called so; ``missed``:
    hallucinated, called supported; ``false_alarms``: supported, called hallucinated;
    ``passed``: supported, called so."""

    caught: int
    missed: int
    false_alarms: int
    passed: int


class Figure(StrEnum):
    """What is measured at a threshold. ``FALSE_ALARM_RATE``: the share of the supported answers
    that are called hallucinated."""

    F1 = "f1"
    BALANCED_ACCURACY = "balanced_accuracy"
    PRECISION = "precision"
    RECALL = "recall"
    FALSE_ALARM_RATE = "false_alarm_rate"
    ACCURACY = "accuracy"


@dataclass(frozen=True, slots=True)
class FigureEstimate:
    """A figure by its name."""

    figure: Figure
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class ThresholdFigures:
    """What a threshold gives: the counts and every :class:`Figure`, in its order."""

    threshold: float
    confusion: Confusion
    figures: tuple[FigureEstimate, ...]

    def of(self, figure: Figure) -> Estimate:
        """Find the estimate of a figure. Its value and interval."""
        return next(each.estimate for each in self.figures if each.figure is figure)


class Objective(StrEnum):
    """What the best threshold is best at. ``PRECISION``: of those that reach a required recall.
    ``COST``: least mean cost, where a missed hallucination costs so many false alarms."""

    F1 = "f1"
    BALANCED_ACCURACY = "balanced_accuracy"
    PRECISION = "precision_at_recall"
    COST = "cost"


@dataclass(frozen=True, slots=True)
class Goal:
    """An objective with what the user sets for it; ValueError says which is out of range.
    ``recall``, in (0, 1], is required under ``PRECISION``. ``cost_ratio``, above 0, is the cost of
    a missed hallucination in false alarms under ``COST``."""

    objective: Objective
    recall: float = 0.9
    cost_ratio: float = 5.0

    def __post_init__(self) -> None:
        if not 0.0 < self.recall <= 1.0:
            raise ValueError(f"the required recall must be in (0, 1], not {self.recall}")
        if not (math.isfinite(self.cost_ratio) and self.cost_ratio > 0.0):
            raise ValueError(f"the cost ratio must be above 0, not {self.cost_ratio}")


@dataclass(frozen=True, slots=True)
class BestThreshold:
    """The best threshold for ``goal``, and what it gives on the answers it was chosen from.
    ``threshold``: with the interval of the choice itself, each draw choosing its own (all that it
    cannot tell apart). ``reached``: the objective's value there (under ``COST`` the mean cost of an
    answer, in false alarms, not bounded by 1), its interval at this threshold. ``figures`` is None
    when ``threshold.value`` is."""

    goal: Goal
    threshold: Estimate
    reached: Estimate
    figures: ThresholdFigures | None


@dataclass(frozen=True, slots=True)
class Part:
    """The answers that share a value of a column, at the common threshold and at their own."""

    name: str
    n: int
    hallucinated: int
    common: ThresholdFigures
    best: BestThreshold

    @property
    def fits(self) -> bool | None:
        """Whether the common threshold lies in the interval of the part's own best one; None
        when there is no such interval."""
        interval = self.best.threshold.interval
        if interval is None:
            return None
        return interval.low <= self.common.threshold <= interval.high


@dataclass(frozen=True, slots=True)
class Band:
    """Pointwise 95 % intervals of a curve: ``low`` and ``high`` at each ``at``."""

    at: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RocCurve:
    """From (0, 0), no answer called hallucinated, to (1, 1); hallucinated is the positive class.
    Points on a straight line between their neighbours are left out."""

    false_alarm_rate: tuple[float, ...]
    recall: tuple[float, ...]
    band: Band | None


@dataclass(frozen=True, slots=True)
class PrecisionRecallCurve:
    """From recall 1 downwards; hallucinated is the positive class."""

    recall: tuple[float, ...]
    precision: tuple[float, ...]
    band: Band | None


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The answers that score from ``low`` up to but not including ``high`` (1 is in the last).
    ``interval`` is of ``share_supported``."""

    low: float
    high: float
    n: int
    mean_score: float
    share_supported: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class ScoreHistogram:
    """Answers of each label in bins of equal width; ``edges`` has one more than bins."""

    edges: tuple[float, ...]
    hallucinated: tuple[int, ...]
    supported: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """What does not depend on a threshold. Curves are None where ``auc.reason`` says why; bins
    without an answer are left out of ``calibration``."""

    roc: RocCurve | None
    precision_recall: PrecisionRecallCurve | None
    calibration: tuple[CalibrationBin, ...]
    histogram: ScoreHistogram
    auc: Estimate
    average_precision: Estimate
    ece: Estimate
    brier: Estimate


@dataclass(frozen=True, slots=True)
class ThresholdFlip:
    """An answer, by its index, whose verdict differs between two thresholds."""

    index: int
    score: float
    label: int
    supported_before: bool

    @property
    def fixed(self) -> bool:
        """Whether the second threshold agrees with the label (the first then does not)."""
        return self.supported_before != bool(self.label)
