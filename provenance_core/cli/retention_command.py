"""``retention``: delete audits and runs by age."""

from __future__ import annotations

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import option
from provenance_core.cli.output import say
from provenance_core.cli.values import positive
from provenance_core.errors import InputError
from storage.retention import RETENTION_DAYS, RetentionStore, retention_days


@click.command(cls=Command)
@option("--days N", f"the age (default: {RETENTION_DAYS.variable})", type=positive)
@option("--dry-run", "list what would be deleted, and delete nothing")
def retention(days: int | None, dry_run: bool) -> ExitCode:
    """Deletes the audits and runs that are older than a number of days, with all that belongs to
    them, and records their numbers among the actions.

    Exit status: 0 done; 1 the database cannot be used; 2 bad arguments."""
    age = days or retention_days()
    if not age:
        raise InputError(f"No age is given: add --days, or set {RETENTION_DAYS.variable}.")
    store = RetentionStore.open()
    found = store.expired(age) if dry_run else store.delete_expired(age)
    done = "would be deleted" if dry_run else "deleted"
    for what, numbers in (("audits", found.audits), ("runs", found.runs)):
        listed = f": {', '.join(map(str, numbers))}" if numbers else ""
        say(f"{len(numbers):,} {what} older than {age} days {done}{listed}")
    return ExitCode.SUCCESS
