"""``evaluate``: a line of figures for each file of labelled rows, and the tables of a report."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from provenance_core import Provenance, default_parameters
from provenance_core.audit.serialization import to_plain
from provenance_core.cli.arguments import build_parser
from provenance_core.cli.audit_arguments import EVERY_METHOD
from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.given_settings import (
    PROFILE_OPTIONS,
    check_read,
    parameters_from,
    profile_from,
)
from provenance_core.cli.row_reports import ProgressLine, SkipReport
from provenance_core.detectors import DETECTORS, get_detector
from provenance_core.errors import InputError, ModelError
from provenance_core.evaluation.report import (
    SCORES,
    compute_results,
    training_overlap_of,
    write_results,
)
from provenance_core.evaluation.scorers import (
    BASELINES,
    BaselineScorer,
    DenseScorer,
    DetectorScorer,
    Scorer,
)
from provenance_core.evaluation.scoring import score_file, write_scored_set
from provenance_core.evaluation.summary import summarise
from provenance_core.evaluation.tables import Cell, auc_of, ends, hundred
from provenance_core.evaluation.types import (
    BASELINE_METHODS,
    EvaluationResult,
    Method,
    ScoredSet,
)
from provenance_core.files.labelled import files_in, read_labelled_file
from provenance_core.files.types import LabelledFile
from provenance_core.models.catalogue.profiles import is_folder
from provenance_core.models.pair_memory import PairMemory
from provenance_core.parameters import PARAMETERS
from provenance_core.types import DEFAULT_DETECTOR, ModelInfo, Parameters

SCHEMA = "provenance-evaluation/1"


def run_evaluate(options: argparse.Namespace) -> ExitCode:
    """Score labelled files and print one line for each.

    A file that cannot be read at all is reported and leaves the others to be scored; the exit
    status is then 2, and so it is when not a single row of any file was scored.

    How the command ends. Raises InputError Options do not go together, or a parameter is out of
    range, and ModelError The models cannot be loaded.
    """
    every = options.method == EVERY_METHOD
    methods: tuple[str, ...] = (str(options.method),)
    if every:
        methods = _usable(DETECTORS, lambda name: get_detector(name).unavailable())
    models = (
        Provenance.load(profile_from(options)) if set(methods) - set(BASELINE_METHODS) else None
    )
    if models and every:
        loaded = models
        methods = _usable(methods, lambda name: get_detector(name).unfit(loaded))
    memory = PairMemory() if len(methods) > 1 else None  # they score many of the same pairs
    asked = [_asked(options, method, models, memory) for method in methods]
    command = command_line(options) if options.report else ""
    status = ExitCode.SUCCESS
    if options.report:  # found out before hours of scoring, not after
        (options.report / SCORES).mkdir(parents=True, exist_ok=True)
    if not options.json:
        print(_HEADER)
    read: dict[str, Path] = {}
    opened: list[LabelledFile] = []
    scored = 0
    for path in [file for given in options.files for file in files_in(given)]:
        try:
            file = read_labelled_file(path, options.format)
            if options.report and file.dataset in read:
                raise InputError(
                    f"{path}: its scores would take the place of those of {read[file.dataset]}, "
                    f"since both are called {file.dataset}; rename one, or report them apart"
                )
            read[file.dataset] = path
            opened.append(file)
            for one in asked:
                scored += _evaluate(one, file, command, options)
        except InputError as error:
            print(f"error: {visible(str(error))}", file=sys.stderr)
            status = ExitCode.USAGE
    if options.report:
        write_results(compute_results(options.report, seed=options.seed), options.report)
    if not scored and asked:
        for file in opened:
            print(f"error: {visible(_none_scored(file))}", file=sys.stderr)
        status = ExitCode.USAGE
    return status


def _none_scored(file: LabelledFile) -> str:
    rows = len(file.rows) + len(file.unreadable)
    if not rows:
        return f"{file.path}: the file has no rows; give one with at least one labelled answer"
    return (
        f"{file.path}: no row was scored, of {rows:,}; the lines above say why: fix those rows, "
        "or give a file whose answers have a context and a label"
    )


def command_line(options: argparse.Namespace) -> str:
    """Write the command as a reader can give it.

    Files by their names alone, so that no path of the machine is kept.
    """
    given = ["python", "-m", "provenance_core", "evaluate", *_names(options.files)]
    defaults = build_parser().parse_args(["evaluate", "FILE"])
    for name in ("format", "method", "limit", "seed", *PROFILE_OPTIONS, *PARAMETERS):
        value = getattr(options, name)
        if name.endswith("_model") and value and is_folder(value):
            value = f"./{Path(value).name}"
        if value != getattr(defaults, name):
            option = f"--{name.replace('_', '-')}"
            given += [option] if value is True else [option, str(value)]
    return shlex.join([*given, "--report", *_names([options.report])])


def result_object(result: EvaluationResult) -> dict[str, object]:
    """Turn a result into objects, lists, strings and numbers.

    Areas and rates in [0, 1], null where ``note`` says why.
    """
    return {"schema": SCHEMA, **to_plain(result)}


_HEADER = (
    f"{'dataset':<24} {'method':<12} {'n':>6} {'base rate':>9} {'AUC':>5}  {'95 % interval':<13} "
    f"{'overlap':>7} {'ROUGE-2':>7} {'length':>6} {'AP':>5} {'bal. acc.':>9} {'F1':>5} {'ECE':>5} "
    f"{'skipped':>7}"
)


def result_line(result: EvaluationResult) -> str:
    """Write the figures as one line of a table.

    Areas and rates x 100, ``-`` where there is none.
    """
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
        on_skip=lambda file, row: skips.add(row),
        on_progress=ProgressLine(path.name),
    )
    skips.summarise()
    return scored


@dataclass(frozen=True, slots=True)
class _Asked:
    """A method that was asked for, and what it is made of, in words."""

    scorer: Scorer
    made_with: tuple[str, ...]


def _usable(methods: Iterable[str], why_not: Callable[[str], str]) -> tuple[str, ...]:
    """Those of ``methods`` that can be used; the reason for each other goes to standard error."""
    usable: list[str] = []
    for method in methods:
        if reason := why_not(method):
            print(f"{method} is left out. {visible(reason)}", file=sys.stderr)
        else:
            usable.append(method)
    return tuple(usable)


def _asked(
    options: argparse.Namespace,
    method: str,
    models: Provenance | None,
    memory: PairMemory | None,
) -> _Asked:
    """``models`` are None for a baseline alone. InputError for parameters out of range, ModelError
    when the method cannot be used as things are set."""
    if models is None or method in BASELINE_METHODS:
        return _Asked(BaselineScorer(Method(method)), ())
    detector = DEFAULT_DETECTOR if method == Method.DENSE else method
    if reason := get_detector(detector).unavailable() or get_detector(detector).unfit(models):
        raise ModelError(reason)
    parameters = parameters_from(options, default_parameters(models.profile, detector))
    if options.method != EVERY_METHOD:
        check_read(options, parameters, str(method) if method == Method.DENSE else "")
    if method == Method.DENSE:
        dense = DenseScorer(models, memory)
        return _Asked(dense, _made_with(dense.models, dense.parameters))
    made_with = _made_with(models.models_of(parameters), parameters)
    if judge := get_detector(detector).judge():
        made_with = (
            f"judge: {judge.model_id} at {judge.host}, temperature {judge.temperature}",
            *made_with,
        )
    return _Asked(DetectorScorer(models, parameters, memory), made_with)


def _evaluate(asked: _Asked, file: LabelledFile, command: str, options: argparse.Namespace) -> int:
    """Score a file by one method, keep the scores for the report, print the figures; how many
    rows were scored."""
    method = asked.scorer.method
    scorers = [asked.scorer, *(b for b in BASELINES if b.method != method)]
    scored = _score(file, scorers, options)
    if options.report:
        kept = replace(scored, command=command, made_with=asked.made_with)
        write_scored_set(kept, options.report / SCORES)
    result = summarise(
        scored, training_overlap=training_overlap_of(scored.dataset), seed=options.seed
    )
    print(json.dumps(result_object(result)) if options.json else result_line(result))
    sys.stdout.flush()
    return len(scored.rows)


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
