"""The argument parser, and the parameters of an audit made from its options."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from api.settings import API_SETTINGS
from provenance_core.detectors import DETECTORS, parameters_read
from provenance_core.detectors.judge.settings import judge_settings_help
from provenance_core.environment import settings_help
from provenance_core.errors import InputError
from provenance_core.evaluation.types import Method
from provenance_core.files.formats.registry import FORMATS
from provenance_core.files.types import FieldMapping
from provenance_core.models.catalogue.custom_profiles import CUSTOM
from provenance_core.models.catalogue.profiles import (
    PROFILES,
    custom_profile,
    default_profile,
    is_profile_name,
    keep_custom_profile,
)
from provenance_core.models.hub.cache import require_models
from provenance_core.models.settings import model_settings_help
from provenance_core.parameters import PARAMETERS, ParameterInfo
from provenance_core.types import DEFAULT_DETECTOR, Parameters

STANDARD_INPUT = "-"
EVERY_METHOD = "all"

PARAMETER_NAMES = tuple(PARAMETERS)
PROFILE_OPTIONS = ("profile", "nli_model", "relevance_model", "entailment_label")
_METAVARS = {float: "X", int: "N", str: "NAME"}
_DEFAULTS = Parameters()
FIELD_NAMES = tuple(field.name for field in fields(FieldMapping))


def build_parser() -> argparse.ArgumentParser:
    """Make the whole parser; ``python -m provenance_core --help`` prints it.

    Returns
    -------
    argparse.ArgumentParser
        With a parser of its own for each command.
    """
    parser = argparse.ArgumentParser(
        prog="python -m provenance_core",
        description="Checks whether an answer is supported by its context.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_audit(commands)
    _add_evaluate(commands)
    _add_batch(commands)
    _add_fit(commands)
    _add_preset(commands)
    _add_run(commands)
    _add_export(commands)
    _add_import(commands)
    _add_backups(commands)
    _add_retention(commands)
    _add_health(commands)
    _add_serve(commands)
    formats = commands.add_parser(
        "formats",
        help="list the files that evaluate or batch reads",
        description="Lists the data sets that evaluate reads: which file to give, the label "
        "rule, the published counts, and why a figure is not zero-shot.",
    )
    formats.add_argument(
        "--batch",
        action="store_true",
        help="list instead the files that a batch run reads, and by which keys they are recognised",
    )
    _add_models(commands)
    return parser


def parameters_from(options: argparse.Namespace, defaults: Parameters) -> Parameters:
    """Put the options that were given into parameters.

    Parameters
    ----------
    options : argparse.Namespace
        Of a command that audits.
    defaults : Parameters
        What is not given stays as in these.

    Returns
    -------
    Parameters
        Parameters in their ranges.

    Raises
    ------
    InputError
        A value is outside its range.
    """
    given: dict[str, Any] = {
        name: getattr(options, name)
        for name in PARAMETER_NAMES
        if getattr(options, name) is not None
    }
    try:
        return replace(defaults, **given)
    except ValueError as error:
        raise InputError(str(error)) from error


def check_read(options: argparse.Namespace, parameters: Parameters, method: str = "") -> None:
    """Refuse an option that would change nothing, because the method does not read it.

    Parameters
    ----------
    options : argparse.Namespace
        Of a command that audits.
    parameters : Parameters
        By :func:`parameters_from`.
    method : str, default ""
        One that is no detector, and reads none; "" means the detector of ``parameters``.

    Raises
    ------
    InputError
        There is such an option; the message names it.
    """
    uses = () if method else DETECTORS[parameters.detector].traits.uses
    read = {name for name, info in PARAMETERS.items() if info.of_every_detector}
    if not method:
        read.update(parameters_read(parameters))
    unread = [
        name for name in PARAMETERS if getattr(options, name) is not None and name not in read
    ]
    if not unread:
        return
    cures = [f"{_option(name)} needs {_needed(name)}." for name in unread if name in uses]
    them = "it" if len(unread) == 1 else "them"
    leave = f"{'Else leave' if cures else 'Leave'} {them} out, or choose another method."
    raise InputError(
        f"{', '.join(map(_option, unread))} would change nothing: the "
        f"method {method or parameters.detector} does not read {them} as things are set. "
        + " ".join([*cures, leave])
    )


def profile_from(options: argparse.Namespace) -> str:
    """Name the profile that was asked for; a custom one is kept under its name.

    Parameters
    ----------
    options : argparse.Namespace
        Of a command that loads models.

    Returns
    -------
    str
        Name of the profile.

    Raises
    ------
    InputError
        Options do not go together.
    ModelError
        The models of a custom profile are not here.
    """
    given = (options.nli_model, options.relevance_model, options.entailment_label)
    if options.profile != CUSTOM:
        if any(each is not None for each in given):
            raise InputError(
                "--nli-model, --relevance-model and --entailment-label are for --profile "
                f"{CUSTOM}: add it, or leave them out"
            )
        return str(options.profile)
    if options.nli_model is None:
        raise InputError(f"--profile {CUSTOM} needs --nli-model with the NLI model")
    # What cannot be loaded is not kept.
    require_models(custom_profile(*given))
    return keep_custom_profile(*given).name


def _add_audit(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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


def _add_evaluate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
        "--limit", type=_positive, metavar="N", help="score the first N rows of a seeded shuffle"
    )
    evaluate.add_argument(
        "--seed",
        type=_whole,
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


def _add_batch(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
        type=_positive,
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
        type=_field_and_key,
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
        type=_positive,
        default=1,
        help="with --engine ray: at most so many processes with models (default: %(default)s)",
    )
    batch.add_argument(
        "--scorer-cores",
        type=_positive,
        default=1,
        help="with --engine ray: cores of each of these processes (default: %(default)s)",
    )
    batch.add_argument(
        "--scorer-gpus",
        type=_share,
        default=0.0,
        metavar="X",
        help="with --engine ray and a profile of public models: GPUs of each of these processes, "
        "0.5 where two share one (default: none)",
    )


def _add_fit(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
        type=_profile,
        default=default_profile(),
        help="whose models measure, and whose map is fitted (default: %(default)s)",
    )
    fit.add_argument(
        "--format", metavar="NAME", choices=list(FORMATS), help="read every file as this"
    )
    fit.add_argument(
        "--limit", type=_positive, metavar="N", help="fit to the first N rows of a seeded shuffle"
    )
    fit.add_argument(
        "--seed",
        type=_whole,
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


def _add_preset(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    preset = commands.add_parser(
        "preset",
        help="list presets, and bring them to another database as files",
        description=(
            "Lists the presets of the database, writes one as JSON, or keeps one that was written "
            "so. No preset is overwritten, and none that is imported is the default. Exit status: "
            "0 done; 1 the database cannot be used, has no such preset or another one of the name; "
            "2 bad arguments, or a file that cannot be read."
        ),
    )
    asked = preset.add_mutually_exclusive_group(required=True)
    asked.add_argument("--list", action="store_true", help="list the presets")
    asked.add_argument("--export", metavar="NAME", help="write a preset as JSON")
    asked.add_argument(
        "--import", metavar="FILE", type=Path, dest="imported", help="keep what --export wrote"
    )
    preset.add_argument(
        "--out", metavar="FILE", type=Path, help="with --export: the new file (default: stdout)"
    )
    preset.add_argument(
        "--name", default="", help="with --import: what to call it (default: its name in the file)"
    )


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = commands.add_parser(
        "run",
        help="list runs, and rename one",
        description=(
            "Lists the runs of the database, the newest first, or gives one another name. Its "
            "number, rows and audits stay, and files that were exported under the old name still "
            "find it. Exit status: 0 done; 1 the database cannot be used or has no such run; 2 bad "
            "arguments, or a name that cannot be given."
        ),
    )
    asked = run.add_mutually_exclusive_group(required=True)
    asked.add_argument("--list", action="store_true", help="list the runs")
    asked.add_argument("--rename", metavar="NAME", help="give the run of this name another one")
    run.add_argument("--to", metavar="NAME", help="with --rename: the new name")


def _add_export(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    export = commands.add_parser(
        "export",
        help="write saved audits to a file",
        description=(
            "Writes the audits of the database to standard output or a new file. Exit status: "
            "0 written; 1 the database cannot be used; 2 bad arguments, or a file that cannot be "
            "written."
        ),
    )
    export.add_argument("--run", metavar="NAME", help="the rows of this run (default: every audit)")
    export.add_argument(
        "--format",
        metavar="NAME",
        default="jsonl",
        help="csv, html, jsonl, label-studio, langfuse, phoenix, ragtruth, ragtruth-reviewers or "
        "ragtruth-sources (default: %(default)s)",
    )
    export.add_argument(
        "--out", metavar="FILE", type=Path, help="the new file (default: standard output)"
    )


def _add_import(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    importing = commands.add_parser(
        "import",
        help="import audits from a full export or results, or people's labels from another tool",
        description=(
            "Keeps the audits and reviews of a full export, or the audits among the results of a "
            "batch, in the database; what is there already stays as it is. The runs that they were "
            "rows of, and the rows' ids and labels, are not imported. Of a file of Label Studio, "
            "Phoenix or Langfuse it keeps people's labels as reviews of the audits that were "
            "exported there. Exit status: 0 all of the rest is there; 1 the database cannot be "
            "used; 2 a file or a line that cannot be read."
        ),
    )
    importing.add_argument(
        "file",
        metavar="FILE",
        help="a full export, or the JSON that an audit's page gave; the file or folder that batch "
        "--out wrote, also at an address; or what Label Studio, Phoenix or Langfuse gave back",
    )
    importing.add_argument(
        "--run",
        metavar="NAME",
        default="",
        help="of labels: the run that was exported; needed where several runs have the same ids",
    )


def _add_backups(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    status = "Exit status: 0 done; 1 it cannot be done, and nothing was changed; 2 bad arguments."
    backup = commands.add_parser(
        "backup",
        help="copy the database to a file",
        description=f"Copies the SQLite database, also while the app uses it, and checks the "
        f"copy. {status}",
    )
    backup.add_argument("file", metavar="FILE", type=Path, help="the new file")
    restore = commands.add_parser(
        "restore",
        help="put a copy in the place of the database",
        description="Checks a copy and puts it in the place of the SQLite database, also while "
        f"the app uses it. What was there before is kept beside it. {status}",
    )
    restore.add_argument("file", metavar="FILE", type=Path, help="a copy that backup wrote")
    check = commands.add_parser(
        "check",
        help="check the database",
        description="Looks through the SQLite database, also while the app uses it, for damage. "
        "Exit status: 0 whole; 1 damaged, or it cannot be read; 2 bad arguments.",
    )
    check.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="a copy (default: the database)"
    )
    commands.add_parser(
        "compact",
        help="take what was deleted out of the database's files",
        description="Writes the SQLite database anew, so that its files hold nothing of what was "
        "deleted from it and take less room. Needs as much free room as the database has. "
        f"{status}",
    )


def _add_retention(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    retention = commands.add_parser(
        "retention",
        help="delete audits and runs by age",
        description="Deletes the audits and runs that are older than a number of days, with all "
        "that belongs to them, and records their numbers among the actions. Exit status: 0 done; "
        "1 the database cannot be used; 2 bad arguments.",
    )
    retention.add_argument(
        "--days",
        type=_positive,
        metavar="N",
        help="the age (default: PROVENANCE_RETENTION_DAYS)",
    )
    retention.add_argument(
        "--dry-run", action="store_true", help="list what would be deleted, and delete nothing"
    )


def _add_health(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    health = commands.add_parser(
        "health",
        help="say whether models, database and disk can be used",
        description="Prints one JSON object, or serves it at /ready (status 503 when something "
        "cannot be used) beside metrics for Prometheus at /metrics, for this machine alone. Exit "
        "status: 0 ready; 1 not ready; 2 bad arguments.",
    )
    health.add_argument("--serve", type=_positive, metavar="PORT", help="serve at this port")


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    serve = commands.add_parser(
        "serve",
        help="serve the REST interface",
        description="Serves the REST interface under /api/v1 until it is ended, without the "
        "dashboard (streamlit run server.py serves both). Without [auth] in "
        ".streamlit/secrets.toml it answers this machine alone. Exit status: 0 ended; 1 the extra "
        "api is not installed; 2 bad arguments, or an address that cannot be used.",
        epilog=settings_help(API_SETTINGS, "serve"),
    )
    serve.add_argument(
        "--host", default="127.0.0.1", help="answer at this address (default: %(default)s)"
    )
    serve.add_argument(
        "--port",
        type=_port,
        default=8600,
        metavar="PORT",
        help="answer at this port, 0 for any that is free (default: %(default)s)",
    )


def _add_models(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    models = commands.add_parser(
        "models",
        help="list, get, check and remove the models of the profiles",
        description=(
            "The embedded profile needs none of this. Exit status: 0 done; 1 a model cannot be "
            "downloaded, or a file is not as it was downloaded; 2 bad arguments."
        ),
        epilog=model_settings_help(),
    )
    actions = models.add_subparsers(dest="action", required=True, metavar="ACTION")
    named = "a profile, OWNER/NAME or OWNER/NAME@REVISION"
    listing = actions.add_parser(
        "list", help="the profiles, what they are good for, and what of them is downloaded"
    )
    listing.add_argument(
        "--markdown", action="store_true", help="print only the table that the README holds"
    )
    get = actions.add_parser(
        "get", help="download models; one that was interrupted goes on where it stopped"
    )
    get.add_argument("names", metavar="NAME", nargs="+", help=named)
    check = actions.add_parser("check", help="compare the files with what was downloaded")
    check.add_argument("names", metavar="NAME", nargs="*", help=f"{named} (default: all)")
    remove = actions.add_parser("remove", help="delete downloaded models")
    remove.add_argument("names", metavar="NAME", nargs="*", help=named)
    remove.add_argument("--all", action="store_true", help="delete every downloaded model")


def _add_detector(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        type=_detector,
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
        type=_profile,
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
        type=_whole,
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
            _option(info.name),
            type=lambda text: text.replace("-", "_"),
            choices=[choice.value.value for choice in info.choices],
            help=f"{meaning}: %(choices)s",
        )
    elif isinstance(default, bool):
        group.add_argument(_option(info.name), action="store_true", default=None, help=meaning)
    else:
        group.add_argument(
            _option(info.name), type=type(default), metavar=_METAVARS[type(default)], help=meaning
        )


def _readers(name: str) -> str:
    """The detectors that read a parameter, in words."""
    *others, last = [each.name for each in DETECTORS.values() if name in each.traits.uses]
    return f"{', '.join(others)} and {last}" if others else last


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _needed(name: str) -> str:
    """What must be set so that a parameter counts."""
    condition = PARAMETERS[name].condition
    if condition is None:
        return "another method"
    return f"{_option(condition.name)} {condition.value}"


def _field_and_key(text: str) -> tuple[str, str]:
    name, equals, key = text.partition("=")
    if not equals or name not in FIELD_NAMES:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not FIELD=KEY with FIELD one of {', '.join(FIELD_NAMES)}"
        )
    return name, key


def _detector(text: str) -> str:
    if text not in DETECTORS:
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {', '.join(DETECTORS)}")
    return text


def _profile(text: str) -> str:
    if text == CUSTOM or is_profile_name(text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is not one of {', '.join([*PROFILES, CUSTOM])}")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more, not {value}")
    return value


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be 0 or more, not {text}")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 65_535:
        raise argparse.ArgumentTypeError(f"must be 0 to 65535, not {value}")
    return value


def _whole(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be 0 or more, not {value}")
    return value
