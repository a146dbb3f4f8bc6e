"""``python -m provenance_core retention``: delete audits and runs by age."""

from __future__ import annotations

import argparse

from provenance_core.cli.exit_codes import ExitCode
from provenance_core.errors import InputError
from storage.retention import RETENTION_DAYS, RetentionStore, retention_days


def run_retention(options: argparse.Namespace) -> ExitCode:
    """Delete what is too old, or list it.

    How the command ends. Raises InputError No age is given or set, and ProvenanceError The database
    cannot be used.
    """
    days: int = options.days or retention_days()
    if not days:
        raise InputError(f"No age is given: add --days, or set {RETENTION_DAYS.variable}.")
    store = RetentionStore.open()
    found = store.expired(days) if options.dry_run else store.delete_expired(days)
    done = "would be deleted" if options.dry_run else "deleted"
    for what, numbers in (("audits", found.audits), ("runs", found.runs)):
        listed = f": {', '.join(map(str, numbers))}" if numbers else ""
        print(f"{len(numbers):,} {what} older than {days} days {done}{listed}")
    return ExitCode.SUCCESS
