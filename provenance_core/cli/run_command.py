"""``run``: the batch runs that are kept, as a list, and their names."""

from __future__ import annotations

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import option
from provenance_core.cli.output import say, visible
from provenance_core.errors import InputError
from storage.runs import RunStore

_AT_ONCE = 200


@click.command(cls=Command, one_of=("listed", "rename"), needed=True)
@option("--list", "list the runs", "listed")
@option("--rename NAME", "give the run of this name another one")
@option("--to NAME", "with --rename: the new name")
def run(listed: bool, rename: str | None, to: str | None) -> ExitCode:
    """Lists the runs of the database, the newest first, or gives one another name. Its number, rows
    and audits stay, and files that were exported under the old name still find it.

    Exit status: 0 done; 1 the database cannot be used or has no such run; 2 bad arguments, or a
    name that cannot be given.
    """
    if listed and to is None:
        _list()
    elif rename is not None and to is not None:
        _rename(rename, to)
    else:
        raise InputError("--rename and --to go together: --rename OLD --to NEW")
    return ExitCode.SUCCESS


def _list() -> None:
    store, offset = RunStore.open(), 0
    while runs := store.page(offset, _AT_ONCE).runs:
        for each in runs:
            done = each.progress.total - each.progress.left
            say(
                f"{visible(each.name)}  run {each.id}  {each.status}  {done} of "
                f"{each.progress.total} rows  {each.created_at[:10]}"
            )
        offset += len(runs)
    if not offset:
        say("No run is kept.")


def _rename(old: str, new: str) -> None:
    store = RunStore.open()
    found = store.named(old)
    store.rename(found.id, new)
    say(f"run {found.id}: {visible(found.name)} is now called {visible(store.get(found.id).name)}")
