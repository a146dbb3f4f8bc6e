"""``evaluate``: a line of figures for each file of labelled rows, and the tables of a report."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from provenance_core import Provenance, default_parameters
from provenance_core.cli.arguments import PARAMETER_NAMES, build_parser, parameters_from
from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.row_reports import ProgressLine, SkipReport
from provenance_core.errors import InputError
from provenance_core.evaluation.datasets import files_in, read_labelled_file
from provenance_core.evaluation.dense import DenseScorer, load_encoder
from provenance_core.evaluation.report import SCORES, compute_results, kin_of, write_results
from provenance_core.evaluation.scorers import (
    BASELINES,
    BaselineScorer,
    ProvenanceScorer,
    Scorer,
)
from provenance_core.evaluation.scoring import score_file, write_scored_set
from provenance_core.evaluation.summary import summarise
from provenance_core.evaluation.tables import Cell, auc_of, ends, hundred
from provenance_core.evaluation.types import (
    EvaluationResult,
    LabelledFile,
    Method,
    ScoredSet,
)
from provenance_core.serialization import to_plain
from provenance_core.types import ModelInfo, Parameters

SCHEMA = "provenance-evaluation/1"


def run_evaluate(options: argparse.Namespace) -> ExitCode:
    """Print a line a file; raises :class:`InputError` and ``ModelError`` with their messages.

    A file that cannot be read at all is reported and leaves the others to be scored; the exit
    status is then 2.
    """
    parameters = parameters_from(options, default_parameters(options.profile))
    scorer, models = _scorer(options, parameters)
    scorers = [scorer, *(b for b in BASELINES if b.method is not scorer.method)]
    made_with = _made_with(models, parameters)
    command = command_line(options) if options.report else ""
    status = ExitCode.SUCCESS
    if options.report:  # found out before hours of scoring, not after
        (options.report / SCORES).mkdir(parents=True, exist_ok=True)
    if not options.json:
        print(_HEADER)
    read: dict[str, Path] = {}
    for path in [file for given in options.files for file in files_in(given)]:
        try:
            file = read_labelled_file(path, options.format)
            if options.report and file.dataset in read:
                raise InputError(
                    f"{path}: its scores would take the place of those of {read[file.dataset]}, "
                    f"since both are called {file.dataset}; rename one, or report them apart"
                )
            read[file.dataset] = path
            scored = _score(file, scorers, options)
        except InputError as error:
            print(f"error: {visible(str(error))}", file=sys.stderr)
            status = ExitCode.USAGE
            continue
        if options.report:
            kept = replace(scored, command=command, made_with=made_with)
            write_scored_set(kept, options.report / SCORES)
        result = summarise(scored, kin=kin_of(scored.dataset), seed=options.seed)
        print(json.dumps(result_object(result)) if options.json else result_line(result))
        sys.stdout.flush()
    if options.report:
        write_results(compute_results(options.report, seed=options.seed), options.report)
    return status


def command_line(options: argparse.Namespace) -> str:
    """The command as a reader can give it; files by their names alone, so that no path of the
    machine is kept."""
    given = ["python", "-m", "provenance_core", "evaluate", *_names(options.files)]
    defaults = build_parser().parse_args(["evaluate", "FILE"])
    for name in ("format", "method", "limit", "seed", "profile", *PARAMETER_NAMES):
        value = getattr(options, name)
        if value != getattr(defaults, name):
            given += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join([*given, "--report", *_names([options.report])])


def result_object(result: EvaluationResult) -> dict[str, object]:
    """JSON-able; areas and rates in [0, 1], null where ``note`` says why."""
    return {"schema": SCHEMA, **to_plain(result)}


_HEADER = (
    f"{'dataset':<24} {'method':<12} {'n':>6} {'base rate':>9} {'AUC':>5}  {'95 % interval':<13} "
    f"{'overlap':>7} {'ROUGE-2':>7} {'length':>6} {'AP':>5} {'bal. acc.':>9} {'F1':>5} {'ECE':>5} "
    f"{'skipped':>7}"
)


def result_line(result: EvaluationResult) -> str:
    """The figures as one line of a table, areas and rates x 100, ``-`` where there is none."""
    own = result.figures[0]
    at, fit = own.at_threshold, own.calibration
    low, high = ends(own.interval)
    interval = "-" if low is None else f"{low} - {high}"
    line = (
        f"{visible(result.dataset):<24} {result.method:<12} {result.n:>6} "
        f"{_cell(hundred(result.base_rate)):>9} {_cell(hundred(own.auc)):>5}  {interval:<13} "
        f"{_cell(auc_of(result, Method.WORD_OVERLAP)):>7} "
        f"{_cell(auc_of(result, Method.ROUGE_2)):>7} {_cell(auc_of(result, Method.LENGTH)):>6} "
        f"{_cell(hundred(own.average_precision)):>5} "
        f"{_cell(hundred(at.balanced_accuracy if at else None)):>9} "
        f"{_cell(hundred(at.f1 if at else None)):>5} {_cell(hundred(fit.ece if fit else None)):>5} "
        f"{sum(r.rows for r in result.skipped):>7}"
    )
    return f"{line}  {visible(result.note)}" if result.note else line


def _cell(value: Cell) -> str:
    return "-" if value is None else str(value)


def _score(file: LabelledFile, scorers: Sequence[Scorer], options: argparse.Namespace) -> ScoredSet:
    path = file.path
    for warning in file.warnings:
        print(f"{path}: warning: {visible(warning)}", file=sys.stderr)
    skips = SkipReport(path)
    scored = score_file(
        file,
        scorers,
        limit=options.limit,
        seed=options.seed,
        log_folder=options.log,
        on_skip=lambda file, row: skips.add(row.line, row.reason),
        on_progress=ProgressLine(path.name),
    )
    skips.summarise()
    return scored


def _scorer(
    options: argparse.Namespace, parameters: Parameters
) -> tuple[Scorer, tuple[ModelInfo, ...]]:
    """The method that was asked for, and the models of the profile that it reads."""
    if options.method in {baseline.method for baseline in BASELINES}:
        return BaselineScorer(options.method), ()
    provenance = Provenance.load(options.profile)
    if options.method is Method.DENSE:
        return DenseScorer(load_encoder(), provenance.nli), (provenance.nli.info,)
    models = (provenance.nli.info, provenance.relevance.info)
    return ProvenanceScorer(provenance, parameters), models


def _made_with(infos: Sequence[ModelInfo], parameters: Parameters) -> tuple[str, ...]:
    """Models and parameters in words, for the report; nothing where no model is read."""
    if not infos:
        return ()
    models = (
        f"{info.task}: {info.model_id}, revision {info.revision}, SHA-256 `{info.sha256}`"
        for info in infos
    )
    settings = ", ".join(f"{name} {value}" for name, value in to_plain(parameters).items())
    return (*models, f"parameters: {settings}")


def _names(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        yield path.resolve().name
