"""The fit of a support map: weights of 0 or more, from answers that have one label each.

An answer is as well supported as its least supported sentence, and a sentence as its best chunk.
The fit goes through a smooth minimum and maximum of those, so that every cell has a slope.
``training.support_map`` fits the built-in maps, and :mod:`provenance_core.statistics.own_fit` those
of somebody's own labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provenance_core.scoring.features import verbatim_sentences
from provenance_core.types import (
    AnswerKind,
    Bools,
    Evidence,
    Floats,
    SupportMap,
    SupportTerm,
    SupportWeight,
)

SMOOTH = 0.5
# A detail in conflict is too rare (29 of 1,400 rows) to be weighed in each kind of answer. Of the
# unsupported rows 23 of 709 have one, of the supported 6 of 691: log odds of 1.3.
LEAST = {SupportTerm.CONFLICTING_DETAILS: 1.3}
# Where the search begins without a map to hold to.
_BEGINNINGS = (0.3, 0.05, 1.0)
# As maps are kept: weights of this many decimals, and none that is nothing.
_DECIMALS = 3
_LEAST_WEIGHT = 0.0005


@dataclass(frozen=True, slots=True)
class FitRow:
    """An answer with its label (1 = supported) and its source document. ``terms``: of each sentence
    and chunk, (S, N) each. ``read``: the cells that the map is for, (S, N). A sentence without one
    is supported, because it stands in the context word for word."""

    group: str
    label: int
    kind: AnswerKind
    terms: Mapping[SupportTerm, Floats]
    read: Bools


def cells_to_fit(evidence: Evidence) -> Bools:
    """Which cells a map is fitted on. Shape (S, N): those that the second model read where there is
    one, else all but those of sentences that stand in the context word for word."""
    if evidence.second is not None:
        return evidence.second.scores.read
    kept = ~np.array(verbatim_sentences(evidence))
    return np.repeat(kept[:, None], len(evidence.chunks), axis=1)


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A map of one kind of answer: the weight of each of the T terms that were asked for."""

    intercept: float
    weights: Floats


@dataclass(frozen=True, slots=True)
class Hold:
    """What a fit is held near: each weight by ``strength`` x its squared distance from the centre,
    the intercept by ``of_intercept``; both 0 or more. ``begins``: whether the search begins there,
    or at several places."""

    centre: Coefficients
    strength: float
    of_intercept: float = 0.0
    begins: bool = True


@dataclass(frozen=True, slots=True)
class Packed:
    """The cells of R rows one below the other, those of a sentence together. ``values``: (C, T).
    ``sentences``: the first cell of each of K sentences, (K,). ``rows``: the first sentence of each
    row, (R,). ``labels``: (R,)."""

    values: Floats
    sentences: NDArray[np.intp]
    rows: NDArray[np.intp]
    labels: Floats


def packed(rows: Sequence[FitRow], chosen: Sequence[SupportTerm]) -> Packed:
    """Put the cells of several answers one below the other: a step of the fit is one product. The C
    cells that are read. Raises KeyError where a row has not one of the terms."""
    values, sentences, starts = [], [], []
    cells = count = 0
    for row in rows:
        starts.append(count)
        stacked = np.stack([row.terms[name] for name in chosen], axis=-1)
        for of_sentence, read in zip(stacked, row.read, strict=True):
            if read.any():
                values.append(of_sentence[read])
                sentences.append(cells)
                cells += int(read.sum())
                count += 1
    return Packed(
        np.concatenate(values) if values else np.zeros((0, len(chosen))),
        np.array(sentences, dtype=np.intp),
        np.array(starts, dtype=np.intp),
        np.array([row.label for row in rows], dtype=np.float64),
    )


def answer_log_odds(given: Packed, found: Coefficients) -> Floats:
    """Compute the log odds that each answer is supported. They are those of its least supported
    sentence by that sentence's best chunk; minimum and maximum are smoothed (:data:`SMOOTH`). Shape
    (R,)."""
    return _forward(given, found).answers


@dataclass(frozen=True, slots=True)
class _Forward:
    """Log odds of each answer, (R,), and how much each cell counts in it, (C,)."""

    answers: Floats
    shares: Floats


def _forward(given: Packed, found: Coefficients) -> _Forward:
    cells = found.intercept + given.values @ found.weights
    best, within = _smooth_most(cells, given.sentences)
    least, between = _smooth_most(-best, given.rows)
    sizes = np.diff(np.append(given.sentences, len(cells)))
    return _Forward(-least, within * np.repeat(between, sizes))


