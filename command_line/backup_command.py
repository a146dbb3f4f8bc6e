"""``python -m provenance_core backup``, ``restore`` and ``check``: the database's file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from command_line.audit_text import visible
from command_line.exit_codes import ExitCode
from provenance_core.errors import ProvenanceError
from storage.backups import back_up, check, compact, database_file, restore
from storage.copies import Health
from storage.errors import StorageError


def run_backup(options: argparse.Namespace) -> ExitCode:
    """Copy the database to a new file; ProvenanceError when it cannot be copied."""
    with _shown():
        health = back_up(options.file)
    print(f"{options.file}: copied and checked, {_counted(health)}")
    return ExitCode.SUCCESS


def run_restore(options: argparse.Namespace) -> ExitCode:
    """Put a copy in the place of the database; ProvenanceError when it cannot be."""
    with _shown():
        before = restore(options.file)
    print(f"{database_file()}: restored from {options.file}")
    if before is not None:
        print(f"{before}: what was there before")
    return ExitCode.SUCCESS


def run_compact(options: argparse.Namespace) -> ExitCode:
    """Take what was deleted out of the database's files; ProvenanceError when it refuses."""
    with _shown():
        compact()
    print("The database holds nothing any more of what was deleted from it.")
    return ExitCode.SUCCESS


def run_check(options: argparse.Namespace) -> ExitCode:
    """Say whether the database, or a copy, is whole; ProvenanceError when it cannot be read."""
    with _shown():
        health = check(options.file)
    print(f"{options.file or database_file()}: migration {health.revision}, {_counted(health)}")
    for problem in health.problems:
        print(f"damaged: {visible(problem)}")
    print("damaged" if health.problems else "whole")
    return ExitCode.FAILURE if health.problems else ExitCode.SUCCESS


def _counted(health: Health) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in health.rows)


@contextmanager
def _shown() -> Iterator[None]:
    """Errors of the storage as errors that the command line shows."""
    try:
        yield
    except StorageError as error:
        raise ProvenanceError(str(error)) from error
