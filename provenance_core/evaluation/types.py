"""Every data type of the evaluation, frozen. Figures are in [0, 1] unless said otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from provenance_core.statistics.types import (
    Difference,
    Figures,
    ScoredRow,
    SkipReason,
    SpanFigures,
    Suppression,
)
from provenance_core.types import RelevanceMethod


class Method(StrEnum):
    """What scores rows beside the detectors, which go by their names: the retrieval of the paper's
    appendix A (``DENSE``), and the baselines that read no model."""

    DENSE = "dense"
    WORD_OVERLAP = "word-overlap"
    ROUGE_2 = "rouge-2"
    ROUGE_3 = "rouge-3"
    ROUGE_4 = "rouge-4"
    ROUGE_L = "rouge-l"
    LENGTH = "length"


# Experiments 0.1 to 0.3 of appendix A, and what their columns of scores are called.
DENSE_EXPERIMENTS: Mapping[RelevanceMethod, str] = MappingProxyType(
    {
        RelevanceMethod.DOT: "dot product",
        RelevanceMethod.DOT_TEMPORAL: "dot product, temporal order",
        RelevanceMethod.COSINE_TEMPORAL: "cosine, temporal order",
    }
)
# The words of a run, for the baselines that count copied runs of words.
RUN_SIZES: Mapping[Method, int] = MappingProxyType(
    {Method.ROUGE_2: 2, Method.ROUGE_3: 3, Method.ROUGE_4: 4}
)
BASELINE_METHODS = (Method.WORD_OVERLAP, *RUN_SIZES, Method.ROUGE_L, Method.LENGTH)


@dataclass(frozen=True, slots=True)
class Column:
    """One score of every row. ``threshold``: supported from this score on, None without one.
    ``probability``: whether the scores are probabilities of support, so that calibration can be
    measured."""

    name: str
    threshold: float | None = None
    probability: bool = False


@dataclass(frozen=True, slots=True)
class RowScores:
    """What a method says of one row: one score for each column, and the ``[start, end)`` spans of
    the answer that it finds unsupported (None from a method that finds none)."""

    scores: tuple[float, ...]
    spans: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """A data set as scored: everything that figures are computed from. ``method``: a detector's
    name or a ``Method``. ``of``: the rows that the file holds; fewer were scored where a limit was
    set. ``command`` and ``made_with`` (models, parameters) say how the scores came about."""

    dataset: str
    format: str
    method: str
    columns: tuple[Column, ...]
    rows: tuple[ScoredRow, ...]
    skipped: tuple[SkipReason, ...] = ()
    warnings: tuple[str, ...] = ()
    of: int = 0
    command: str = ""
    made_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """Everything measured on a set, or on one of its subsets (then ``subset`` names it). ``n`` rows
    were scored ``of`` those in the file (of a subset: of those scored), ``positives`` of them
    supported. ``figures`` has one entry a column, the method first, the baselines last."""

    dataset: str
    method: str
    subset: str
    training_overlap: str
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
    ``compared``: of sets that several detectors scored, each detector on the rows that all of them
    scored (self-check, which reads other answers, on those of them that it can score)."""

    commands: tuple[str, ...]
    made_with: tuple[str, ...]
    resamples: int
    seed: int
    sets: tuple[EvaluationResult, ...]
    compared: tuple[EvaluationResult, ...] = ()
