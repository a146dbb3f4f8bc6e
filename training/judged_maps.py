"""Fit the cascade's second map again on what people judged: ``python -m training.judged_maps``.

Reads the audits of :mod:`training.judged_verdicts`, of held-out documents alone. Each kind of
answer is fitted near the map that it has today. Prints the AUC of each set by today's maps and by
maps that were fitted without the row's document, the verdicts by threshold, and the maps as JSON.
``fresh_rag`` is in no fit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from provenance_core.audit.serialization import audit_from_plain
from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.scoring import fitting
from provenance_core.scoring.features import answer_kind, terms
from provenance_core.scoring.fitting import Coefficients, Hold, cells_to_fit, coefficients
from provenance_core.types import AnswerKind, Floats, SupportMap, SupportTerm
from training import support_map
from training.areas import by_set, table
from training.command import RUNS, Row, options, rows_of
from training.judged_mixture import FRESH
from training.judged_verdicts import RAG, WRITTEN, curve
from training.support_map import FOLDS, SetRow, answer_score, row_weights

COLUMNS = ("now", "fitted", "pairs")
DIVISIONS = (7, 8, 9)
MapOf = Mapping[AnswerKind, tuple[float, Floats]]


@dataclass(frozen=True, slots=True)
class Fit:
    """``terms``: those that a map may weigh. ``near``: how strongly each is held to today's map."""

    terms: tuple[SupportTerm, ...]
    today: MapOf
    near: float


def read_rows(path: Path) -> Iterator[tuple[Row, SetRow]]:
    """What was kept of each audit, and what a map reads of it."""
    for raw in rows_of(path):
        if "audit" in raw:
            evidence = audit_from_plain(raw.pop("audit")).evidence
            read = (answer_kind(evidence), terms(evidence), cells_to_fit(evidence))
            yield raw, SetRow(raw["document"], raw["label"], *read, raw["set"], raw["pairs"])


def fitted(rows: Sequence[SetRow], how: Fit) -> MapOf:
    """A map of each kind of answer, calibrated for the default aggregation."""
    found = {}
    for kind, today in how.today.items():
        own = [row for row in rows if row.kind is kind and row.read.any()]
        hold = Hold(Coefficients(*today), how.near)
        made = fitting.fit(own, how.terms, hold=hold, counts=row_weights(own))
        found[kind] = support_map.scaled(own, how.terms, made.intercept, made.weights)
    return found


def cross_validated(rows: Sequence[SetRow], how: Fit) -> Floats:
    """The score of each row by maps that saw no row of its document, and none of ``fresh_rag``."""
    seen = np.array([row.dataset != FRESH for row in rows])
    groups = sorted({row.group for row in rows})
    scores = np.zeros(len(rows))
    for seed in DIVISIONS:
        numbers = np.random.default_rng(seed).integers(0, FOLDS, len(groups))
        fold = dict(zip(groups, numbers, strict=True))
        of_rows = np.array([fold[row.group] for row in rows])
        for number in range(FOLDS):
            maps = fitted(
                [rows[at] for at in np.flatnonzero(seen & (of_rows != number)).tolist()], how
            )
            for at in np.flatnonzero(of_rows == number).tolist():
                scores[at] += answer_score(rows[at], how.terms, *maps[rows[at].kind])
    return scores / len(DIVISIONS)


def shown(maps: MapOf, chosen: Sequence[SupportTerm]) -> str:
    """The maps as a manifest has them."""
    found: dict[AnswerKind, dict[str, object]] = {}
    for kind, each in maps.items():
        made = fitting.as_map(Coefficients(*each), chosen)
        weights = {str(weight.term): weight.weight for weight in made.weights}
        found[kind] = {"intercept": made.intercept, "weights": weights}
    others = {"replies": found[AnswerKind.REPLY], "summaries": found[AnswerKind.SUMMARY]}
    return json.dumps(found[AnswerKind.CLAIM] | others, indent=1)


def begun(support: SupportMap, whole: float, share: float, near: float) -> Fit:
    """A fit near today's maps: their weights x ``share``, with ``whole`` for the whole answer."""
    kinds = {kind: support.of_kind(kind) for kind in AnswerKind}
    weighed = {weight.term for each in kinds.values() for weight in each.weights}
    chosen = tuple(term for term in SupportTerm if term in weighed | {SupportTerm.SECOND_WHOLE})
    today = {}
    for kind, each in kinds.items():
        found = coefficients(each, chosen)
        weights = share * found.weights
        weights[chosen.index(SupportTerm.SECOND_WHOLE)] = whole
        today[kind] = (share * found.intercept, weights)
    return Fit(chosen, today, near)


def scored(told: Sequence[Row], rows: Sequence[SetRow], how: Fit, now: Fit) -> list[Row]:
    """The rows with their scores."""
    by_fit = cross_validated(rows, how)
    by_now = [answer_score(row, now.terms, *now.today[row.kind]) for row in rows]
    return [
        each | {"now": before, "fitted": after}
        for each, before, after in zip(told, by_now, by_fit, strict=True)
    ]


def main() -> None:
    """Print the figures and the maps."""
    parser = options(__doc__)
    parser.add_argument("--rows", type=Path, default=RUNS / "judged_verdicts.jsonl")
    parser.add_argument("--whole", type=float, default=0.5, help="where its weight begins")
    parser.add_argument("--share", type=float, default=0.6, help="of today's other weights")
    parser.add_argument("--near", type=float, default=2.0, help="how strongly they are held")
    arguments = parser.parse_args()
    today = support_maps(get_profile("cascade")).second
    if today is None:
        raise SystemExit("The profile has no map of a second reading.")
    how = begun(today, arguments.whole, arguments.share, arguments.near)
    kinds = {kind: today.of_kind(kind) for kind in AnswerKind}
    as_now = {
        kind: (each.intercept, coefficients(each, how.terms).weights)
        for kind, each in kinds.items()
    }
    told, rows = map(list, zip(*read_rows(arguments.rows), strict=True))
    found = scored(told, rows, how, replace(how, today=as_now))
    areas = by_set(found, COLUMNS)
    rarer = {kind for kind, columns in areas.items() if columns["pairs"].rarer >= 10}
    means = {
        "RAG sets": lambda kind: kind in rarer and kind in RAG,
        "other judged sets": lambda kind: kind in rarer - {*RAG, WRITTEN, FRESH},
    }
    print(*table(areas, means), sep="\n")
    for sets in (RAG, (WRITTEN,), (FRESH,)):
        print("", *curve(found, sets, ("now", "fitted")), sep="\n")
    print(shown(fitted([row for row in rows if row.dataset != FRESH], how), how.terms))


if __name__ == "__main__":
    main()
