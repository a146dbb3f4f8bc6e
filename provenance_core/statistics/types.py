"""Figures of scored rows, frozen. Figures are in [0, 1] unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """Characters of an answer: marked by the annotators, found by the method, and both."""

    gold: int
    found: int
    both: int


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row's truth and its score in each column, without text. ``key``, ``source`` and ``group``
    are digests. ``key`` is of the whole row. ``source`` is of query and context: the answers to one
    source can be ranked against each other. ``group`` is of the source document, over which
    intervals are drawn."""

    key: str
    id: str
    label: int
    group: str
    source: str
    subset: str
    scores: tuple[float, ...]
    spans: SpanCounts | None = None


@dataclass(frozen=True, slots=True)
class SkipReason:
    """Why rows, or the audits of rows, were left out, and how many."""

    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % percentile interval of a bootstrap over groups."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """What a threshold gives. Precision, recall and F1 are of the hallucinated class."""

    threshold: float
    accuracy: float
    balanced_accuracy: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Expected calibration error over ten equal-width bins, and the Brier score."""

    ece: float
    brier: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of an ROC curve, from (0, 0) to (1, 1); supported is the positive class."""

    false_positive_rate: tuple[float, ...]
    true_positive_rate: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one column over the rows of a set. ``EvaluationResult.note`` says why one is
    None."""

    column: str
    auc: float | None
    interval: Interval | None
    average_precision: float | None
    at_threshold: AtThreshold | None = None
    calibration: Calibration | None = None
    curve: Curve | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """AUC of the first column less that of the second on the same rows, with its interval."""

    first: str
    second: str
    difference: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class SpanFigures:
    """Character-level precision, recall and F1 of found spans, over ``rows`` rows together."""

    rows: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Suppression:
    """What choosing the best-scored answer of each source saves (RAGTruth section 6.3). ``before``:
    share of hallucinated answers, mean over ``sources``, which each have several answers.
    ``after``: share of sources whose best-scored answer is hallucinated; ties count by their mean.
    ``suppressed``: 1 - after / before, None when nothing is hallucinated."""

    sources: int
    before: float
    after: float
    suppressed: float | None
