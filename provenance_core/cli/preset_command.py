"""``preset``: the presets that are kept, as a list and as files."""

from __future__ import annotations

from pathlib import Path

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import exported_to, imported, option
from provenance_core.cli.output import say, visible
from provenance_core.cli.text_files import import_exported, write_exported
from provenance_core.errors import InputError
from reports.wording import profile_title
from storage.presets import PresetStore


@click.command(cls=Command, one_of=("listed", "export", "imported"), needed=True)
@option("--list", "list the presets", "listed")
@option("--export NAME", "write a preset as JSON")
@imported
@exported_to
@option("--name NAME", "with --import: what to call it (default: its name in the file)", default="")
def preset(
    listed: bool, export: str | None, imported: Path | None, out: Path | None, name: str
) -> ExitCode:
    """Lists the presets of the database, writes one as JSON, or keeps one that was written so. No
    preset is overwritten, and none that is imported is the default.

    Exit status: 0 done; 1 the database cannot be used, has no such preset or another one of the
    name; 2 bad arguments, or a file that cannot be read."""
    if out and not export:
        raise InputError("--out goes with --export; leave it out, or name a preset with --export")
    if name and not imported:
        raise InputError("--name goes with --import; leave it out, or give a file with --import")
    if export:
        presets = PresetStore.open()
        write_exported(presets.export(presets.named(export).id), out)
    elif imported:
        _import(imported, name)
    else:
        _list()
    return ExitCode.SUCCESS


def _profile(name: str) -> str:
    """The name for ``--profile``, with what a fitted or custom profile is called."""
    title = profile_title(name)
    return name if title == name else f"{name} ({visible(title)})"


def _list() -> None:
    presets = PresetStore.open().listed()
    if not (presets.readable or presets.unreadable):
        say("There are no presets.")
    for each in presets.readable:
        default = "  the default" if each.is_default else ""
        say(
            f"{visible(each.name)}  for {_profile(each.profile)}  {each.parameters.detector}  "
            f"threshold {each.parameters.threshold:.3f}  {each.created_at[:10]}{default}"
        )
    say(*(visible(unreadable.problem) for unreadable in presets.unreadable))


def _import(path: Path, name: str) -> None:
    kept = import_exported(path, lambda text: PresetStore.open().import_text(text, name))
    done = "kept as the preset" if kept.new else "nothing to keep, since it is here already as"
    say(f"{path}: {done} {visible(kept.name)}")
