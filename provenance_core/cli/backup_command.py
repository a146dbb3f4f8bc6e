"""``python -m provenance_core backup``, ``restore`` and ``check``: the database's file."""

from __future__ import annotations

import argparse

from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from storage.backups import back_up, check, compact, database_file, restore
from storage.copies import DatabaseHealth


def run_backup(options: argparse.Namespace) -> ExitCode:
    """Copy the database to a new file.

    How the command ends. Raises ProvenanceError It cannot be copied.
    """
    health = back_up(options.file)
    print(f"{options.file}: copied and checked, {_counted(health)}")
    return ExitCode.SUCCESS


def run_restore(options: argparse.Namespace) -> ExitCode:
    """Put a copy in the place of the database.

    How the command ends. Raises ProvenanceError The copy cannot be read, or the database cannot be
    replaced.
    """
    before = restore(options.file)
    print(f"{database_file()}: restored from {options.file}")
    if before is not None:
        print(f"{before}: what was there before")
    return ExitCode.SUCCESS


def run_compact(options: argparse.Namespace) -> ExitCode:
    """Take what was deleted out of the database's files.

    How the command ends. Raises ProvenanceError The database refuses.
    """
    compact()
    print("The database holds nothing any more of what was deleted from it.")
    return ExitCode.SUCCESS


def run_check(options: argparse.Namespace) -> ExitCode:
    """Whether the database, or a copy, is whole.

    How the command ends; a failure where it is damaged. Raises ProvenanceError It cannot be read.
    """
    health = check(options.file)
    print(f"{options.file or database_file()}: migration {health.revision}, {_counted(health)}")
    for problem in health.problems:
        print(f"damaged: {visible(problem)}")
    print("damaged" if health.problems else "whole")
    return ExitCode.FAILURE if health.problems else ExitCode.SUCCESS


def _counted(health: DatabaseHealth) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in health.rows)
