"""``python -m provenance_core export`` and ``import``: audits into a file and back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.errors import InputError
from provenance_core.files.locations import is_address
from provenance_core.files.results import has_results
from provenance_core.files.returned import returned_tool
from reports.items_report import write_items_report
from reports.review_wording import label_counts
from storage.exports import Exporter, ExportFormat, ExportSummary
from storage.imports import (
    LEFT_BEHIND,
    ImportResult,
    holds_audits,
    import_audits,
    import_results,
)
from storage.items import ItemFilter
from storage.returned_labels import import_labels
from storage.runs import RunStore

Write = Callable[[ItemFilter, IO[bytes]], ExportSummary]
HTML = "html"


def run_export(options: argparse.Namespace) -> ExitCode:
    """Write the items of a run, or every audit, to a new file or to standard output.

    How the command ends. Raises InputError The options name no run, no format or a file that
    exists.
    """
    write = _writer(options.format)
    file: Path | None = options.out
    if file is not None and file.exists():
        raise InputError(f"{file} is there already; name a new file with --out")
    chosen = ItemFilter(runs=(RunStore.open().named(options.run).id,) if options.run else ())
    summary = _write_file(write, chosen, file) if file else write(chosen, sys.stdout.buffer)
    sys.stdout.flush()
    print(f"{file or 'standard output'}: {summary.written} items", file=sys.stderr)
    for skipped in summary.left_out:
        print(f"left out: {skipped.rows} × {visible(skipped.reason)}", file=sys.stderr)
    return ExitCode.SUCCESS


def _writer(name: str) -> Write:
    if name == HTML:
        return write_items_report
    try:
        wanted = ExportFormat(name)
    except ValueError:
        known = ", ".join(sorted([*ExportFormat, HTML]))
        raise InputError(f"{name!r} is no format of export; known are: {known}") from None
    return lambda chosen, file: Exporter.open().write(chosen, wanted, file)


def _write_file(write: Write, chosen: ItemFilter, file: Path) -> ExportSummary:
    """Under another name until it is whole."""
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as written:
            summary = write(chosen, written)
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)
    return summary


def run_import(options: argparse.Namespace) -> ExitCode:
    """Import what a full export or results hold, or the labels that another tool gave back.

    How the command ends; lines that cannot be used are named before. Raises InputError The file
    cannot be read.
    """
    location: str = options.file
    path = Path(location)
    results = is_address(location) or path.is_dir() or has_results(path)
    if not results and not holds_audits(path) and returned_tool(path) is not None:
        return _import_labels(path, options.run)
    if options.run:
        raise InputError("--run goes with a file of Label Studio, Phoenix or Langfuse only")
    found = import_results(location) if results else [(location, import_audits(path))]
    total = _said(found)
    if total is None:
        raise InputError(
            f"{location}: no results are in this folder; name the folder that batch --out wrote to"
        )
    print(
        f"{location}: {_counted(total.imported, 'audit')} imported, {total.already_there:,} "
        f"already there, {_counted(total.reviews, 'new review')}, {len(total.rejected):,} rejected"
    )
    if total.unlinked:
        print(
            f"{location}: {total.unlinked} corrected answers are kept without the link to "
            "their originals, whose audits are not in the file",
            file=sys.stderr,
        )
    if total.left_behind:
        print(f"{location}: {total.left_behind} {LEFT_BEHIND}", file=sys.stderr)
    return ExitCode.SUCCESS if not total.rejected else ExitCode.USAGE


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _said(found: Iterable[tuple[str, ImportResult]]) -> ImportResult | None:
    """All files together, once the rejected lines of each are named; None where there is none."""
    total: ImportResult | None = None
    for name, result in found:
        for row in result.rejected:
            print(f"{name}, {row.place}: {visible(row.reason)}", file=sys.stderr)
        total = result if total is None else total.with_those_of(result)
    return total


def _import_labels(path: Path, run: str) -> ExitCode:
    kept = import_labels(path, run=run)
    for row in kept.rejected:
        print(f"{path}, {row.place}: {visible(row.reason)}", file=sys.stderr)
    print(f"{path}, {kept.tool}: {label_counts(kept)}")
    return ExitCode.SUCCESS if not kept.rejected else ExitCode.USAGE
