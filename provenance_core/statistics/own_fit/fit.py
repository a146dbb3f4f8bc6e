"""Fit to labels: shrinkage chosen inside a cross-validation, figures from another around it.

Rows of one source document are always in one fold. The figures of a fold come from a map, a
strength and a threshold that were chosen without it, so that they hold for new answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provenance_core.errors import InputError
from provenance_core.models.catalogue.profiles import SupportMaps
from provenance_core.progress import SILENT, Progress
from provenance_core.scoring.fitting import (
    Coefficients,
    FitRow,
    Hold,
    as_map,
    coefficients,
    fit,
    log_loss,
    packed,
)
from provenance_core.statistics.own_fit.answers import score_by
from provenance_core.statistics.own_fit.figures import Scored, UnseenRows
from provenance_core.statistics.own_fit.types import FitAnswer, KindCount, MapFit
from provenance_core.statistics.thresholds.best import best_values
from provenance_core.statistics.thresholds.types import Goal, LabelledScores, Objective
from provenance_core.types import AnswerKind, Floats, Parameters, SupportMap, SupportTerm

# What a fit needs at least: with fewer, each fold has a handful of a label, and the figures are
# chance.
LEAST_ANSWERS = 60
LEAST_OF_A_LABEL = 15
LEAST_DOCUMENTS = 10
FOLDS = 5
# How strongly the weights are held near the built-in map; None moves nothing. The intercept alone
# says how many answers are supported, and is held little.
STRENGTHS = (None, 256.0, 64.0, 16.0, 4.0, 1.0)
_OF_INTERCEPT = 0.5


def shortage(labels: Sequence[int], groups: Sequence[str]) -> str:
    """What is missing for a fit, and how many more labels that is; "" where there are enough."""
    n, supported, documents = len(labels), sum(labels), len(set(groups))
    few = {
        "supported": max(0, LEAST_OF_A_LABEL - supported),
        "hallucinated": max(0, LEAST_OF_A_LABEL - (n - supported)),
    }
    missing = max(LEAST_ANSWERS - n, sum(few.values()))
    wanted = []
    if missing > 0:
        least = " and ".join(f"{count} {name}" for name, count in few.items() if count)
        among = f", at least {least} among them" if least else ""
        wanted.append(f"Label {missing} more{among}.")
    if documents < LEAST_DOCUMENTS:
        more = LEAST_DOCUMENTS - documents
        wanted.append(f"Label answers to {more} more source document{'' if more == 1 else 's'}.")
    if not wanted:
        return ""
    return (
        f"A fit needs {LEAST_ANSWERS} labelled answers, {LEAST_OF_A_LABEL} of each label, from "
        f"{LEAST_DOCUMENTS} source documents. There are {n}: {supported} supported and "
        f"{n - supported} hallucinated, from {documents}. {' '.join(wanted)}"
    )


def fit_to_labels(
    answers: Sequence[FitAnswer],
    base: str,
    maps: SupportMaps,
    parameters: Parameters,
    *,
    seed: int = 0,
    progress: Progress = SILENT,
) -> MapFit:
    """Fit a decisive map and the threshold to labelled answers. ``progress``: Called with the share
    that is done, in [0, 1]. Map and threshold, with their figures on answers that a fit has not
    seen. Raises InputError where there are too few labels, as :func:`shortage` says."""
    if why := shortage([each.label for each in answers], [each.group for each in answers]):
        raise InputError(why)
    work = _Work(tuple(answers), maps, parameters, seed, progress)
    whole = np.arange(len(answers))
    after = np.zeros(len(answers))
    said = np.zeros(len(answers), dtype=np.bool_)
    folds = np.zeros(len(answers), dtype=np.intp)
    for number, (train, unseen) in enumerate(_folds(work, whole)):
        chosen = _chosen(work, train)
        fitted = maps.with_decisive(_fitted(work, train, chosen.strength))
        after[unseen] = _scores(work, unseen, fitted)
        said[unseen] = after[unseen] >= chosen.threshold
        folds[unseen] = number
    last = _chosen(work, whole)
    before = _scores(work, whole, maps)
    labels = np.array([each.label for each in answers])
    groups = tuple(each.group for each in answers)
    return MapFit(
        base=base,
        support=_fitted(work, whole, last.strength),
        threshold=last.threshold,
        threshold_before=parameters.threshold,
        strength=last.strength,
        n=len(answers),
        supported=int(labels.sum()),
        documents=len(set(groups)),
        comparisons=UnseenRows(labels, groups, folds).compared(
            Scored(before, before >= parameters.threshold), Scored(after, said), seed=seed
        ),
        kinds=tuple(_count(work, kind) for kind in AnswerKind),
    )


def _count(work: _Work, kind: AnswerKind) -> KindCount:
    of_kind = [row.label for row in work.rows if row.kind is kind]
    return KindCount(kind, len(of_kind), sum(of_kind))


class _Work:
    """The answers and what a fit of them needs again and again."""

    def __init__(
        self,
        answers: tuple[FitAnswer, ...],
        maps: SupportMaps,
        parameters: Parameters,
        seed: int,
        progress: Progress,
    ) -> None:
        self.answers = answers
        self.maps = maps
        self.parameters = parameters
        self.seed = seed
        self.rows: tuple[FitRow, ...] = tuple(
            FitRow(each.group, each.label, each.given.kind, each.given.terms, each.read)
            for each in answers
        )
        self.labels: NDArray[np.intp] = np.array([each.label for each in answers])
        self.groups = np.array([each.group for each in answers])
        decisive = maps.decisive
        of_kinds = [decisive.of_kind(kind) for kind in AnswerKind]
        known = {each.term for of_kind in of_kinds for each in of_kind.weights}
        self.terms = tuple(term for term in SupportTerm if term in known)
        self._progress = progress
        self._done = 0

    def step(self) -> None:
        """One more fit of a fold is done."""
        self._done += 1
        self._progress(min(1.0, self._done / (FOLDS * (FOLDS + 1) * len(STRENGTHS))))


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What the inner cross-validation chose."""

    strength: float | None
    threshold: float


