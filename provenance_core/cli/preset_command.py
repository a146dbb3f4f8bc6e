"""``preset``: the presets that are kept, as a list and as files."""

from __future__ import annotations

import argparse
from pathlib import Path

from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.text_files import read_exported, write_exported
from provenance_core.errors import InputError
from reports.wording import profile_title
from storage.errors import StorageError
from storage.presets import PresetStore


def run_preset(options: argparse.Namespace) -> ExitCode:
    """List, export or import presets.

    How the command ends. Raises InputError Options do not go together, or a file cannot be used,
    and ProvenanceError The database cannot be used, or has another preset of the name.
    """
    if options.out and not options.export:
        raise InputError("--out goes with --export; leave it out, or name a preset with --export")
    if options.name and not options.imported:
        raise InputError("--name goes with --import; leave it out, or give a file with --import")
    if options.list:
        _list()
    elif options.export:
        presets = PresetStore.open()
        write_exported(presets.export(presets.named(options.export).id), options.out)
    else:
        _import(options.imported, options.name)
    return ExitCode.SUCCESS


def _profile(name: str) -> str:
    """The name for ``--profile``, with what a fitted or custom profile is called."""
    title = profile_title(name)
    return name if title == name else f"{name} ({visible(title)})"


def _list() -> None:
    presets = PresetStore.open().listed()
    if not (presets.readable or presets.unreadable):
        print("No preset is kept.")
    for each in presets.readable:
        default = "  the default" if each.is_default else ""
        print(
            f"{visible(each.name)}  for {_profile(each.profile)}  "
            f"{each.parameters.detector}  threshold {each.parameters.threshold:.3f}  "
            f"{each.created_at[:10]}{default}"
        )
    for unreadable in presets.unreadable:
        print(visible(unreadable.problem))


def _import(path: Path, name: str) -> None:
    text = read_exported(path)
    try:
        kept = PresetStore.open().import_text(text, name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except StorageError as error:
        raise StorageError(f"{path}: {error}") from error
    said = "kept as the preset" if kept.new else "nothing to keep, since it is here already as"
    print(f"{path}: {said} {visible(kept.name)}")
