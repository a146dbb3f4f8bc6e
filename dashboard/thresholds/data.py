"""Labelled answers and their scores for the Thresholds page, kept by filter and parameters.

What a function computes is kept by the plain values of its :class:`View`, so that
moving the slider reads nothing again. Nothing is kept beyond the next audit, label or review.
What is large is kept as a resource, without a copy at each reading: it is frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import streamlit as st

from provenance_core import DETECTORS, Parameters, default_parameters
from provenance_core.detectors import parameters_read
from provenance_core.explain.names import detector_title
from provenance_core.statistics.thresholds.best import best_thresholds, parts_of
from provenance_core.statistics.thresholds.curves import curves_of
from provenance_core.statistics.thresholds.figures import figures_at
from provenance_core.statistics.thresholds.types import (
    BestThreshold,
    Curves,
    Goal,
    LabelledScores,
    Part,
    ThresholdFigures,
)
from provenance_core.types import DEFAULT_DETECTOR, RelevanceMethod, SelectionStrategy, Verdict
from storage import (
    BulkScoreStore,
    ItemColumn,
    ItemFilter,
    ItemLabels,
    ItemStore,
    MeasuredAudit,
    Reviewed,
    database_url,
    scores_under,
)

MOST_PARTS = 12


class LabelSource(StrEnum):
    """Where labels come from: the data set, the majority of the reviewers, or the reviewers
    where they have a majority and the data set elsewhere."""

    DATA_SET = "data_set"
    REVIEWERS = "reviewers"
    REVIEWERS_FIRST = "reviewers_first"


LABEL_SOURCES = {
    LabelSource.DATA_SET: "data set",
    LabelSource.REVIEWERS: "majority of the reviewers",
    LabelSource.REVIEWERS_FIRST: "majority of the reviewers, else data set",
}
_LABELS: dict[LabelSource, Callable[[ItemLabels], int | None]] = {
    LabelSource.DATA_SET: lambda item: item.label,
    LabelSource.REVIEWERS: lambda item: item.opinion,
    LabelSource.REVIEWERS_FIRST: lambda item: item.label if item.opinion is None else item.opinion,
}


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """An item and the label that it has by the chosen source: 1 = supported, 0 = hallucinated.
    ``by_reviewers``: whether reviewers gave it, and not the data set."""

    item: ItemLabels
    label: int
    by_reviewers: bool = False


@dataclass(frozen=True, slots=True)
class LabelledItems:
    """The labelled items of ``total`` that pass the filter. ``parameters``: the different ones that
    the items were audited under. ``nothing_to_check``: labelled answers of which no sentence is to
    be checked; no threshold speaks of them. ``repeated``: items left out because reviewers gave
    their label to an answer of which another item counts."""

    items: tuple[LabelledItem, ...]
    parameters: tuple[Parameters, ...]
    total: int
    nothing_to_check: int = 0
    repeated: int = 0

    @property
    def judged_elsewhere(self) -> tuple[int, ...]:
        """For each item whose label reviewers gave in another audit of its answer, that audit."""
        said = (each.item for each in self.items if each.by_reviewers)
        return tuple(item.judged_in for item in said if item.judged_in is not None)

    @property
    def by_gold(self) -> int:
        """Items whose label a gold label gave, and no majority of the reviewers."""
        return sum(each.by_reviewers and each.item.by_gold for each in self.items)

    def values(self, column: ItemColumn) -> tuple[str, ...]:
        """The value of ``column`` of each item."""
        said = detector_title if column is ItemColumn.DETECTOR else str
        return tuple(said(getattr(each.item, column.value)) for each in self.items)

    def scored_under(self, parameters: Parameters) -> bool:
        """Whether the items' own scores are those under ``parameters``; another detector's than
        the paper's always are, and those by dense retrieval."""
        papers = {_of_score(given) for given in self.parameters if _by_sources(given)}
        return papers <= {_of_score(parameters)}