def _folds(work: _Work, among: NDArray[np.intp]) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Training rows and unseen rows of each fold of ``among``: no source document is on both
    sides, and each label is spread evenly."""
    from sklearn.model_selection import StratifiedGroupKFold

    split = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=work.seed)
    parts = split.split(among, work.labels[among], work.groups[among])
    return [(among[train], among[unseen]) for train, unseen in parts]


def _chosen(work: _Work, among: NDArray[np.intp]) -> _Chosen:
    """The strength of least log loss on the rows of ``among`` that a fold left out, and the
    threshold of best balanced accuracy there."""
    folds = _folds(work, among)
    found: list[tuple[float, int, Floats]] = []
    for place, strength in enumerate(STRENGTHS):
        loss, scores = 0.0, np.zeros(len(work.answers))
        for train, unseen in folds:
            support = _fitted(work, train, strength)
            loss += _loss(work, unseen, support)
            scores[unseen] = _scores(work, unseen, work.maps.with_decisive(support))
            work.step()
        found.append((loss, place, scores[among]))
    _, place, scores = min(found, key=lambda each: each[:2])
    sample = LabelledScores(
        tuple(scores.tolist()), tuple(work.labels[among].tolist()), tuple(work.groups[among])
    )
    if sample.one_class:  # All answers of the other label are of documents that were left out.
        return _Chosen(STRENGTHS[place], work.parameters.threshold)
    (threshold,) = best_values(sample, [Goal(Objective.BALANCED_ACCURACY)])
    return _Chosen(STRENGTHS[place], threshold)


def _fitted(work: _Work, train: NDArray[np.intp], strength: float | None) -> SupportMap:
    """The decisive map fitted to the rows ``train``, a map for each kind of answer."""
    built_in = work.maps.decisive
    if strength is None:
        return built_in
    found = {}
    for kind in AnswerKind:
        rows = [work.rows[at] for at in train if work.rows[at].kind is kind]
        centre = coefficients(built_in.of_kind(kind), work.terms)
        fitted = fit(rows, work.terms, hold=Hold(centre, strength, _OF_INTERCEPT))
        found[kind] = as_map(fitted, work.terms)
    own = found[AnswerKind.CLAIM]
    return SupportMap(
        own.intercept,
        own.weights,
        replies=found[AnswerKind.REPLY],
        summaries=found[AnswerKind.SUMMARY],
    )


def _loss(work: _Work, rows: NDArray[np.intp], support: SupportMap) -> float:
    """The log loss of a map on rows, summed."""
    total = 0.0
    for kind in AnswerKind:
        wanted = [row for at in rows if (row := work.rows[at]).kind is kind and row.read.any()]
        if wanted:
            of_kind: Coefficients = coefficients(support.of_kind(kind), work.terms)
            total += float(log_loss(packed(wanted, work.terms), of_kind).sum())
    return total


def _scores(work: _Work, rows: NDArray[np.intp], maps: SupportMaps) -> Floats:
    return np.array([score_by(maps, work.answers[at], work.parameters) for at in rows])
