"""``evaluate``: a line of figures for each file of labelled rows."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from provenance_core import Provenance, default_parameters
from provenance_core.cli.arguments import parameters_from
from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.errors import InputError
from provenance_core.evaluation.datasets import LabelledFile, SkippedRow
from provenance_core.evaluation.run import (
    EvaluationResult,
    LengthScorer,
    Method,
    ProvenanceScorer,
    Scorer,
    WordOverlapScorer,
    evaluate_file,
)

# A file whose every row lacks a context would bury the terminal under one line a row.
_LINES_A_REASON = 10


def run_evaluate(options: argparse.Namespace) -> ExitCode:
    """Print a line a file; raises :class:`InputError` and ``ModelError`` with their messages.

    A file that cannot be read at all is reported and leaves the others to be scored; the exit
    status is then 2.
    """
    scorer = _scorer(options)
    status = ExitCode.SUCCESS
    if not options.json:
        print(_HEADER)
    for path in options.files:
        skips = _SkipReport(path)
        try:
            result = evaluate_file(
                path,
                scorer,
                limit=options.limit,
                seed=options.seed,
                on_skip=skips,
                on_progress=_Progress(path),
            )
        except InputError as error:
            print(f"error: {visible(str(error))}", file=sys.stderr)
            status = ExitCode.USAGE
            continue
        skips.summarise()
        print(json.dumps(result_object(result)) if options.json else result_line(result))
        sys.stdout.flush()
    return status


def result_object(result: EvaluationResult) -> dict[str, Any]:
    """JSON-able; areas and rates in [0, 1], null where ``note`` says why."""
    return {
        "dataset": result.dataset,
        "method": str(result.method),
        "n": result.n,
        "positives": result.positives,
        "base_rate": result.base_rate,
        "auc": result.auc,
        "auc_low": result.auc_low,
        "auc_high": result.auc_high,
        "average_precision": result.average_precision,
        "threshold": result.threshold,
        "balanced_accuracy": result.balanced_accuracy,
        "overlap_auc": result.overlap_auc,
        "length_auc": result.length_auc,
        "skipped": result.skipped,
        "skip_reasons": [
            {"reason": reason.reason, "rows": reason.rows} for reason in result.skip_reasons
        ],
        "seed": result.seed,
        "seconds": round(result.seconds, 3),
        "note": result.note,
    }


_HEADER = (
    f"{'dataset':<24} {'method':<12} {'n':>6} {'base rate':>9} {'AUC':>5}  {'95 % interval':<13} "
    f"{'overlap':>7} {'length':>6} {'AP':>5} {'bal. acc.':>9} {'skipped':>7}"
)


def result_line(result: EvaluationResult) -> str:
    """The figures as one line of a table, areas and rates x 100, ``-`` where there is none."""
    interval = (
        "-"
        if result.auc_low is None or result.auc_high is None
        else f"{100 * result.auc_low:.1f} - {100 * result.auc_high:.1f}"
    )
    line = (
        f"{visible(result.dataset):<24} {result.method:<12} {result.n:>6} "
        f"{percent(result.base_rate):>9} {percent(result.auc):>5}  {interval:<13} "
        f"{percent(result.overlap_auc):>7} {percent(result.length_auc):>6} "
        f"{percent(result.average_precision):>5} {percent(result.balanced_accuracy):>9} "
        f"{result.skipped:>7}"
    )
    return f"{line}  {visible(result.note)}" if result.note else line


def percent(value: float | None) -> str:
    """``value`` in [0, 1] x 100 with one decimal; ``-`` for None."""
    return "-" if value is None else f"{100 * value:.1f}"


def _scorer(options: argparse.Namespace) -> Scorer:
    match options.method:
        case Method.WORD_OVERLAP:
            return WordOverlapScorer()
        case Method.LENGTH:
            return LengthScorer()
    parameters = parameters_from(options, default_parameters(options.profile))
    return ProvenanceScorer(Provenance.load(options.profile), parameters)


class _SkipReport:
    """Reports rows left out as ``file:line: reason``, and counts what it does not list."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: Counter[str] = Counter()

    def __call__(self, file: LabelledFile, row: SkippedRow) -> None:
        self._rows[row.reason] += 1
        if self._rows[row.reason] <= _LINES_A_REASON:
            print(f"{self._path}:{row.line}: {visible(row.reason)}", file=sys.stderr)

    def summarise(self) -> None:
        for reason, rows in self._rows.items():
            if rows > _LINES_A_REASON:
                print(
                    f"{self._path}: {rows - _LINES_A_REASON:,} more rows: {visible(reason)}",
                    file=sys.stderr,
                )


class _Progress:
    """Rows done, on standard error, when a person is looking."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if not self._shown or (done % 10 and done != total):
            return
        end = "\r\x1b[K" if done == total else ""
        print(f"\r{self._name}: {done:,} of {total:,} rows", end=end, file=sys.stderr, flush=True)