@dataclass(frozen=True, slots=True)
class ScoredBy:
    """How the items of a filter were scored. ``settings``: each different one, of which only the
    detector and what it reads are said; all else is at its default. ``threshold``: the one of all
    their verdicts; None where these have several."""

    settings: tuple[Parameters, ...]
    threshold: float | None = None

    @property
    def detectors(self) -> tuple[str, ...]:
        """The different detectors, in the order of their list."""
        found = {each.detector for each in self.settings}
        return tuple(name for name in DETECTORS if name in found)

    @property
    def as_stored(self) -> bool:
        """Whether no score can be computed anew, as only those of the paper's method with the
        relevance model can."""
        return bool(self.settings) and not any(map(_by_sources, self.settings))

    @property
    def mixes_relevance(self) -> bool:
        """Whether some scores of the paper's method are by the relevance model, which can be
        computed anew, and others by dense retrieval, which cannot."""
        papers = [s for s in self.settings if s.detector == DEFAULT_DETECTOR]
        return len(set(map(_by_sources, papers))) > 1

    def start(self, start: Parameters, profile: str) -> Parameters:
        """What the page shows at first, where a session starts with ``start``: of the detector
        that scored the items, with the settings that its scores are stored under and the threshold
        that the verdicts were given at."""
        found = self._settings(start, profile)
        return found if self.threshold is None else replace(found, threshold=self.threshold)

    def _settings(self, start: Parameters, profile: str) -> Parameters:
        """The same, with the threshold of ``start`` or of the detector."""
        detectors = self.detectors
        wanted = detectors[0] if len(detectors) == 1 else DEFAULT_DETECTOR
        if start.detector != wanted:
            start = default_parameters(profile, wanted)
        if not self.settings or len(detectors) > 1:
            return start
        stored = replace(self.settings[0], threshold=start.threshold)
        if not self.as_stored:
            # Nobody chose other settings, and those of the stored scores need no computing.
            if len(self.settings) == 1 and start == default_parameters(profile):
                return stored
            return replace(start, relevance_method=RelevanceMethod.CROSS_ENCODER)
        return stored


def _by_sources(given: Parameters) -> bool:
    """Whether scores are made of single sources, so that another selection or aggregation of what
    is stored gives another score."""
    return DETECTORS[given.detector].scores_sources(given)


def scored_by(chosen: ItemFilter, labels_from: LabelSource) -> ScoredBy:
    """How the items were scored that pass and may have a label. StorageError when they cannot be
    read."""
    url = database_url()
    wanted = _with_labels(chosen, labels_from)
    key = repr((url, BulkScoreStore.open(url).state(), wanted))
    given = _parameters(key, url, wanted)
    thresholds = {each.threshold for each in given}
    settings = tuple(sorted(set(map(_what_is_read, given)), key=repr))
    return ScoredBy(settings, thresholds.pop() if len(thresholds) == 1 else None)


def _with_labels(chosen: ItemFilter, labels_from: LabelSource) -> ItemFilter:
    """``chosen`` less what has no label, as far as the database can tell: the others may be many
    times more."""
    if labels_from is LabelSource.DATA_SET:
        return replace(chosen, labelled=True)
    if labels_from is LabelSource.REVIEWERS and chosen.reviewed is Reviewed.ANY:
        return replace(chosen, reviewed=Reviewed.REVIEWED)
    return replace(chosen, labelled_or_judged=True)


@st.cache_data(max_entries=8, show_spinner=False)
def _parameters(key: str, _url: str, _wanted: ItemFilter) -> tuple[Parameters, ...]:
    """The different parameters of the items. ``key``: of the database and the filter."""
    return tuple(made.parameters for made in ItemStore.open(_url).made_with(_wanted))


def _what_is_read(given: Parameters) -> Parameters:
    names = ("chunk_tokens", "overlap_sentences", *parameters_read(given))
    kept = {name: getattr(given, name) for name in names}
    return Parameters(detector=given.detector, **kept)


@dataclass(frozen=True, slots=True)
class View:
    """What the page shows: items, where their labels come from, and parameters of the score.
    ``state`` is that of the database, so that a view of another state is another view."""

    url: str
    state: str
    chosen: ItemFilter
    labels_from: LabelSource
    parameters: Parameters

    @property
    def items_key(self) -> str:
        """The plain values that the items depend on."""
        return repr((self.url, self.state, self.chosen, self.labels_from))

    @property
    def key(self) -> str:
        """The plain values that the scores depend on."""
        return repr((self.items_key, _of_score(self.parameters)))


def current_view(chosen: ItemFilter, labels_from: LabelSource, parameters: Parameters) -> View:
    """The view of the database as it is now. StorageError when it cannot be read."""
    url = database_url()
    return View(url, BulkScoreStore.open(url).state(), chosen, labels_from, parameters)


# A view is told from others by the plain values that what is kept depends on.
_OF_ITEMS: dict[str | type[Any], Callable[[Any], Any]] = {View: lambda view: view.items_key}
_OF_SCORES: dict[str | type[Any], Callable[[Any], Any]] = {View: lambda view: view.key, Goal: repr}


