"""Tables of the Compare page. Areas and shares of a run in [0, 1], as on the Thresholds page; rates
of candidate answers x 100."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from provenance_core import Verdict
from provenance_core.audit.serialization import to_plain
from provenance_core.evaluation.tables import ends, hundred
from provenance_core.statistics.candidates import CandidateRates, Strategy
from provenance_core.statistics.comparison import Comparison, Matched, Matching
from provenance_core.statistics.types import Interval
from reports.judged_elsewhere import brought_text
from reports.wording import depends_on, few_labels_note, few_labels_text, setting_text
from storage import Run

MATCHINGS = {
    Matching.ROW_ID: "row id",
    Matching.TEXT: "query and answer",
    Matching.SOURCE: "query and context (answers of other systems)",
    Matching.GROUP: "group (answers of other systems)",
}
STRATEGIES = {
    Strategy.HIGHEST_SCORE: "highest factuality score",
    Strategy.FEWEST_SPANS: "fewest detected spans",
    Strategy.NO_SPANS: "no detected span",
}


def match_table(runs: Sequence[Run], matched: Matched) -> pd.DataFrame:
    """How each run was made, and what became of its rows."""
    return pd.DataFrame(
        [
            (run.name, differing, run.rows, run.matched, run.unmatched, run.repeated,
             run.without_key)
            for run, differing in zip(matched.runs, settings_that_differ(runs), strict=True)
        ],
        columns=[
            "run", "settings that differ", "audited", "matched", "not in all runs", "repeated",
            "nothing to match by",
        ],
    )  # fmt: skip


def settings_that_differ(runs: Sequence[Run]) -> tuple[str, ...]:
    """Of each run, the profile and the parameters that are not the same in all, in words; a
    parameter that its detector does not read is left out."""
    every = [{"profile": run.profile, **to_plain(run.parameters)} for run in runs]
    names = [name for name in every[0] if len({str(each[name]) for each in every}) > 1]
    return tuple(
        ", ".join(
            setting_text(name, each[name])
            for name in names
            if name == "profile" or depends_on(run.parameters, name)
        )
        or ("none" if not names else "–")
        for run, each in zip(runs, every, strict=True)
    )


def ranking_text(comparison: Comparison) -> str:
    """By what :func:`figures_table` is ranked, in a sentence."""
    if _is_ranked(comparison):
        return "The runs are ranked by AUC against the labels, the best first."
    return (
        "The runs are not ranked by correctness: that needs rows labelled supported and rows "
        "labelled hallucinated. The order is that of the filter."
    )


def reviewers_text(matched: Matched) -> str:
    """How many matched rows have their label from reviewers, and in which audits of other runs
    these gave it; "" where no row has."""
    judged = [item for item in matched.items if item.judged_in]
    if not judged:
        return ""
    given = len(judged)
    rows = "1 matched row has its label" if given == 1 else f"{given:,} matched rows have labels"
    elsewhere = [
        number
        for item in judged
        for number in sorted(set(item.judged_in) - {row.audit_id for row in item.rows})[-1:]
    ]
    said = (
        f"{rows} from the majority of the reviewers or a gold label, where the data set has none."
    )
    return f"{said} {brought_text(elsewhere)}".strip()


def gold_differs_text(matched: Matched) -> str:
    """How many matched rows have a gold label that differs from the label of their file; "" without
    any."""
    count = sum(any(row.gold_differs for row in item.rows) for item in matched.items)
    if not count:
        return ""
    rows = "1 matched row has" if count == 1 else f"{count:,} matched rows have"
    return (
        f"{rows} a gold label that differs from the label of the file. Here the label of the file "
        "counts; Thresholds takes the gold label where you choose the reviewers."
    )


def unchecked_rows_text(matched: Matched) -> str:
    """How labelled rows count that have nothing to check in a run; "" without any."""
    count = sum(
        any(row.verdict is Verdict.NOTHING_TO_CHECK for row in item.rows)
        for item in matched.items
        if item.labelled
    )
    if not count:
        return ""
    rows, its, it = (
        ("labelled row has", "its score", "it")
        if count == 1
        else ("labelled rows have", "their scores", "them")
    )
    return (
        f"{count:,} {rows} nothing to check in a run: the AUC takes {its} there, and balanced "
        f"accuracy, precision, recall and F1 leave {it} out."
    )


def few_rows_text(comparison: Comparison) -> str:
    """That the AUCs are of too few labelled rows; "" where they are enough or there is none."""
    labelled = [found.labelled for found in comparison.runs if found.auc is not None]
    return few_labels_text(min(labelled)) if labelled else ""


def _is_ranked(comparison: Comparison) -> bool:
    return all(found.auc is not None for found in comparison.runs)


def figures_table(runs: Sequence[Run], comparison: Comparison) -> pd.DataFrame:
    """The figures of each run on the matched items, the best AUC first where all have one."""
    rows = []
    for run, found in zip(runs, comparison.runs, strict=True):
        verdicts = found.by_verdict
        rows.append(
            (
                run.name,
                found.labelled,
                found.auc,
                *_ends(found.interval),
                verdicts.balanced_accuracy if verdicts else None,
                verdicts.precision if verdicts else None,
                verdicts.recall if verdicts else None,
                verdicts.f1 if verdicts else None,
                found.said_hallucinated,
                found.hallucinated,
                found.reason,
            )
        )
    columns = [
        "run", "labelled", "AUC", "low", "high",
        "balanced accuracy", "precision", "recall", "F1", "verdict hallucinated",
        "label hallucinated", "note",
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    if _is_ranked(comparison):
        table = table.sort_values("AUC", ascending=False, kind="stable", ignore_index=True)
    return table


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)


def difference_table(comparison: Comparison) -> pd.DataFrame:
    """The AUC of each later run less that of the first."""
    return pd.DataFrame(
        [
            (d.second, d.first, d.difference, *_ends(d.interval), d.reason)
            for d in comparison.differences
        ],
        columns=["run", "compared with", "AUC difference", "low", "high", "note"],
    )


def rates_table(rates: CandidateRates) -> pd.DataFrame:
    """Hallucination rates before and after each strategy's choice. The note says which choice has
    few labels, where all together are enough: else the page says it of the whole table."""
    enough = not few_labels_note(rates.answers)
    return pd.DataFrame(
        [
            (
                STRATEGIES[found.strategy],
                found.sources,
                found.without,
                hundred(found.before),
                hundred(found.after),
                *ends(found.interval),
                hundred(found.suppressed),
                "; ".join(
                    filter(None, (found.reason, few_labels_note(found.answers) if enough else ""))
                ),
            )
            for found in rates.strategies
        ],
        columns=[
            "choice", "queries", "without a choice", "rate before", "rate after", "low", "high",
            "suppressed", "note",
        ],
    )  # fmt: skip
