"""Reads the arguments, runs the command, and turns errors into a message and a status."""

from __future__ import annotations

import argparse
import errno
import io
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from types import MappingProxyType

from provenance_core.cli.arguments import build_parser
from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.logs import logged
from provenance_core.errors import InputError, ProvenanceError

_LOG = logging.getLogger(__name__)


# What runs each command. It is imported with the command alone: an audit is to start soon.
COMMANDS = MappingProxyType(
    {
        "audit": "audit_command:run_audit",
        "evaluate": "evaluate_command:run_evaluate",
        "batch": "batch_command:run_batch",
        "fit": "fit_command:run_fit",
        "preset": "preset_command:run_preset",
        "run": "run_command:run_run",
        "export": "exchange_command:run_export",
        "import": "exchange_command:run_import",
        "backup": "backup_command:run_backup",
        "restore": "backup_command:run_restore",
        "check": "backup_command:run_check",
        "compact": "backup_command:run_compact",
        "retention": "retention_command:run_retention",
        "health": "health_command:run_health",
        "app": "app_command:run_app",
        "serve": "serve_command:run_serve",
        "formats": "formats_command:run_formats",
        "models": "models_command:run_models",
    }
)


def command_named(name: str) -> Callable[[argparse.Namespace], ExitCode]:
    """Import what runs a command.

    Takes the options that were given.
    """
    found: Callable[[argparse.Namespace], ExitCode] = resolve_name(
        f"{__package__}.{COMMANDS[name]}"
    )
    return found


def main(arguments: Sequence[str]) -> int:
    """Run one command; argparse ends the process by itself with 0 or 2.

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
            status = command_named(options.command)(options)
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
        hint = "make room on its disk" if full else "name a folder that can be written"
        print(f"error: {visible(str(error))}; {hint}", file=sys.stderr)
        return ExitCode.USAGE
    return status