@st.cache_resource(max_entries=4, show_spinner="Reading the labels…", hash_funcs=_OF_ITEMS)
def labelled_items(view: View) -> LabelledItems:
    """The labelled items of ``view``. StorageError when they cannot be read."""
    store = ItemStore.open(view.url)
    wanted = _with_labels(view.chosen, view.labels_from)
    label_of = _LABELS[view.labels_from]
    reviewers = view.labels_from is not LabelSource.DATA_SET
    every = [
        LabelledItem(item, label, reviewers and item.opinion is not None)
        for item in store.labels(wanted)
        if (label := label_of(item)) is not None
    ]
    labelled = each_opinion_once(every)
    counted = tuple(x for x in labelled if x.item.verdict is not Verdict.NOTHING_TO_CHECK)
    return LabelledItems(
        counted,
        _parameters(repr((view.url, view.state, wanted)), view.url, wanted),
        store.page(view.chosen, limit=0).total,
        len(labelled) - len(counted),
        len(every) - len(labelled),
    )


def each_opinion_once(labelled: Sequence[LabelledItem]) -> list[LabelledItem]:
    """Of the items whose labels reviewers gave to one answer, the one that counts, in its place."""
    best: dict[int, LabelledItem] = {}
    for each in labelled:
        if each.by_reviewers:
            held = best.setdefault(each.item.answer, each)
            if each.item.counts_before > held.item.counts_before:
                best[each.item.answer] = each
    return [each for each in labelled if not each.by_reviewers or best[each.item.answer] is each]


@st.cache_resource(max_entries=4, show_spinner="Reading the stored scores…")
def _measured(key: str, numbers: tuple[int, ...], _url: str) -> dict[int, MeasuredAudit]:
    """What was measured of each audit, by number. ``key``: of the items."""
    found = BulkScoreStore.open(_url).measured(numbers)
    return {measured.id: measured for measured in found}


@st.cache_resource(max_entries=16, show_spinner="Computing the scores…", hash_funcs=_OF_SCORES)
def labelled_scores(view: View) -> LabelledScores:
    """The scores of the labelled items under the view's parameters, in the same order."""
    found = labelled_items(view)
    items = [each.item for each in found.items]
    as_audited = found.scored_under(view.parameters)
    # Rows that share an audit share what was measured. An item of a run has its group; the
    # others need their context for it.
    needed = [item for item in items if not (as_audited and item.group)]
    numbers = tuple(dict.fromkeys(item.audit_id for item in needed))
    measured = _measured(view.items_key, numbers, view.url) if numbers else {}
    if as_audited:
        scores = tuple(item.score for item in items)
    else:
        scores = scores_under((measured[item.audit_id] for item in items), view.parameters)
    return LabelledScores(
        scores,
        tuple(each.label for each in found.items),
        # Answers to the same context are not independent, with or without a name for it.
        tuple(item.group or measured[item.audit_id].context for item in items),
    )


def _of_score(parameters: Parameters) -> Parameters:
    """``parameters`` less what does not enter the arithmetic of a score."""
    standard = Parameters(detector=parameters.detector)
    unused = "top_k" if parameters.selection is SelectionStrategy.TOP_P else "top_p"
    names = ("threshold", "claim_form", "chunk_tokens", "overlap_sentences", unused)
    return replace(parameters, **{name: getattr(standard, name) for name in names})


@st.cache_resource(
    max_entries=16, show_spinner="Drawing samples for the bands…", hash_funcs=_OF_SCORES
)
def curves(view: View) -> Curves:
    """Curves of the view's scores."""
    return curves_of(labelled_scores(view))


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=_OF_SCORES)
def figures(view: View, threshold: float) -> ThresholdFigures:
    """Figures of the view's scores at ``threshold``."""
    return figures_at(labelled_scores(view), [threshold])[0]


@st.cache_data(
    max_entries=16, show_spinner="Looking for the best thresholds…", hash_funcs=_OF_SCORES
)
def best(view: View, goals: tuple[Goal, ...]) -> tuple[BestThreshold, ...]:
    """The best threshold of the view's scores for each goal."""
    return best_thresholds(labelled_scores(view), goals)


@st.cache_data(
    max_entries=32,
    show_spinner="Looking for the best threshold of each part…",
    hash_funcs=_OF_SCORES,
)
def parts(view: View, column: ItemColumn, threshold: float, goal: Goal) -> tuple[Part, ...]:
    """The largest parts of the view's items by ``column``, ``MOST_PARTS`` at most."""
    names = labelled_items(view).values(column)
    return parts_of(labelled_scores(view), names, threshold, goal, most=MOST_PARTS)
