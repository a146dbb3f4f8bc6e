"""The argument parser of all commands."""

from __future__ import annotations

import argparse
from pathlib import Path

from api.settings import API_SETTINGS
from provenance_core.cli._argument_types import port, positive
from provenance_core.cli.audit_arguments import (
    Commands,
    add_audit,
    add_batch,
    add_evaluate,
    add_fit,
)
from provenance_core.environment import settings_help
from provenance_core.models.settings import model_settings_help


def build_parser() -> argparse.ArgumentParser:
    """Make the whole parser; ``python -m provenance_core --help`` prints it.

    With a parser of its own for each command.
    """
    parser = argparse.ArgumentParser(
        prog="python -m provenance_core",
        description="Checks whether an answer is supported by its context.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_audit(commands)
    add_evaluate(commands)
    add_batch(commands)
    add_fit(commands)
    _add_preset(commands)
    _add_run(commands)
    _add_export(commands)
    _add_import(commands)
    _add_backups(commands)
    _add_retention(commands)
    _add_health(commands)
    _add_app(commands)
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


def _add_preset(commands: Commands) -> None:
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


def _add_run(commands: Commands) -> None:
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


def _add_export(commands: Commands) -> None:
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


def _add_import(commands: Commands) -> None:
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


def _add_backups(commands: Commands) -> None:
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


def _add_retention(commands: Commands) -> None:
    retention = commands.add_parser(
        "retention",
        help="delete audits and runs by age",
        description="Deletes the audits and runs that are older than a number of days, with all "
        "that belongs to them, and records their numbers among the actions. Exit status: 0 done; "
        "1 the database cannot be used; 2 bad arguments.",
    )
    retention.add_argument(
        "--days",
        type=positive,
        metavar="N",
        help="the age (default: PROVENANCE_RETENTION_DAYS)",
    )
    retention.add_argument(
        "--dry-run", action="store_true", help="list what would be deleted, and delete nothing"
    )


def _add_health(commands: Commands) -> None:
    health = commands.add_parser(
        "health",
        help="say whether models, database and disk can be used",
        description="Prints one JSON object, or serves it at /ready (status 503 when something "
        "cannot be used) beside metrics for Prometheus at /metrics, for this machine alone. Exit "
        "status: 0 ready; 1 not ready; 2 bad arguments.",
    )
    health.add_argument("--serve", type=positive, metavar="PORT", help="serve at this port")


def _add_app(commands: Commands) -> None:
    app = commands.add_parser(
        "app",
        help="open the dashboard",
        description="Serves the dashboard until it is ended, and opens it in a browser. Exit "
        "status: 0 ended; 1 the extra app is not installed; 2 bad arguments.",
    )
    _add_address(app, 8501)
    app.add_argument("--rest", action="store_true", help="serve the REST interface too, under /api")
    app.add_argument("--headless", action="store_true", help="open no browser")


def _add_serve(commands: Commands) -> None:
    serve = commands.add_parser(
        "serve",
        help="serve the REST interface",
        description="Serves the REST interface under /api/v1 until it is ended, without the "
        "dashboard (app --rest serves both). Without [auth] in "
        ".streamlit/secrets.toml it answers this machine alone. Exit status: 0 ended; 1 the extra "
        "api is not installed; 2 bad arguments, or an address that cannot be used.",
        epilog=settings_help(API_SETTINGS, "serve"),
    )
    _add_address(serve, 8600)


def _add_address(parser: argparse.ArgumentParser, default_port: int) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", help="answer at this address (default: %(default)s)"
    )
    parser.add_argument(
        "--port",
        type=port,
        default=default_port,
        metavar="PORT",
        help="answer at this port, 0 for any that is free (default: %(default)s)",
    )


def _add_models(commands: Commands) -> None:
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
    actions.add_parser(
        "list", help="the profiles, what they are good for, and what of them is downloaded"
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
