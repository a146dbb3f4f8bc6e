"""Reads the arguments, runs the command, and turns errors into a message and a status."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence

import click

from provenance_core.cli.commands import PROGRAM, Commands
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.logs import logged
from provenance_core.cli.output import complain, visible
from provenance_core.errors import InputError, ProvenanceError


@click.group(cls=Commands)
def cli() -> None:
    """Checks whether an answer is supported by its context."""


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # Text that the terminal's encoding lacks must not end the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with logged(), cli.make_context(PROGRAM, list(arguments)) as context:
            status: ExitCode = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:  # --help
        return end.exit_code
    except click.UsageError as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            complain(*error.format_message().splitlines())
        elif error.ctx is not None:
            complain(error.ctx.get_usage())
        complain(f"error: {visible(_said_of_arguments(error))}")
        return ExitCode.USAGE
    except InputError as error:
        complain(f"error: {visible(str(error))}")
        return ExitCode.USAGE
    except ProvenanceError as error:
        complain(f"error: {visible(str(error))}")
        return ExitCode.FAILURE
    except KeyboardInterrupt:
        complain("interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has left; what Python flushes at exit goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.SUCCESS
    except OSError as error:  # a folder that cannot be written; reading has its own messages
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        hint = "make room on its disk" if full else "name a folder that can be written"
        complain(f"error: {visible(str(error))}; {hint}")
        return ExitCode.USAGE
    return status


def _said_of_arguments(error: click.UsageError) -> str:
    """The message, in which an option stands before what is wrong with its value."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return "name a COMMAND"
    if type(error) is click.BadParameter and error.param is not None:
        name = error.param.opts[0] if isinstance(error.param, click.Option) else error.param.metavar
        return f"{name}: {error.message}"
    return error.format_message()
