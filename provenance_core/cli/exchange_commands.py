"""``export`` and ``import``: audits into a file and back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import FILE, option
from provenance_core.cli.output import complain, say, visible
from provenance_core.cli.row_reports import report_rejected
from provenance_core.errors import InputError
from provenance_core.files.locations import is_address
from provenance_core.files.results import has_results
from provenance_core.files.returned import returned_tool
from reports.items_report import write_items_report
from reports.review_wording import label_counts
from storage.exports import Exporter, ExportFormat, ExportSummary
from storage.imports import LEFT_BEHIND, ImportResult, holds_audits, import_audits, import_results
from storage.items import ItemFilter
from storage.returned_labels import import_labels
from storage.runs import RunStore

Write = Callable[[ItemFilter, IO[bytes]], ExportSummary]
HTML = "html"


@click.command(cls=Command)
@option("--run NAME", "the rows of this run (default: every audit)")
@option("--format NAME", f"one of {', '.join(sorted([*ExportFormat, HTML]))}", default="jsonl")
@option("--out FILE", "the new file (default: standard output)", type=FILE)
def export(run: str | None, format: str, out: Path | None) -> ExitCode:
    """Writes the audits of the database to standard output or a new file.

    Exit status: 0 written; 1 the database cannot be used; 2 bad arguments, or a file that cannot be
    written."""
    write = _writer(format)
    if out is not None and out.exists():
        raise InputError(f"{out} is there already; name a new file with --out")
    chosen = ItemFilter(runs=(RunStore.open().named(run).id,) if run else ())
    summary = _write_file(write, chosen, out) if out else write(chosen, sys.stdout.buffer)
    sys.stdout.flush()
    complain(f"{out or 'standard output'}: {summary.written} items")
    for skipped in summary.left_out:
        complain(f"left out: {skipped.rows} × {visible(skipped.reason)}")
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


@click.command("import", cls=Command)
@click.argument("location", metavar="FILE")
@option(
    "--run NAME",
    "for labels: the run that was exported; needed where several runs have the same ids",
    default="",
)
def import_(location: str, run: str) -> ExitCode:
    """Keeps the audits and reviews of a full export, or the audits among the results of a batch, in
    the database; what is there already stays as it is. The runs that they were rows of, and the
    rows' ids and labels, are not imported. Of a file of Label Studio, Phoenix or Langfuse it keeps
    people's labels as reviews of the audits that were exported there.

    FILE is a full export, or the JSON that an audit's page gave; the file or folder that batch
    --out wrote, also at an address; or what Label Studio, Phoenix or Langfuse gave back.

    Exit status: 0 all of the rest is there; 1 the database cannot be used; 2 a file or a line that
    cannot be read."""
    path = Path(location)
    results = is_address(location) or path.is_dir() or has_results(path)
    if not results and not holds_audits(path) and returned_tool(path) is not None:
        return _import_labels(path, run)
    if run:
        raise InputError("--run goes with a file of Label Studio, Phoenix or Langfuse only")
    found = import_results(location) if results else [(location, import_audits(path))]
    total = _said(found)
    if total is None:
        raise InputError(
            f"{location}: no results are in this folder; name the folder that batch --out wrote to"
        )
    say(
        f"{location}: {_counted(total.imported, 'audit')} imported, {total.already_there:,} "
        f"already there, {_counted(total.reviews, 'new review')}, {len(total.rejected):,} rejected"
    )
    if total.unlinked:
        complain(
            f"{location}: {total.unlinked} corrected answers are kept without the link to "
            "their originals, whose audits are not in the file"
        )
    if total.left_behind:
        complain(f"{location}: {total.left_behind} {LEFT_BEHIND}")
    return ExitCode.SUCCESS if not total.rejected else ExitCode.USAGE


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _said(found: Iterable[tuple[str, ImportResult]]) -> ImportResult | None:
    """All files together, once the rejected lines of each are named; None where there is none."""
    total: ImportResult | None = None
    for name, result in found:
        report_rejected(name, result.rejected)
        total = result if total is None else total.with_those_of(result)
    return total


def _import_labels(path: Path, run: str) -> ExitCode:
    kept = import_labels(path, run=run)
    for warning in kept.warnings:
        complain(f"warning: {visible(warning)}")
    report_rejected(path, kept.rejected)
    say(f"{path}, {kept.tool}: {label_counts(kept)}")
    return ExitCode.SUCCESS if not kept.rejected else ExitCode.USAGE
