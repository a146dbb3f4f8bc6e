"""Reads the arguments, runs the command, and turns errors into a message and a status."""

from __future__ import annotations

import argparse
import errno
import io
import logging
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from command_line.arguments import build_parser
from command_line.audit_command import run_audit
from command_line.audit_text import visible
from command_line.exit_codes import ExitCode
from command_line.logs import logged
from command_line.models_command import run_models
from provenance_core.errors import InputError, ProvenanceError

_LOG = logging.getLogger(__name__)


# What a command alone needs is imported with it: an audit is to start soon.
def _run_evaluate(options: argparse.Namespace) -> ExitCode:
    from command_line.evaluate_command import run_evaluate

    return run_evaluate(options)


def _run_formats(options: argparse.Namespace) -> ExitCode:
    from command_line.formats_command import run_formats

    return run_formats(options)


# The one place where the core's program reaches storage and dashboard, which the core never does.
def _run_batch(options: argparse.Namespace) -> ExitCode:
    from command_line.batch_command import run_batch

    return run_batch(options)


def _run_fit(options: argparse.Namespace) -> ExitCode:
    from command_line.fit_command import run_fit

    return run_fit(options)


def _run_preset(options: argparse.Namespace) -> ExitCode:
    from command_line.preset_command import run_preset

    return run_preset(options)


def _run_run(options: argparse.Namespace) -> ExitCode:
    from command_line.run_command import run_run

    return run_run(options)


def _run_export(options: argparse.Namespace) -> ExitCode:
    from command_line.exchange_command import run_export
    from reports.items_report import write_items_report

    return run_export(options, write_items_report)


def _run_import(options: argparse.Namespace) -> ExitCode:
    from command_line.exchange_command import run_import

    return run_import(options)


def _run_backup(options: argparse.Namespace) -> ExitCode:
    from command_line import backup_command

    run: Callable[[argparse.Namespace], ExitCode] = getattr(
        backup_command, f"run_{options.command}"
    )
    return run(options)


def _run_retention(options: argparse.Namespace) -> ExitCode:
    from command_line.retention_command import run_retention

    return run_retention(options)


def _run_serve(options: argparse.Namespace) -> ExitCode:
    from command_line.serve_command import run_serve

    return run_serve(options)


def _run_health(options: argparse.Namespace) -> ExitCode:
    from command_line.health_command import run_health

    return run_health(options)


_COMMANDS = {
    "audit": run_audit,
    "evaluate": _run_evaluate,
    "batch": _run_batch,
    "fit": _run_fit,
    "preset": _run_preset,
    "run": _run_run,
    "export": _run_export,
    "import": _run_import,
    "backup": _run_backup,
    "restore": _run_backup,
    "check": _run_backup,
    "retention": _run_retention,
    "compact": _run_backup,
    "health": _run_health,
    "serve": _run_serve,
    "formats": _run_formats,
    "models": run_models,
}


def run() -> NoReturn:
    """The command ``provenance``, which is also ``python -m provenance_core``."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command; argparse ends the process by itself with 0 or 2.

    Parameters
    ----------
    arguments : Sequence[str]
        What follows the program's name.

    Returns
    -------
    int
        The exit status.
    """
    for stream in (sys.stdout, sys.stderr):
        # Text that the terminal's encoding lacks must not end the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = build_parser().parse_args(arguments)
    try:
        with logged():
            _LOG.info("event=command_started command=%s", options.command)
            status = _COMMANDS[options.command](options)
            _LOG.info("event=command_ended command=%s status=%d", options.command, status)
        sys.stdout.flush()
    except InputError as error:
        print(f"error: {visible(str(error))}", file=sys.stderr)
        return ExitCode.USAGE
    except ProvenanceError as error:
        print(f"error: {visible(str(error))}", file=sys.stderr)
        return ExitCode.FAILURE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has left; what Python flushes at exit goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.SUCCESS
    except OSError as error:  # a folder that cannot be written; reading has its own messages
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        cure = "make room on its disk" if full else "name a folder that can be written"
        print(f"error: {visible(str(error))}; {cure}", file=sys.stderr)
        return ExitCode.USAGE
    return status
