"""``formats``: the data sets that ``evaluate`` reads, or the files that a batch run reads."""

from __future__ import annotations

import argparse
import textwrap

from provenance_core.batch.formats import BATCH_FORMATS, BatchFormat
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.evaluation.formats.registry import FORMATS, DatasetFormat

_WIDTH = 100


def run_formats(options: argparse.Namespace) -> ExitCode:
    """Print every data set, or with ``--batch`` every format of batch files."""
    if options.batch:
        print("\n\n".join(map(batch_format_text, BATCH_FORMATS.values())))
    else:
        print("\n\n".join(map(format_text, FORMATS.values())))
    return ExitCode.SUCCESS


def format_text(known: DatasetFormat) -> str:
    """Name, files, label rule, published counts and kin of one data set."""
    owner = f" ({known.repository})" if known.repository else ""
    lines = [f"{known.name}: {known.title}{owner}"]
    counts = "; ".join(
        f"{subset + ': ' if subset else ''}{found.supported:,} supported, "
        f"{found.hallucinated:,} hallucinated"
        for subset, found in known.published
    )
    lines += _wrapped("file", known.files)
    lines += _wrapped("label", known.label_rule)
    lines += _wrapped("published", counts)
    lines += _wrapped("not zero-shot", known.kin)
    return "\n".join(lines)


def batch_format_text(known: BatchFormat) -> str:
    """Name, files and keys of one format of batch files."""
    lines = [f"{known.name}: {known.title}", *_wrapped("file", known.files)]
    for variant in known.variants:
        required = sorted(variant.keys - known.optional)
        lines += _wrapped("keys", ", ".join(required))
    lines += _wrapped("may be missing", ", ".join(sorted(known.optional)))
    return "\n".join(lines)


def _wrapped(name: str, text: str) -> list[str]:
    if not text:
        return []
    return textwrap.wrap(f"{name}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    ")