def _smooth_most(values: Floats, starts: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """The smooth maximum of each part of ``values`` that begins at ``starts``, and its slope in
    each value."""
    sizes = np.diff(np.append(starts, len(values)))
    most = np.maximum.reduceat(values, starts)
    scaled = np.exp((values - np.repeat(most, sizes)) / SMOOTH)
    sums = np.add.reduceat(scaled, starts)
    return most + SMOOTH * np.log(sums), scaled / np.repeat(sums, sizes)


def log_loss(given: Packed, found: Coefficients) -> Floats:
    """Compute what each answer costs under a map. Minus the natural log of the probability of its
    label, shape (R,), 0 or more."""
    return np.logaddexp(0.0, (1 - 2 * given.labels) * answer_log_odds(given, found))


def fit(
    rows: Sequence[FitRow],
    chosen: Sequence[SupportTerm],
    *,
    hold: Hold,
    counts: Floats | None = None,
) -> Coefficients:
    """Fit intercept and weights by logistic regression with weights of 0 or more, held near a map.
    ``counts``: how much each row counts, shape (R,), 0 or more. All count 1 where it is None.
    Intercept and T weights; the centre of ``hold`` where no row is left."""
    tells = [bool(row.read.any()) for row in rows]
    kept = [row for row, told in zip(rows, tells, strict=True) if told]
    if not kept:
        return hold.centre
    given = packed(kept, chosen)
    times = np.ones(len(kept)) if counts is None else counts[tells]
    sizes = np.diff(np.append(given.rows, len(given.sentences)))
    of_sentences = np.diff(np.append(given.sentences, len(given.values)))
    centre = np.r_[hold.centre.intercept, hold.centre.weights]
    strength = np.r_[hold.of_intercept, np.full(len(chosen), hold.strength)]

    def loss(theta: Floats) -> tuple[float, Floats]:
        forward = _forward(given, Coefficients(float(theta[0]), theta[1:]))
        slopes = times * (1 / (1 + np.exp(-forward.answers)) - given.labels)
        of_cells = forward.shares * np.repeat(np.repeat(slopes, sizes), of_sentences)
        away = theta - centre
        costs = np.logaddexp(0.0, (1 - 2 * given.labels) * forward.answers)
        return (
            float(times @ costs + strength @ away**2),
            np.r_[of_cells.sum(), of_cells @ given.values] + 2 * strength * away,
        )

    return search(loss, chosen, hold.centre if hold.begins else None)


def search(
    loss: Callable[[Floats], tuple[float, Floats]],
    chosen: Sequence[SupportTerm],
    near: Coefficients | None = None,
) -> Coefficients:
    """Find the coefficients of least loss, with weights of 0 or more. Without a place to begin at
    there is more than one valley; the deepest of those below several beginnings is taken. The
    search is SciPy's L-BFGS-B. ``loss``: of intercept and weights, shape (1 + T,): its value, and
    its slope in each. Intercept and T weights."""
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    least = np.array([LEAST.get(name, 0.0) for name in chosen])
    beginnings = (
        [np.r_[0.0, np.maximum(begin, least)] for begin in _BEGINNINGS]
        if near is None
        else [np.r_[near.intercept, np.maximum(near.weights, least)]]
    )
    bounds = [(None, None), *((float(each), None) for each in least)]
    # A few numbers at a time: threads would wait for each other longer than they compute.
    with threadpool_limits(1, "blas"):
        found = [
            minimize(loss, begin, jac=True, bounds=bounds, method="L-BFGS-B")
            for begin in beginnings
        ]
    best = min(found, key=lambda result: float(result.fun)).x
    return Coefficients(float(best[0]), np.asarray(best[1:], dtype=np.float64))


def coefficients(support: SupportMap, chosen: Sequence[SupportTerm]) -> Coefficients:
    """Take the coefficients of a map of one kind of answer. A term that the map does not weigh has
    the weight 0."""
    known = {each.term: each.weight for each in support.weights}
    return Coefficients(support.intercept, np.array([known.get(name, 0.0) for name in chosen]))


def as_map(found: Coefficients, chosen: Sequence[SupportTerm]) -> SupportMap:
    """Make a map of one kind of answer from its coefficients. Rounded to three decimals, as it is
    kept; terms without weight are left out."""
    return SupportMap(
        round(found.intercept, _DECIMALS),
        tuple(
            SupportWeight(name, round(float(weight), _DECIMALS))
            for name, weight in zip(chosen, found.weights, strict=True)
            if weight >= _LEAST_WEIGHT
        ),
    )
