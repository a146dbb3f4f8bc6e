"""Runs over the same items side by side: which rows belong together, and what differs.

Rows are matched before anything is compared, and every row that is left out is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from provenance_core.statistics.bootstrap import interval_of, resampled_areas, resamples_for
from provenance_core.statistics.metrics import at_threshold, has_both_classes, no_ranking, roc_auc
from provenance_core.statistics.types import AtThreshold, Interval
from provenance_core.types import Verdict


class Matching(StrEnum):
    """What makes rows of several runs the same item. ``ROW_ID``: the id that the file gives them.
    ``TEXT``: query and answer. ``SOURCE``: query and context, so that the answers may differ.
    ``GROUP``: the source document that the file names."""

    ROW_ID = "row_id"
    TEXT = "text"
    SOURCE = "source"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """An audited row of a run without its texts. ``texts``: digest of query and answer; ``source``:
    of query and context. ``label``: 1 = supported, 0 = hallucinated, None where nobody has said.
    ``judged_in``: the audit whose reviewers gave the label, this one or another of the same texts;
    None of the data set's label. ``gold_differs``: whether a gold label says otherwise than the
    data set's label, which counts."""

    audit_id: int
    line: int
    row_id: str
    texts: str
    source: str
    group: str
    label: int | None
    score: float
    threshold: float
    verdict: Verdict
    judged_in: int | None = None
    gold_differs: bool = False


@dataclass(frozen=True, slots=True)
class RunRows:
    """The audited rows of a run."""

    run_id: int
    name: str
    rows: tuple[ComparedRow, ...]


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """What became of the audited rows of a run. ``without_key``: rows that have nothing to be
    matched by. ``repeated``: rows that share it with another row of the run, so that nothing tells
    them apart. ``unmatched``: rows that another run lacks."""

    name: str
    rows: int
    matched: int
    without_key: int
    repeated: int
    unmatched: int


@dataclass(frozen=True, slots=True)
class ComparedItem:
    """A row of each run that belong together, in the order of the runs. ``same``: the runs judged
    the same query, context and answer. Then ``labels`` are the label that any of the rows has, of a
    data set before one of reviewers, else each row's own. ``disagreeing``: rows of the same texts
    with different labels; they keep none."""

    rows: tuple[ComparedRow, ...]
    labels: tuple[int | None, ...]
    same: bool
    disagreeing: bool

    @property
    def labelled(self) -> bool:
        """Whether the truth about the answer of every run is known."""
        return None not in self.labels

    @property
    def judged_in(self) -> tuple[int, ...]:
        """The audits whose reviewers gave a label of the item; none where a data set did."""
        if self.same and any(map(_by_data_set, self.rows)):
            return ()
        return tuple(row.judged_in for row in self.rows if row.judged_in is not None)


@dataclass(frozen=True, slots=True)
class Matched:
    """Items that all runs have. ``why`` says why they were matched by ``by``."""

    by: Matching
    why: str
    runs: tuple[MatchCounts, ...]
    items: tuple[ComparedItem, ...]

    @property
    def other_texts(self) -> int:
        """Items of which the runs judged different texts."""
        return sum(not item.same for item in self.items)


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run on the matched items. ``said_hallucinated``: share of the matched answers with that
    verdict, None without any. ``hallucinated``: share of the labelled answers with that label.
    ``auc`` (of the score) and ``by_verdict`` (of the verdicts as given, without the answers that
    have nothing to check) use the labelled answers; ``reason`` says why they are None."""

    name: str
    items: int
    labelled: int
    said_hallucinated: float | None
    hallucinated: float | None
    auc: float | None
    interval: Interval | None
    by_verdict: AtThreshold | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunDifference:
    """The AUC of the second run less that of the first, drawn together on the same items.
    ``reason`` says why there is none."""

    first: str
    second: str
    difference: float | None
    interval: Interval | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Figures of the matched items. ``groups``: source documents among the labelled ones.
    ``differences``: of each later run to the first. ``disagreeing``: items left out of figures that
    need labels because the runs' labels contradict each other."""

    runs: tuple[RunFigures, ...]
    differences: tuple[RunDifference, ...]
    groups: int
    disagreeing: int


