"""``formats``: the data sets that ``evaluate`` reads, or the files that a batch run reads."""

from __future__ import annotations

import argparse

from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.wrapped_text import wrapped
from provenance_core.files.batch.formats import BATCH_FORMATS, BatchFormat
from provenance_core.files.formats.registry import FORMATS, DatasetFormat


def run_formats(options: argparse.Namespace) -> ExitCode:
    """Print every data set, or with ``--batch`` every format of batch files.

    How the command ends.
    """
    if options.batch:
        print("\n\n".join(map(batch_format_text, BATCH_FORMATS.values())))
    else:
        print("\n\n".join(map(format_text, FORMATS.values())))
    return ExitCode.SUCCESS


def format_text(known: DatasetFormat) -> str:
    """Describe one data set.

    Name, files, label rule, published counts and related training data, as lines.
    """
    owner = f" ({known.repository})" if known.repository else ""
    lines = [f"{known.name}: {known.title}{owner}"]
    counts = "; ".join(
        f"{subset + ': ' if subset else ''}{found.supported:,} supported, "
        f"{found.hallucinated:,} hallucinated"
        for subset, found in known.published
    )
    lines += wrapped("file", known.files)
    lines += wrapped("label", known.label_rule)
    lines += wrapped("published", counts)
    lines += wrapped("not zero-shot", known.training_overlap)
    return "\n".join(lines)


def batch_format_text(known: BatchFormat) -> str:
    """Describe one format of batch files.

    Name, files and keys, as lines.
    """
    lines = [f"{known.name}: {known.title}", *wrapped("file", known.files)]
    for variant in known.variants:
        required = sorted(variant.keys - known.optional)
        lines += wrapped("keys", ", ".join(required))
    lines += wrapped("may be missing", ", ".join(sorted(known.optional)))
    return "\n".join(lines)
