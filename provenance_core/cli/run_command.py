"""``run``: the batch runs that are kept, as a list, and their names."""

from __future__ import annotations

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import option
from provenance_core.cli.output import columns, say, visible
from provenance_core.errors import InputError
from storage.runs import RunStore
from storage.worker.process import has_died

_AT_ONCE = 200
_HEAD = ("run", "status", "done", "failed", "rejected", "rows", "created (UTC)", "name", "")


@click.command(cls=Command, one_of=("listed", "rename"), needed=True)
@option("--list", "list the runs", "listed")
@option("--rename NAME", "rename the run of this name")
@option("--to NAME", "with --rename: the new name")
def run(listed: bool, rename: str | None, to: str | None) -> ExitCode:
    """Lists the runs of the database, the newest first, or gives one another name. Its number, rows
    and audits stay, and files that were exported under the old name still find it.

    Exit status: 0 done; 1 the database cannot be used or has no such run; 2 bad arguments, or a
    name that cannot be given."""
    if listed and to is None:
        list_runs(RunStore.open())
    elif rename is not None and to is not None:
        _rename(rename, to)
    else:
        raise InputError("--rename and --to go together: --rename OLD --to NEW")
    return ExitCode.SUCCESS


def list_runs(store: RunStore) -> None:
    """Print a line for each run, the newest first, and why one that failed did."""
    rows: list[tuple[str, ...]] = []
    while runs := store.page(len(rows), _AT_ONCE).runs:
        for each in runs:
            done = each.progress
            status = "dead" if has_died(each) else str(each.status)
            counts = (done.done, done.failed, done.rejected, done.total)
            created = each.created_at[:16].replace("T", " ")
            texts = (created, visible(each.name), visible(each.message))
            rows.append((str(each.id), status, *(f"{count:,}" for count in counts), *texts))
    say(*(columns(_HEAD, rows) if rows else ["There are no runs."]))


def _rename(old: str, new: str) -> None:
    store = RunStore.open()
    found = store.named(old)
    store.rename(found.id, new)
    say(f"run {found.id}: {visible(found.name)} is now called {visible(store.get(found.id).name)}")
