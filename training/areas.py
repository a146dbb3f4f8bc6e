"""How well scores rank labelled rows: the AUC of each set with its interval over documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from provenance_core.statistics.bootstrap import bootstrap_auc
from provenance_core.statistics.metrics import roc_auc
from provenance_core.statistics.types import Interval
from training.command import Row


@dataclass(frozen=True, slots=True)
class Area:
    """AUC x 100 with its 95 % interval over documents; ``rate``: share of supported rows."""

    auc: float
    low: float
    high: float
    count: int
    rate: float

    @property
    def rarer(self) -> float:
        """Rows of the label that is rarer."""
        return self.count * min(self.rate, 1 - self.rate)


def measured(rows: Sequence[Row], column: str) -> Area:
    """The AUC of a column, nan where all labels are the same; rows of a document are drawn
    together."""
    labels = [int(row["label"] == 1) for row in rows]
    scores = [float(row[column]) for row in rows]
    auc = roc_auc(labels, scores)
    found = bootstrap_auc(labels, scores, [row["document"] for row in rows]) or Interval(nan, nan)
    shown = (nan if auc is None else 100 * auc, 100 * found.low, 100 * found.high)
    return Area(*shown, len(rows), float(np.mean(labels)))


def by_set(rows: Iterable[Row], columns: Sequence[str]) -> dict[str, dict[str, Area]]:
    """The areas of every set, by column."""
    sets: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        sets[row["set"]].append(row)
    return {kind: {c: measured(some, c) for c in columns} for kind, some in sets.items()}


def table(
    areas: Mapping[str, Mapping[str, Area]], means: Mapping[str, Callable[[str], bool]]
) -> Iterator[str]:
    """A line of Markdown for each set, and one for each mean: what it is of, and which sets
    count."""
    columns = [*next(iter(areas.values()), {})]
    yield f"| set | n | supported | {' | '.join(columns)} |"
    yield "|---|" + "---|" * (len(columns) + 2)
    for kind, found in areas.items():
        first = found[columns[0]]
        cells = [f"{a.auc:.1f} ({a.low:.0f} to {a.high:.0f})" for a in found.values()]
        yield f"| {kind} | {first.count} | {first.rate:.2f} | {' | '.join(cells)} |"
    for name, counts in means.items():
        told = [found for kind, found in areas.items() if counts(kind)]
        cells = [f"{np.nanmean([found[c].auc for found in told]):.1f}" for c in columns]
        yield f"| mean of {len(told)} {name} | | | {' | '.join(cells)} |"
