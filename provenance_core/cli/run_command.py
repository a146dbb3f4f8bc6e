"""``run``: the batch runs that are kept, as a list, and their names."""

from __future__ import annotations

import argparse

from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.errors import InputError
from storage.runs import RunStore

_AT_ONCE = 200


def run_run(options: argparse.Namespace) -> ExitCode:
    """List or rename runs.

    How the command ends. Raises InputError Options do not go together, or the new name cannot be
    given, and ProvenanceError The database cannot be used, or has no such run.
    """
    if (options.to is None) != (options.rename is None):
        raise InputError("--rename and --to go together: --rename OLD --to NEW")
    if options.list:
        _list()
    else:
        _rename(options.rename, options.to)
    return ExitCode.SUCCESS


def _list() -> None:
    store, offset = RunStore.open(), 0
    while runs := store.page(offset, _AT_ONCE).runs:
        for run in runs:
            done = run.progress.total - run.progress.left
            print(
                f"{visible(run.name)}  run {run.id}  {run.status}  {done} of {run.progress.total} "
                f"rows  {run.created_at[:10]}"
            )
        offset += len(runs)
    if not offset:
        print("No run is kept.")


def _rename(old: str, new: str) -> None:
    store = RunStore.open()
    run = store.named(old)
    store.rename(run.id, new)
    print(f"run {run.id}: {visible(run.name)} is now called {visible(store.get(run.id).name)}")
