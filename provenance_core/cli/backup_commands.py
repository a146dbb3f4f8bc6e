"""``backup``, ``restore``, ``check`` and ``compact``: the file of the database."""

from __future__ import annotations

from pathlib import Path

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import FILE
from provenance_core.cli.output import say
from storage import backups
from storage.copies import DatabaseHealth


@click.command(cls=Command)
@click.argument("file", type=FILE, metavar="FILE")
def backup(file: Path) -> ExitCode:
    """Copies the SQLite database to a new FILE, also while the app uses it, and checks the copy.

    Exit status: 0 done; 1 it cannot be done, and nothing was changed; 2 bad arguments."""
    health = backups.back_up(file)
    say(f"{file}: copied and checked, {_counted(health)}")
    return ExitCode.SUCCESS


@click.command(cls=Command)
@click.argument("file", type=FILE, metavar="FILE")
def restore(file: Path) -> ExitCode:
    """Checks FILE, a copy that backup wrote, and restores the SQLite database from it, also while
    the app uses it. The database as it was is kept next to it.

    Exit status: 0 done; 1 it cannot be done, and nothing was changed; 2 bad arguments."""
    before = backups.restore(file)
    say(f"{backups.database_file()}: restored from {file}")
    if before is not None:
        say(f"{before}: the database as it was before")
    return ExitCode.SUCCESS


@click.command(cls=Command)
def compact() -> ExitCode:
    """Rewrites the SQLite database so that its files hold nothing that was deleted from it, and
    take less space. Needs as much free space as the database takes.

    Exit status: 0 done; 1 it cannot be done, and nothing was changed; 2 bad arguments."""
    backups.compact()
    say("The database no longer holds anything that was deleted from it.")
    return ExitCode.SUCCESS


@click.command(cls=Command)
@click.argument("file", type=FILE, metavar="[FILE]", required=False)
def check(file: Path | None) -> ExitCode:
    """Checks the SQLite database, or a copy of it in FILE, for damage, also while the app uses it.

    Exit status: 0 whole; 1 damaged, or it cannot be read; 2 bad arguments."""
    health = backups.check(file)
    say(f"{file or backups.database_file()}: migration {health.revision}, {_counted(health)}")
    say(*(f"damaged: {problem}" for problem in health.problems))
    say("damaged" if health.problems else "whole")
    return ExitCode.FAILURE if health.problems else ExitCode.SUCCESS


def _counted(health: DatabaseHealth) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in health.rows)
