"""``evaluate``: a line of figures for each file of labelled rows, and the tables of a report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from provenance_core import Provenance, default_parameters
from provenance_core.audit.serialization import to_plain
from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.given_settings import (
    Settings,
    check_read,
    option_of,
    parameters_from,
    profile_from,
)
from provenance_core.cli.options import (
    FILE,
    as_json,
    labelled_format,
    limit,
    option,
    seed,
    settings_options,
)
from provenance_core.cli.output import complain, say, visible
from provenance_core.cli.row_reports import RowProgress, SkipReport
from provenance_core.detectors import DETECTORS, asked_model, get_detector, unusable
from provenance_core.detectors.judge.settings import judge_settings_help
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
from provenance_core.evaluation.types import BASELINE_METHODS, EvaluationResult, Method, ScoredSet
from provenance_core.files.labelled import files_in, read_labelled_file
from provenance_core.files.types import LabelledFile
from provenance_core.models.catalogue.profiles import is_folder
from provenance_core.models.pair_memory import PairMemory
from provenance_core.types import DEFAULT_DETECTOR, ModelInfo, Parameters, current_detector

SCHEMA = "provenance-evaluation/1"
EVERY_METHOD = "all"
_METHODS = [*DETECTORS, *map(str, Method), EVERY_METHOD]


def _method(text: str) -> str:
    """A detector, a baseline, or all."""
    if (name := current_detector(text)) not in _METHODS:
        raise click.BadParameter(f"{text!r} is not one of {', '.join(_METHODS)}")
    return name


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """What ``evaluate`` was asked for."""

    files: tuple[Path, ...]
    format: str | None
    limit: int | None
    seed: int
    as_json: bool
    log: Path | None
    report: Path | None
    settings: Settings


@click.command(cls=Command, epilog=judge_settings_help())
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@labelled_format
@limit
@seed
@as_json
@option(
    "--log DIR",
    "keep each row's scores in DIR as they come; an interrupted run goes on from them",
    type=FILE,
)
@option(
    "--report DIR",
    "write DIR/scores, and DIR/results.json and DIR/RESULTS.md from all scores in it",
    type=FILE,
)
@settings_options(
    option(
        "--method METHOD",
        f"what scores the rows: {', '.join(_METHODS)}; all is every detector that can be used as "
        "things are set, one after another",
        type=_method,
        default=DEFAULT_DETECTOR,
    )
)
def evaluate(**given: Any) -> ExitCode:
    """Scores labelled answers and prints one line for each FILE, or file in a folder, with the
    baselines on the same rows: the share of the answer's content words found in the context,
    ROUGE-2 precision against the context, and length (short = supported). Average precision is of
    the supported class; precision, recall and F1 are of the hallucinated one. Files are recognised
    by their keys: our own rows (query, context, answer, label; 1 = supported) and the formats in
    which the owners of public data sets distribute them.

    Exit status: 0 done, also when some rows were skipped; 1 a model cannot be loaded or the judge
    not be asked; 2 bad arguments, a file that cannot be read, or no row of any file was scored."""
    options = EvaluateOptions(**given)
    asked = _all_asked(options.settings)
    command = command_line(options) if options.report else ""
    status = ExitCode.SUCCESS
    if options.report:  # found out before hours of scoring, not after
        (options.report / SCORES).mkdir(parents=True, exist_ok=True)
    if not options.as_json:
        say(_HEADER)
    read: dict[str, Path] = {}
    opened: list[LabelledFile] = []
    scored = 0
    for path in [file for given in options.files for file in files_in(given)]:
        try:
            file = read_labelled_file(path, options.format)
            if options.report and file.dataset in read:
                raise InputError(
                    f"{path}: its scores would replace those of {read[file.dataset]}, since both "
                    f"are called {file.dataset}; rename one, or report them separately"
                )
            read[file.dataset] = path
            opened.append(file)
            for one in asked:
                scored += _evaluate(one, file, command, options)
        except InputError as error:
            complain(f"error: {visible(str(error))}")
            status = ExitCode.USAGE
    if options.report:
        write_results(compute_results(options.report, seed=options.seed), options.report)
    if not scored and asked:
        for file in opened:
            complain(f"error: {_none_scored(file)}")
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


def command_line(options: EvaluateOptions) -> str:
    """Write the command as a reader can give it, with files by their names alone, so that no path
    of the machine is kept."""
    given = ["python", "-m", "provenance_core", "evaluate", *_names(options.files)]
    settings = dict(options.settings.given())
    own = {
        "format": options.format,
        "method": settings.pop("method", None),
        "limit": options.limit,
        "seed": options.seed or None,
    }
    for name, value in {**own, **settings}.items():
        if name.endswith("_model") and is_folder(str(value)):
            value = f"./{Path(str(value)).name}"
        if value is not None:
            given += [option_of(name)] if value is True else [option_of(name), str(value)]
    report = [options.report] if options.report else []
    return shlex.join([*given, "--report", *_names(report)])


_HEADER = (
    f"{'dataset':<24} {'method':<12} {'n':>6} {'base rate':>9} {'AUC':>5}  {'95 % interval':<13} "
    f"{'overlap':>7} {'ROUGE-2':>7} {'length':>6} {'AP':>5} {'bal. acc.':>9} {'F1':>5} {'ECE':>5} "
    f"{'skipped':>7}"
)


def result_line(result: EvaluationResult) -> str:
    """The figures as one line of a table: areas and rates x 100, ``-`` where there is none."""
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


def _score(file: LabelledFile, scorers: Sequence[Scorer], options: EvaluateOptions) -> ScoredSet:
    path = file.path
    for warning in file.warnings:
        complain(f"{path}: warning: {visible(warning)}")
    skips = SkipReport(path)
    scored = score_file(
        file,
        scorers,
        limit=options.limit,
        seed=options.seed,
        log_folder=options.log,
        on_skip=lambda file, row: skips.add(row),
        on_progress=RowProgress(path.name),
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
            complain(f"{method} is left out. {visible(reason)}")
        else:
            usable.append(method)
    return tuple(usable)


def _all_asked(settings: Settings) -> Sequence[_Asked]:
    """What was asked for: one method, or every detector that can be used. Errors as below."""
    every = settings.method == EVERY_METHOD
    methods: tuple[str, ...] = (settings.method,)
    if every:
        methods = _usable(DETECTORS, lambda name: get_detector(name).unavailable())
    if not set(methods) - set(BASELINE_METHODS):
        return [_asked(settings, method, None, None) for method in methods]
    models = Provenance.load(profile_from(settings))
    if every:
        methods = _usable(methods, lambda name: get_detector(name).unfit(models))
    memory = PairMemory() if len(methods) > 1 else None  # they score many of the same pairs
    return [_asked(settings, method, models, memory) for method in methods]


def _asked(
    settings: Settings, method: str, models: Provenance | None, memory: PairMemory | None
) -> _Asked:
    """Prepare a method. ``models`` are None for a baseline alone. Raises InputError if parameters
    are out of range, and ModelError if the method cannot be used as things are set."""
    if models is None or method in BASELINE_METHODS:
        return _Asked(BaselineScorer(Method(method)), ())
    detector = DEFAULT_DETECTOR if method == Method.DENSE else method
    parameters = parameters_from(settings, default_parameters(models.profile, detector))
    if reason := unusable(parameters) or get_detector(detector).unfit(models):
        raise ModelError(reason)
    if settings.method != EVERY_METHOD:
        check_read(settings, parameters, str(method) if method == Method.DENSE else "")
    if method == Method.DENSE:
        dense = DenseScorer(models, memory)
        return _Asked(dense, _made_with(dense.models, dense.parameters))
    made_with = _made_with(models.models_of(parameters), parameters)
    if judge := asked_model(parameters):
        made_with = (
            f"judge: {judge.model_id} at {judge.host}, temperature {judge.temperature}",
            *made_with,
        )
    return _Asked(DetectorScorer(models, parameters, memory), made_with)


def _evaluate(asked: _Asked, file: LabelledFile, command: str, options: EvaluateOptions) -> int:
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
    plain = {"schema": SCHEMA, **to_plain(result)}  # null where ``note`` says why
    line = json.dumps(plain) if options.as_json else result_line(result)
    say(line, flush=True)
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
