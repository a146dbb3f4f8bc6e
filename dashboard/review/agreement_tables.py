"""Tables of how far reviewers agree with each other and with the machine."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import pandas as pd

from provenance_core.review.types import GoldLabel
from provenance_core.statistics.agreement import Agreement, AgreementReport, ReviewerPair


class Unit(StrEnum):
    """What two raters are compared on."""

    ANSWERS = "answers"
    SENTENCES = "sentences"


def pairs_table(report: AgreementReport, unit: Unit) -> pd.DataFrame:
    """A row for each two reviewers."""
    rows = [
        (pair.first, pair.second, *_figures(_of(pair, unit), unit), _of(pair, unit).reason)
        for pair in report.pairs
    ]
    columns = ["reviewer", "other reviewer", *_names(unit), "note"]
    return pd.DataFrame(rows, columns=columns)


def machine_table(report: AgreementReport, unit: Unit) -> pd.DataFrame:
    """A row for each reviewer, and one for their majority, against the machine."""
    rows = []
    for against in report.machine:
        agreement = against.answers if unit is Unit.ANSWERS else against.sentences
        notes = [agreement.reason] if agreement.reason else []
        if agreement.undecided:
            notes.append(f"{agreement.undecided} left out: no majority.")
        blind = (against.blind,) if unit is Unit.ANSWERS else ()
        rows.append(
            (
                against.reviewer,
                *_figures(agreement, unit),
                agreement.cannot_tell,
                *blind,
                " ".join(notes),
            )
        )
    blind_column = ["judged blind"] if unit is Unit.ANSWERS else []
    columns = ["reviewer", *_names(unit), "cannot tell, left out", *blind_column, "note"]
    return pd.DataFrame(rows, columns=columns)


def gold_table(gold: Sequence[GoldLabel]) -> pd.DataFrame:
    """A row for each reviewer whose verdicts were settled: how many the gold labels confirm."""
    said = [
        (each.reviewer, each.verdict is label.verdict) for label in gold for each in label.settled
    ]
    rows = []
    for name in sorted({reviewer for reviewer, _ in said}):
        same = [confirmed for reviewer, confirmed in said if reviewer == name]
        rows.append((name, len(same), sum(same), sum(same) / len(same)))
    return pd.DataFrame(rows, columns=["reviewer", "n", "confirmed", "raw agreement"])


def spans_table(report: AgreementReport) -> pd.DataFrame:
    """A row for each two reviewers: overlap of the characters that they marked."""
    rows = [
        (
            pair.first,
            pair.second,
            pair.spans.answers,
            pair.spans.precision,
            pair.spans.recall,
            pair.spans.f1,
            pair.spans.reason,
        )
        for pair in report.pairs
    ]
    columns = ["reviewer", "other reviewer", "answers", "precision", "recall", "F1", "note"]
    return pd.DataFrame(rows, columns=columns)


def _names(unit: Unit) -> tuple[str, ...]:
    # Of answers, n is the number of audits.
    audits = () if unit is Unit.ANSWERS else ("audits",)
    return "n", *audits, "raw agreement", "kappa", "95 % interval"


def _of(pair: ReviewerPair, unit: Unit) -> Agreement:
    return pair.answers if unit is Unit.ANSWERS else pair.sentences


def _figures(agreement: Agreement, unit: Unit) -> tuple[float | str | None, ...]:
    """What stands under :func:`_names`."""
    interval = agreement.interval
    return (
        agreement.n,
        *(() if unit is Unit.ANSWERS else (agreement.audits,)),
        agreement.raw,
        agreement.kappa,
        None if interval is None else f"{interval.low:z.3f} to {interval.high:z.3f}",
    )
