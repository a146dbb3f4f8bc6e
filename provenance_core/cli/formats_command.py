"""``formats``: the data sets that ``evaluate`` reads."""

from __future__ import annotations

import argparse
import textwrap

from provenance_core.cli.exit_codes import ExitCode
from provenance_core.evaluation.formats.registry import FORMATS, DatasetFormat

_WIDTH = 100


def run_formats(options: argparse.Namespace) -> ExitCode:
    """Print every format."""
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
    for label, text in (
        ("file", known.files),
        ("label", known.label_rule),
        ("published", counts),
        ("not zero-shot", known.kin),
    ):
        if text:
            lines += textwrap.wrap(
                f"{label}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    "
            )
    return "\n".join(lines)
