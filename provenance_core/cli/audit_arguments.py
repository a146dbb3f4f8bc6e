"""The options of the commands that audit: ``audit``, ``evaluate``, ``batch`` and ``fit``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

from provenance_core.cli._argument_types import (
    FIELD_NAMES,
    detector,
    field_and_key,
    positive,
    profile,
    share,
    whole,
)
from provenance_core.cli.given_settings import option_of
from provenance_core.detectors import DETECTORS
from provenance_core.detectors.judge.settings import judge_settings_help
from provenance_core.evaluation.types import Method
from provenance_core.files.formats.registry import FORMATS
from provenance_core.models.catalogue.custom_profiles import CUSTOM
from provenance_core.models.catalogue.profiles import PROFILES, default_profile
from provenance_core.parameters import PARAMETERS, ParameterInfo
from provenance_core.types import DEFAULT_DETECTOR, Parameters

EVERY_METHOD = "all"
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
_METAVARS = {float: "X", int: "N", str: "NAME"}
_DEFAULTS = Parameters()


def add_audit(commands: Commands) -> None:
    """Add the command ``audit``."""
    audit = commands.add_parser(
        "audit",
        help="audit one answer",
        description=(
            "Audits one answer and prints verdict, sources and sentences. Exit status: 0 done; "
            "1 a model cannot be loaded or the judge not be asked; 2 bad arguments or unreadable "
            "input; 3 with --fail-below-threshold when the verdict is hallucinated."
        ),
        epilog=judge_settings_help(),
    )
    audit.add_argument(
        "--query", default="", help="the question; without one the answer takes its place"
    )
    answer = audit.add_mutually_exclusive_group(required=True)
    answer.add_argument("--answer", help="the answer to check")
    answer.add_argument(
        "--answer-file", metavar="FILE", help="the answer from a UTF-8 text file, - for stdin"
    )
    audit.add_argument(
        "--context",
        metavar="FILE",
        nargs="+",
        action="extend",
        required=True,
        help="UTF-8 text files, one context item each, - for stdin",
    )
    audit.add_argument("--json", action="store_true", help="print one JSON object")
    audit.add_argument(
        "--fail-below-threshold",
        action="store_true",
        help="exit with status 3 when the verdict is hallucinated",
    )
    _add_detector(audit)
    _add_parameters(audit)


def add_evaluate(commands: Commands) -> None:
    """Add the command ``evaluate``."""
    evaluate = commands.add_parser(
        "evaluate",
        help="score files of labelled rows",
        description=(
            "Scores labelled answers and prints one line for each file, with the three baselines "
            "on the same rows: the share of the answer's content words found in the context, "
            "ROUGE-2 precision against the context, and length (short = supported). Average "
            "precision is of the supported class; precision, recall and F1 are of the "
            "hallucinated one. Files are recognised by their keys: our own rows (query, context, "
            "answer, label; 1 = supported) and the formats in which the owners of public data "
            "sets distribute them. Exit status: 0 done, also when some rows were skipped; 1 a "
            "model cannot be loaded or the judge not be asked; 2 bad arguments, a file that "
            "cannot be read, or no row of any file was scored."
        ),
        epilog=judge_settings_help(),
    )
    evaluate.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="files, or folders of files"
    )
    evaluate.add_argument(
        "--format",
        metavar="NAME",
        choices=list(FORMATS),
        help="read every file as this: %(choices)s (default: by its keys)",
    )
    evaluate.add_argument(
        "--method",
        choices=[*DETECTORS, *map(str, Method), EVERY_METHOD],
        default=DEFAULT_DETECTOR,
        help="what scores the rows: %(choices)s; all is every detector that can be used as "
        "things are set, one after another (default: %(default)s)",
    )
    evaluate.add_argument(
        "--limit", type=positive, metavar="N", help="score the first N rows of a seeded shuffle"
    )
    evaluate.add_argument(
        "--seed",
        type=whole,
        default=0,
        help="of the shuffle and of the bootstrap (default: %(default)s)",
    )
    _add_outputs(evaluate)
    _add_parameters(evaluate)


def _add_outputs(evaluate: argparse.ArgumentParser) -> None:
    """Where the scores and figures of an evaluation go."""
    evaluate.add_argument("--json", action="store_true", help="print one JSON object a file")
    evaluate.add_argument(
        "--log",
        type=Path,
        metavar="DIR",
        help="keep each row's scores in DIR as they come; an interrupted run goes on from them",
    )
    evaluate.add_argument(
        "--report",
        type=Path,
        metavar="DIR",
        help="write DIR/scores, and DIR/results.json and DIR/RESULTS.md from all scores in it",
    )


def add_batch(commands: Commands) -> None:
    """Add the command ``batch``."""
    batch = commands.add_parser(
        "batch",
        help="audit the rows of a file and keep the audits",
        description=(
            "Audits every row of a file and keeps the audits: with --run in the database, as one "
            "run that the dashboard shows, with --out as Parquet, or both. It can be stopped at "
            "any moment and resumed; no row is audited twice. Exit status: 0 the run is done; 1 a "
            "model cannot be loaded, the judge not be asked or the database not be used; 2 bad "
            "arguments or unreadable input; 130 stopped."
        ),
        epilog=judge_settings_help(),
    )
    batch.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="rows with query, context and answer, as the keys of the file say, or a data set "
        "that formats --batch lists; a path, or an address that fsspec reads (s3://, gs://, "
        "https://)",
    )
    what = batch.add_mutually_exclusive_group()
    what.add_argument("--run", metavar="NAME", help="the name of the run")
    what.add_argument("--list", action="store_true", help="list the runs and how far they are")
    what.add_argument(
        "--work",
        type=positive,
        metavar="ID",
        help="work on a run that is queued, or whose worker has died, by its number",
    )
    batch.add_argument(
        "--out",
        metavar="LOCATION",
        help="write a row for each row of the file as Parquet: into a folder as they come, or into "
        "one file in .parquet at the end; a path or an address. With --run, once the run is done",
    )
    batch.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run of that name, as it was started; without --run, with the folder "
        "of --out, by the same command",
    )
    batch.add_argument(
        "--retry-failed",
        action="store_true",
        help="with --run and --resume: audit the rows that failed once more",
    )
    _add_reading(batch)
    _add_engine(batch)
    _add_detector(batch)
    _add_parameters(batch)


def _add_reading(batch: argparse.ArgumentParser) -> None:
    """How the file is read."""
    batch.add_argument(
        "--format", metavar="NAME", help="read the file as this format (default: by its keys)"
    )
    batch.add_argument(
        "--map",
        metavar="FIELD=KEY",
        nargs="+",
        action="extend",
        type=field_and_key,
        default=[],
        help=f"which key of the file holds which field ({', '.join(FIELD_NAMES)})",
    )


def _add_engine(batch: argparse.ArgumentParser) -> None:
    """Where the rows are scored, and with how many processes and cores."""
    batch.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="who scores: this process, or the machines of a Ray cluster, which need the extra "
        "cluster (default: %(default)s)",
    )
    batch.add_argument(
        "--address",
        default="",
        help="with --engine ray: of the cluster's head (default: a cluster on this machine)",
    )
    batch.add_argument(
        "--scorers",
        type=positive,
        default=1,
        help="with --engine ray: at most so many processes with models (default: %(default)s)",
    )
    batch.add_argument(
        "--scorer-cores",
        type=positive,
        default=1,
        help="with --engine ray: cores of each of these processes (default: %(default)s)",
    )
    batch.add_argument(
        "--scorer-gpus",
        type=share,
        default=0.0,
        metavar="X",
        help="with --engine ray and a profile of public models: GPUs of each of these processes, "
        "0.5 where two share one (default: none)",
    )


def add_fit(commands: Commands) -> None:
    """Add the command ``fit``."""
    fit = commands.add_parser(
        "fit",
        help="fit support map and threshold to labelled answers",
        description=(
            "Audits labelled answers, fits the support map of the profile and the threshold to "
            "their labels, and prints what the fit gains on answers that it has not seen. With "
            "--name it is kept in the database as a profile, which --profile then takes. Exit "
            "status: 0 done, also when the fit is not better; 1 a model cannot be loaded or the "
            "database not be used; 2 bad arguments, a file that cannot be read, or too few labels."
        ),
    )
    fit.add_argument(
        "files", metavar="FILE", nargs="*", type=Path, help="labelled rows, as evaluate reads them"
    )
    fit.add_argument(
        "--profile",
        type=profile,
        default=default_profile(),
        help="whose models measure, and whose map is fitted (default: %(default)s)",
    )
    fit.add_argument(
        "--format", metavar="NAME", choices=list(FORMATS), help="read every file as this"
    )
    fit.add_argument(
        "--limit", type=positive, metavar="N", help="fit to the first N rows of a seeded shuffle"
    )
    fit.add_argument(
        "--seed",
        type=whole,
        default=0,
        help="of the shuffle, the folds and the bootstrap (default: %(default)s)",
    )
    fit.add_argument("--name", metavar="TITLE", help="keep the fit as a profile of this title")
    fit.add_argument("--author", metavar="NAME", default="", help="with --name: who fitted it")
    other = fit.add_mutually_exclusive_group()
    other.add_argument("--list", action="store_true", help="list the fitted profiles")
    other.add_argument("--export", metavar="PROFILE", help="write a fitted profile as JSON")
    other.add_argument(
        "--import", metavar="FILE", type=Path, dest="imported", help="keep what --export wrote"
    )
    fit.add_argument(
        "--out", metavar="FILE", type=Path, help="with --export: the new file (default: stdout)"
    )


def _add_detector(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        type=detector,
        default=DEFAULT_DETECTOR,
        metavar="METHOD",
        help="the detector: "
        + " ".join(f"{each.name}: {each.explanation}" for each in DETECTORS.values())
        + " (default: %(default)s)",
    )


def _add_parameters(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("parameters", "each defaults to the profile's own value")
    group.add_argument(
        "--profile",
        type=profile,
        default=default_profile(),
        metavar="NAME",
        help=f"which models: {', '.join(PROFILES)}, or {CUSTOM} with --nli-model; models list "
        "says more (default: %(default)s)",
    )
    model = "OWNER/NAME, OWNER/NAME@REVISION, or a folder with a / or ./ in front"
    group.add_argument(
        "--nli-model", metavar="MODEL", help=f"with --profile {CUSTOM}: the NLI model, {model}"
    )
    group.add_argument(
        "--relevance-model",
        metavar="MODEL",
        help=f"with --profile {CUSTOM}: the relevance model (default: the embedded one)",
    )
    group.add_argument(
        "--entailment-label",
        type=whole,
        metavar="N",
        help=f"with --profile {CUSTOM}: index from 0 of the NLI model's class that means "
        "supported, where its classes have no names",
    )
    for info in PARAMETERS.values():
        _add_parameter(group, info)


def _add_parameter(group: argparse._ArgumentGroup, info: ParameterInfo) -> None:
    """The option of one parameter: a choice, a switch, a number or a text."""
    meaning = info.meaning
    if not info.of_every_detector:
        meaning = f"{_readers(info.name)}: {meaning}"
    default = getattr(_DEFAULTS, info.name)
    if info.choices:
        group.add_argument(
            option_of(info.name),
            type=lambda text: text.replace("-", "_"),
            choices=[choice.value.value for choice in info.choices],
            help=f"{meaning}: %(choices)s",
        )
    elif isinstance(default, bool):
        group.add_argument(option_of(info.name), action="store_true", default=None, help=meaning)
    else:
        group.add_argument(
            option_of(info.name), type=type(default), metavar=_METAVARS[type(default)], help=meaning
        )


def _readers(name: str) -> str:
    """The detectors that read a parameter, in words."""
    *others, last = [each.name for each in DETECTORS.values() if name in each.traits.uses]
    return f"{', '.join(others)} and {last}" if others else last
