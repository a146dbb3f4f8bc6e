"""``python -m provenance_core export`` and ``import``: audits into a file and back."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from provenance_core.cli.audit_text import visible
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.errors import InputError

from .errors import StorageError
from .exports import Exporter, ExportFormat
from .imports import import_audits
from .items import ItemFilter
from .runs import RunStore


def run_export(options: argparse.Namespace) -> ExitCode:
    """Write the items of a run, or every audit, to a new file. InputError for bad arguments."""
    try:
        wanted = ExportFormat(options.format)
    except ValueError:
        known = ", ".join(ExportFormat)
        raise InputError(f"{options.format!r} is no format of export; known are: {known}") from None
    file: Path = options.out
    part = file.with_name(f"{file.name}.part")
    if file.exists():
        raise InputError(f"{file} is there already; name a new file with --out")
    try:
        chosen = ItemFilter(runs=(RunStore.open().named(options.run).id,) if options.run else ())
        with part.open("wb") as written:
            summary = Exporter.open().write(chosen, wanted, written)
        part.rename(file)
    except StorageError as error:
        return _refuse(error)
    finally:
        part.unlink(missing_ok=True)
    print(f"{file}: {summary.written} items")
    for skipped in summary.left_out:
        print(f"left out: {skipped.rows} × {visible(skipped.reason)}", file=sys.stderr)
    return ExitCode.SUCCESS


def run_import(options: argparse.Namespace) -> ExitCode:
    """Bring back what a full export holds; lines that cannot be used are named."""
    try:
        result = import_audits(options.file)
    except StorageError as error:
        return _refuse(error)
    for row in result.rejected:
        print(f"{options.file}, line {row.line}: {visible(row.reason)}", file=sys.stderr)
    print(
        f"{options.file}: {result.imported} audits brought back, {result.already_there} there "
        f"already, {result.reviews} new reviews, {len(result.rejected)} lines rejected"
    )
    return ExitCode.SUCCESS if not result.rejected else ExitCode.USAGE


def _refuse(error: StorageError) -> ExitCode:
    print(f"error: {visible(str(error))}", file=sys.stderr)
    return ExitCode.FAILURE
