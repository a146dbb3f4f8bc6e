"""Choose the map of replies of the second reading: ``python -m training.judged_maps``.

Reads the audits of :mod:`training.judged_verdicts`, of held-out documents alone. They are too few
to fit every weight: the fits by folds were worse than today's map. So three numbers are chosen: the
share of today's weights that stays, and the weights of the window and of the whole answer. Prints
what each choice gives; for the one that is asked for, the AUC of each set and the verdicts by
threshold beside today's map, and the map. It is scaled (Platt, 1999) on replies that people judged
and written ones, and lowered by ``--lower`` log odds: the threshold of 0.5 is then where most of
the hallucinated RAG answers are found with few false alarms. ``fresh_rag`` is in no fit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from provenance_core.audit.serialization import audit_from_plain
from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.scoring.fitting import LEAST, coefficients
from provenance_core.types import AnswerKind, Floats, SupportMap, SupportTerm
from training.areas import by_set, table
from training.command import RUNS, Row, options, rows_of
from training.judged_mixture import FRESH
from training.judged_verdicts import RAG, WRITTEN, curve
from training.support_map import SetRow, answer_score, plain_map, scaled

READ = (SupportTerm.SECOND_WINDOW, SupportTerm.SECOND_WHOLE)
SHARES = (1.0, 0.7, 0.5, 0.35)
WINDOWS = (0.0, 0.15, 0.3, 0.45)
WHOLES = (0.0, 0.15, 0.3)
COLUMNS = ("now", "chosen", "pairs")


@dataclass(frozen=True, slots=True)
class Choice:
    """``share``: of the weights of the map of today that stays; the weights of both readings."""

    share: float
    window: float
    whole: float


def read_rows(path: Path) -> Iterator[tuple[Row, SetRow]]:
    """What was kept of each audited reply, and what a map reads of it."""
    for raw in rows_of(path):
        if "audit" in raw:
            evidence = audit_from_plain(raw.pop("audit")).evidence
            row = SetRow.of(evidence, raw["document"], raw["label"], raw["set"], raw["pairs"])
            if row.kind is AnswerKind.REPLY:
                yield raw, row


def chosen_map(
    today: SupportMap, weighed: Sequence[SupportTerm], choice: Choice
) -> tuple[float, Floats]:
    """Intercept and weights of a choice, before they are scaled."""
    found = coefficients(today, weighed)
    weights = choice.share * found.weights
    for term, weight in zip(READ, (choice.window, choice.whole), strict=True):
        weights[weighed.index(term)] = weight
    least = np.array([LEAST.get(term, 0.0) for term in weighed])
    return choice.share * found.intercept, np.maximum(weights, least)


def scores(
    rows: Sequence[SetRow], weighed: Sequence[SupportTerm], of: tuple[float, Floats]
) -> Floats:
    """The score of each row by a map."""
    return np.array([answer_score(row, weighed, *of) for row in rows])


def line(told: Sequence[Row], found: Floats, choice: Choice) -> str:
    """What a choice gives."""
    rows = [row | {"now": score} for row, score in zip(told, found, strict=True)]
    areas = by_set(rows, ("now",))
    rag = [areas[name]["now"].auc for name in RAG if name in areas and name != "expertqa"]
    others = (areas[name]["now"].auc for name in (WRITTEN, FRESH))
    cells = [choice.share, choice.window, choice.whole]
    return f"| {' | '.join(map(str, cells))} | {np.mean(rag):.1f} | " + " | ".join(
        f"{area:.1f}" for area in others
    )


def main() -> None:
    """Print the figures and the map."""
    parser = options(__doc__)
    parser.add_argument("--rows", type=Path, nargs="*", default=[RUNS / "judged_verdicts.jsonl"])
    parser.add_argument("--share", type=float, default=0.5, help="(%(default)s)")
    parser.add_argument("--window", type=float, default=0.45, help="(%(default)s)")
    parser.add_argument("--whole", type=float, default=0.15, help="(%(default)s)")
    parser.add_argument("--lower", type=float, default=0.08, help="in log odds (%(default)s)")
    arguments = parser.parse_args()
    second = support_maps(get_profile("cascade")).second
    if second is None:
        raise SystemExit("The profile has no map of a second reading.")
    today = second.of_kind(AnswerKind.REPLY)
    pairs = [pair for path in arguments.rows for pair in read_rows(path)]
    told, rows = [raw for raw, _ in pairs], [row for _, row in pairs]
    known = {weight.term for weight in today.weights} | set(READ)
    weighed = tuple(term for term in SupportTerm if term in known)
    print("| share | window | whole | RAG sets without ExpertQA | written | fresh_rag |")
    print("|---|---|---|---|---|---|")
    for share, window, whole in product(SHARES, WINDOWS, WHOLES):
        choice = Choice(share, window, whole)
        print(line(told, scores(rows, weighed, chosen_map(today, weighed, choice)), choice), "|")
    choice = Choice(arguments.share, arguments.window, arguments.whole)
    fitted = [row for row in rows if row.dataset != FRESH and row.read.any()]
    intercept, weights = scaled(fitted, weighed, *chosen_map(today, weighed, choice))
    made = (intercept - arguments.lower, weights)
    now = scores(rows, weighed, (today.intercept, coefficients(today, weighed).weights))
    found = [
        raw | {"now": before, "chosen": after}
        for raw, before, after in zip(told, now, scores(rows, weighed, made), strict=True)
    ]
    print("", *table(by_set(found, COLUMNS), {"RAG sets": RAG.__contains__}), sep="\n")
    for sets in (RAG, tuple(name for name in RAG if name != "expertqa"), (WRITTEN,), (FRESH,)):
        print("", *curve(found, sets, COLUMNS[:2]), sep="\n")
    print(json.dumps(plain_map(made, weighed), indent=1))


if __name__ == "__main__":
    main()