class FlipOutcome(StrEnum):
    """Which of two different verdicts the labels bear out. ``BOTH_RIGHT`` and ``BOTH_WRONG``
    need answers that differ in truth; ``NOTHING_TO_CHECK`` is one of the two verdicts."""

    CORRECTED = "corrected"
    BROKEN = "broken"
    BOTH_RIGHT = "both_right"
    BOTH_WRONG = "both_wrong"
    NO_LABEL = "no_label"
    NOTHING_TO_CHECK = "nothing_to_check"


@dataclass(frozen=True, slots=True)
class RunFlip:
    """An item with different verdicts in two runs; ``corrected``: the second is right alone."""

    first: ComparedRow
    second: ComparedRow
    labels: tuple[int | None, int | None]
    outcome: FlipOutcome

    @property
    def to(self) -> Verdict:
        """The second run's verdict."""
        return self.second.verdict


Key = Callable[[ComparedRow], str]
_KEYS: dict[Matching, Key] = {
    Matching.ROW_ID: lambda row: row.row_id,
    Matching.TEXT: lambda row: row.texts,
    Matching.SOURCE: lambda row: row.source,
    Matching.GROUP: lambda row: row.group,
}


def match_runs(runs: Sequence[RunRows], by: Matching | None = None) -> Matched:
    """Match the rows of several runs, and say what was left out. Without ``by`` it takes the row
    id, when every run's are unique and some are in all runs. Else it takes query and answer, then
    query and context, then the group: the first that matches anything. Raises ValueError where
    there are fewer than two runs."""
    if len(runs) < 2:
        raise ValueError("a comparison needs two runs")
    if by is not None:
        return _matched(runs, by, "as chosen")
    ids = _matched(runs, Matching.ROW_ID, "every row has an id of its own")
    unique = all(not (run.without_key or run.repeated) for run in ids.runs)
    if unique and ids.items:
        return ids
    why = "no row id is in all runs" if unique else "not every row has an id of its own"
    for way, failed in (
        (Matching.TEXT, "no query and answer are in all runs"),
        (Matching.SOURCE, "no query and context are in all runs"),
        (Matching.GROUP, "no group is in all runs"),
    ):
        found = _matched(runs, way, why)
        if found.items:
            return found
        why = f"{why}; {failed}"
    return _matched(runs, Matching.TEXT, why)


def _matched(runs: Sequence[RunRows], by: Matching, why: str) -> Matched:
    key = _KEYS[by]
    times = [Counter(key(row) for row in run.rows) for run in runs]
    alone = [{value for value, n in counted.items() if value and n == 1} for counted in times]
    shared = reduce(set[str].__and__, alone)
    places = [{key(row): row for row in run.rows if key(row) in shared} for run in runs]
    counts = tuple(
        MatchCounts(
            run.name,
            rows=len(run.rows),
            matched=len(shared),
            without_key=counted[""],
            repeated=sum(n for value, n in counted.items() if value and n > 1),
            unmatched=len(own) - len(shared),
        )
        for run, counted, own in zip(runs, times, alone, strict=True)
    )
    items = tuple(_item(tuple(place[value] for place in places)) for value in places[0])
    return Matched(by, why, counts, items)


def _by_data_set(row: ComparedRow) -> bool:
    """Whether the row has a label that no reviewer gave."""
    return row.label is not None and row.judged_in is None


def _item(rows: tuple[ComparedRow, ...]) -> ComparedItem:
    same = len({(row.texts, row.source) for row in rows}) == 1
    own = tuple(row.label for row in rows)
    if not same:
        return ComparedItem(rows, own, False, False)
    of_data_set = {row.label for row in rows if _by_data_set(row)}
    known = of_data_set or {label for label in own if label is not None}
    label = known.pop() if len(known) == 1 else None
    return ComparedItem(rows, (label,) * len(rows), True, bool(known))


