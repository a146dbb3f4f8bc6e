"""Scores a file of labelled rows with one method and sums it up beside the baselines."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from provenance_core.errors import InputError
from provenance_core.evaluation.baselines import length_score, word_overlap
from provenance_core.evaluation.datasets import (
    LabelledFile,
    LabelledRow,
    SkippedRow,
    first_shuffled,
    read_labelled_file,
)
from provenance_core.evaluation.metrics import (
    DEFAULT_RESAMPLES,
    average_precision,
    balanced_accuracy,
    bootstrap_auc,
    has_both_classes,
    roc_auc,
)
from provenance_core.pipeline import Provenance
from provenance_core.types import Parameters


class Method(StrEnum):
    """What scores the rows."""

    PROVENANCE = "provenance"
    WORD_OVERLAP = "word-overlap"
    LENGTH = "length"


class Scorer(Protocol):
    """One method with its settings."""

    @property
    def method(self) -> Method: ...

    @property
    def threshold(self) -> float | None:
        """The score from which a row counts as supported; None when the method has none."""

    def score(self, row: LabelledRow) -> float:
        """A number that is larger the more the answer is supported.

        Raises :class:`InputError` for a row that the method cannot score.
        """


@dataclass(frozen=True, slots=True)
class ProvenanceScorer:
    """The factuality score of a whole audit under ``parameters``, in [0, 1]."""

    provenance: Provenance
    parameters: Parameters

    @property
    def method(self) -> Method:
        return Method.PROVENANCE

    @property
    def threshold(self) -> float | None:
        return self.parameters.threshold

    def score(self, row: LabelledRow) -> float:
        _require_context(row)
        return self.provenance.audit(
            query=row.query,
            answer=row.answer,
            context=list(row.context),
            parameters=self.parameters,
        ).score


@dataclass(frozen=True, slots=True)
class WordOverlapScorer:
    """The share of the answer's content words that the context holds, in [0, 1]."""

    @property
    def method(self) -> Method:
        return Method.WORD_OVERLAP

    @property
    def threshold(self) -> float | None:
        return None

    def score(self, row: LabelledRow) -> float:
        _require_context(row)
        return word_overlap(row.context, row.answer)


@dataclass(frozen=True, slots=True)
class LengthScorer:
    """Minus the length of the answer in characters; reads no context."""

    @property
    def method(self) -> Method:
        return Method.LENGTH

    @property
    def threshold(self) -> float | None:
        return None

    def score(self, row: LabelledRow) -> float:
        return length_score(row.answer)


@dataclass(frozen=True, slots=True)
class SkipReason:
    """Why rows were not scored, and how many."""

    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """One file under one method. Figures are in [0, 1]; None where ``note`` says why.

    ``n`` rows were scored, ``positives`` of them supported, ``skipped`` were not scored.
    ``auc_low`` and ``auc_high`` bound the 95 % bootstrap interval. ``overlap_auc`` and
    ``length_auc`` are the baselines on the same ``n`` rows (``length``: short = supported).
    """

    dataset: str
    method: Method
    n: int
    positives: int
    base_rate: float | None
    auc: float | None
    auc_low: float | None
    auc_high: float | None
    average_precision: float | None
    threshold: float | None
    balanced_accuracy: float | None
    overlap_auc: float | None
    length_auc: float | None
    skipped: int
    skip_reasons: tuple[SkipReason, ...]
    seed: int
    seconds: float
    note: str = ""


def evaluate_file(
    path: Path,
    scorer: Scorer,
    *,
    limit: int | None = None,
    seed: int = 0,
    resamples: int = DEFAULT_RESAMPLES,
    on_skip: Callable[[LabelledFile, SkippedRow], None] = lambda file, row: None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> EvaluationResult:
    """Score the rows of ``path``, or the first ``limit`` of a shuffle by ``seed``.

    ``on_skip`` hears of every row left out, ``on_progress`` of (rows done, rows in all).
    Raises :class:`InputError` when the file as a whole cannot be read.
    """
    began = time.perf_counter()
    file = read_labelled_file(path)
    skipped = list(file.unreadable)
    for unreadable in file.unreadable:
        on_skip(file, unreadable)
    rows = first_shuffled(file.rows, limit, seed)
    scored: list[LabelledRow] = []
    scores: list[float] = []
    for done, row in enumerate(rows, start=1):
        try:
            score = scorer.score(row)
        except InputError as error:
            skipped.append(SkippedRow(row.line, str(error)))
            on_skip(file, skipped[-1])
        else:
            scored.append(row)
            scores.append(score)
        on_progress(done, len(rows))
    return summarise(
        file.dataset,
        scorer,
        scored,
        scores,
        skipped,
        seed=seed,
        resamples=resamples,
        seconds=time.perf_counter() - began,
    )


def summarise(
    dataset: str,
    scorer: Scorer,
    rows: Sequence[LabelledRow],
    scores: Sequence[float],
    skipped: Sequence[SkippedRow],
    *,
    seed: int = 0,
    resamples: int = DEFAULT_RESAMPLES,
    seconds: float = 0.0,
) -> EvaluationResult:
    """Every figure of scored ``rows``; ``scores`` has one score a row, ``skipped`` the rest."""
    labels = [row.label for row in rows]
    interval = bootstrap_auc(labels, scores, resamples=resamples, seed=seed)
    threshold = scorer.threshold
    reasons = Counter(row.reason for row in skipped)
    return EvaluationResult(
        dataset=dataset,
        method=scorer.method,
        n=len(rows),
        positives=sum(labels),
        base_rate=sum(labels) / len(labels) if labels else None,
        auc=roc_auc(labels, scores),
        auc_low=interval.low if interval else None,
        auc_high=interval.high if interval else None,
        average_precision=average_precision(labels, scores),
        threshold=threshold,
        balanced_accuracy=(
            None if threshold is None else balanced_accuracy(labels, scores, threshold)
        ),
        overlap_auc=roc_auc(labels, [word_overlap(row.context, row.answer) for row in rows]),
        length_auc=roc_auc(labels, [length_score(row.answer) for row in rows]),
        skipped=len(skipped),
        skip_reasons=tuple(SkipReason(reason, rows) for reason, rows in reasons.most_common()),
        seed=seed,
        seconds=seconds,
        note=_note(labels, reasons),
    )


def _note(labels: Sequence[int], reasons: Counter[str]) -> str:
    if has_both_classes(labels):
        return ""
    if labels:
        only = "supported" if labels[0] == 1 else "hallucinated"
        return f"no AUC: every row scored is {only}, and a ranking needs both classes"
    if reasons:
        reason, rows = reasons.most_common(1)[0]
        return f"no AUC: no row could be scored ({rows:,} rows: {reason})"
    return "no AUC: the file holds no row"


def _require_context(row: LabelledRow) -> None:
    if not row.context:
        raise InputError("the context is empty, so there is nothing to check the answer against")
