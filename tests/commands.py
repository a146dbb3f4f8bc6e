"""The command line, in this process or as one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click

from provenance_core.cli.main import cli, main

REPOSITORY = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind; ``stdout`` and ``stderr`` decoded as UTF-8."""

    returncode: int
    stdout: str
    stderr: str


def run_command(
    *arguments: object, stdin: bytes = b"", variables: Mapping[str, str] | None = None
) -> Done:
    """Run the command line in this process, from the repository.

    ``variables`` are set while it runs. A test by this takes no time to start Python and to import
    the models' libraries; :func:`start_command` starts it as a user does.
    """
    out, err = _stream(), _stream()
    with (
        chdir(REPOSITORY),
        patch.dict(os.environ, variables or {}),
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = main([str(argument) for argument in arguments])
    return Done(int(status), _text(out), _text(err))


def parsed(*arguments: str) -> dict[str, Any]:
    """The parameters of a command as its arguments give them, without running it."""
    command: click.Command | None = cli
    rest = list(arguments)
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(command), rest.pop(0))
    assert command is not None, arguments
    return command.make_context(command.name, rest).params


def start_command(
    *arguments: object, stdin: bytes = b"", variables: Mapping[str, str] | None = None
) -> Done:
    """``python -m provenance_core``, as a user starts it from the repository."""
    done = subprocess.run(
        [sys.executable, "-m", "provenance_core", *map(str, arguments)],
        cwd=REPOSITORY,
        env={**os.environ, **(variables or {})},
        input=stdin,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