def compare(matched: Matched, *, resamples: int | None = None) -> Comparison:
    """Compare runs on the matched items. A group is what the first run's row names, else its query
    and context. Figures of each run, and their differences with intervals drawn over groups."""
    items = [item for item in matched.items if item.labelled]
    resamples = resamples_for(len(items)) if resamples is None else resamples
    groups = [item.rows[0].group or item.rows[0].source for item in items]
    figures, areas = [], []
    for index, counts in enumerate(matched.runs):
        labels = [label for item in items if (label := item.labels[index]) is not None]
        scores = [item.rows[index].score for item in items]
        drawn = resampled_areas(labels, scores, groups, resamples=resamples)
        areas.append(drawn)
        said = [item.rows[index].verdict is Verdict.HALLUCINATED for item in matched.items]
        called = [
            (label, float(verdict is Verdict.SUPPORTED))
            for label, item in zip(labels, items, strict=True)
            if (verdict := item.rows[index].verdict) is not Verdict.NOTHING_TO_CHECK
        ]
        interval = interval_of(drawn) if has_both_classes(labels) else None
        figures.append(
            RunFigures(
                counts.name,
                items=len(matched.items),
                labelled=len(items),
                said_hallucinated=float(np.mean(said)) if said else None,
                hallucinated=1 - float(np.mean(labels)) if labels else None,
                auc=roc_auc(labels, scores),
                interval=interval,
                by_verdict=at_threshold(
                    [label for label, _ in called], [verdict for _, verdict in called], 1.0
                ),
                reason=_reason(matched, labels, groups),
            )
        )
    return Comparison(
        tuple(figures),
        tuple(
            _difference(figures[0], figure, areas[0] - drawn)
            for figure, drawn in zip(figures[1:], areas[1:], strict=True)
        ),
        groups=len(set(groups)),
        disagreeing=sum(item.disagreeing for item in matched.items),
    )


def _difference(
    first: RunFigures, second: RunFigures, first_less_second: NDArray[np.float64]
) -> RunDifference:
    if first.auc is None or second.auc is None:
        return RunDifference(first.name, second.name, None, None, first.reason or second.reason)
    return RunDifference(
        first.name,
        second.name,
        second.auc - first.auc,
        interval_of(-first_less_second),
        first.reason or second.reason,
    )


def _reason(matched: Matched, labels: Sequence[int], groups: Sequence[str]) -> str:
    if not matched.items:
        return "no AUC: no row of this run is in all of the others"
    if reason := no_ranking(labels, "matched row with a label"):
        return reason
    if len(set(groups)) < 2:
        return "no interval: all rows come from one source document"
    return ""


def flips(matched: Matched, first: int, second: int) -> tuple[RunFlip, ...]:
    """List the items with different verdicts in two runs. The largest change of the score first."""
    found = []
    for item in matched.items:
        before, after = item.rows[first], item.rows[second]
        if before.verdict is after.verdict:
            continue
        labels = (item.labels[first], item.labels[second])
        found.append(RunFlip(before, after, labels, _outcome(before, after, labels)))
    return tuple(sorted(found, key=lambda flip: -abs(flip.second.score - flip.first.score)))


def _outcome(
    before: ComparedRow, after: ComparedRow, labels: tuple[int | None, int | None]
) -> FlipOutcome:
    if Verdict.NOTHING_TO_CHECK in (before.verdict, after.verdict):
        return FlipOutcome.NOTHING_TO_CHECK
    if None in labels:
        return FlipOutcome.NO_LABEL
    right = [
        (row.verdict is Verdict.SUPPORTED) == bool(label)
        for row, label in zip((before, after), labels, strict=True)
    ]
    match right:
        case [False, True]:
            return FlipOutcome.CORRECTED
        case [True, False]:
            return FlipOutcome.BROKEN
        case [True, True]:
            return FlipOutcome.BOTH_RIGHT
        case _:
            return FlipOutcome.BOTH_WRONG
