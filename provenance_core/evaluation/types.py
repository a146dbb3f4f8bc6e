"""Every data type of the evaluation, frozen. Figures are in [0, 1] unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from provenance_core.types import DetectorName


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A hallucinated span of the answer, as its annotators marked it.

    ``answer[start:end]``, offsets in characters; ``kind`` in the data set's own words.
    """

    start: int
    end: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One answer with the truth about it.

    ``line`` counts from 1 (lines of a text file, else records). ``label``: 1 = supported, 0 =
    hallucinated. ``group`` names the source document, which several answers may share: intervals
    are drawn over groups. ``spans`` is None where the data set has no spans at all, and empty
    where it has but this answer has none. ``subset`` names a part with figures of its own.
    ``other_answers``: what other rows of the file answer to the same query and context.
    """

    line: int
    query: str
    context: tuple[str, ...]
    answer: str
    label: int
    id: str = ""
    group: str = ""
    subset: str = ""
    task: str = ""
    source_model: str = ""
    spans: tuple[GoldSpan, ...] | None = None
    other_answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that was not scored, and why. ``line`` counts from 1."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows of each class, as published or as found."""

    hallucinated: int
    supported: int


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """What was read of a data set: rows that can be used, rows that cannot, and warnings.

    ``format`` is the name of the format it was read as. ``warnings`` say where the counts differ
    from the published ones.
    """

    path: Path
    dataset: str
    rows: tuple[LabelledRow, ...]
    unreadable: tuple[SkippedRow, ...]
    format: str = "rows"
    warnings: tuple[str, ...] = ()


class Method(StrEnum):
    """What scores the rows: the detectors (:class:`DetectorName`), the retrieval of the paper's
    appendix A (``DENSE``), and three baselines that read no model."""

    PROVENANCE = "provenance"
    NLI_MATRIX = "nli-matrix"
    SUMMAC = "summac"
    SELFCHECK = "selfcheck"
    GROUNDED = "grounded-in-context"
    SPANS = "spans"
    LLM_JUDGE = "llm-judge"
    DENSE = "dense"
    WORD_OVERLAP = "word-overlap"
    ROUGE_2 = "rouge-2"
    LENGTH = "length"


DETECTOR_METHODS = tuple(Method(name) for name in DetectorName)
BASELINE_METHODS = (Method.WORD_OVERLAP, Method.ROUGE_2, Method.LENGTH)


@dataclass(frozen=True, slots=True)
class Column:
    """One score of every row. ``threshold``: supported from this score on, None without one.

    ``probability``: whether the scores are probabilities of support, so that calibration can be
    measured.
    """

    name: str
    threshold: float | None = None
    probability: bool = False


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """Characters of an answer: marked by the annotators, found by the method, and both."""

    gold: int
    found: int
    both: int


@dataclass(frozen=True, slots=True)
class RowScores:
    """What a method says of one row: a score a column, and the ``[start, end)`` spans of the
    answer that it finds unsupported (None from a method that finds none)."""

    scores: tuple[float, ...]
    spans: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row's truth and its scores, one a column; text is left out.

    ``key``, ``source`` and ``group`` are digests: of the whole row, of query and context (the
    answers to one source can be ranked against each other) and of the source document
    (intervals are drawn over it).
    """

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
    """Why rows were not scored, and how many."""

    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """A data set as scored: everything that figures are computed from.

    ``of``: the rows that the file holds; fewer were scored where a limit was set. ``command``
    and ``made_with`` (models, parameters) say how the scores came about.
    """

    dataset: str
    format: str
    method: Method
    columns: tuple[Column, ...]
    rows: tuple[ScoredRow, ...]
    skipped: tuple[SkipReason, ...] = ()
    warnings: tuple[str, ...] = ()
    of: int = 0
    command: str = ""
    made_with: tuple[str, ...] = ()


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
    """One column over the rows of a set; None where ``EvaluationResult.note`` says why."""

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
    """What choosing the best-scored answer of each source saves (RAGTruth section 5.4).

    ``before``: share of hallucinated answers, mean over ``sources``, which each have several
    answers. ``after``: share of sources whose best-scored answer is hallucinated; ties count by
    their mean. ``suppressed``: 1 - after / before, None when nothing is hallucinated.
    """

    sources: int
    before: float
    after: float
    suppressed: float | None


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """Everything measured on a set, or on one of its subsets (then ``subset`` names it).

    ``n`` rows were scored ``of`` those in the file (of a subset: of those scored), ``positives``
    of them supported. ``figures`` has one entry a column, the method first, the baselines last.
    """

    dataset: str
    method: Method
    subset: str
    kin: str
    n: int
    of: int
    positives: int
    groups: int
    base_rate: float | None
    figures: tuple[Figures, ...]
    differences: tuple[Difference, ...]
    suppression: Suppression | None
    spans: SpanFigures | None
    skipped: tuple[SkipReason, ...]
    warnings: tuple[str, ...]
    note: str = ""
    subsets: tuple[EvaluationResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """Every figure of the kept scores, the commands that scored them, models and parameters.

    ``compared``: of sets that several detectors scored, each detector on the rows that all of
    them scored (self-check, which reads other answers, on those of them that it can score).
    """

    commands: tuple[str, ...]
    made_with: tuple[str, ...]
    resamples: int
    seed: int
    sets: tuple[EvaluationResult, ...]
    compared: tuple[EvaluationResult, ...] = ()


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One answer to be audited, with the truth about it where the file has one.

    As :class:`LabelledRow`, but ``label`` is None where nobody has said.
    """

    line: int
    query: str
    context: tuple[str, ...]
    answer: str
    id: str = ""
    label: int | None = None
    group: str = ""
    subset: str = ""
    task: str = ""
    source_model: str = ""
    spans: tuple[GoldSpan, ...] | None = None


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row of a file that cannot be audited: where (counted from 1), why, and its text."""

    line: int
    reason: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """Which key of a file's record holds each field of a row; "" where none does.

    A key within an object is written with dots (``meta.task``).
    """

    query: str = ""
    context: str = ""
    answer: str = ""
    label: str = ""
    id: str = ""
    group: str = ""
    subset: str = ""
    task: str = ""
    source_model: str = ""
