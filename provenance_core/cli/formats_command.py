"""``formats``: the data sets that ``evaluate`` reads, or the files that a batch run reads."""

from __future__ import annotations

import click

from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.options import option
from provenance_core.cli.output import say, wrapped
from provenance_core.files.formats.registry import BATCH_FORMATS, FORMATS, Format


@click.command(cls=Command)
@option("--batch", "list instead the files that a batch run reads, and by which keys")
def formats(batch: bool) -> ExitCode:
    """Lists the data sets that evaluate reads: which file to give, the label rule, the published
    counts, and why a figure is not zero-shot."""
    texts = (
        map(batch_format_text, BATCH_FORMATS.values())
        if batch
        else (map(format_text, FORMATS.values()))
    )
    say(*"\n\n".join(texts).split("\n"))
    return ExitCode.SUCCESS


def format_text(known: Format) -> str:
    """Describe one data set: name, files, label rule, published counts and related training
    data."""
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


def batch_format_text(known: Format) -> str:
    """Describe one format of batch files: name, files and keys."""
    lines = [f"{known.name}: {known.title}", *wrapped("file", known.files)]
    for names in known.keys:
        lines += wrapped("keys", ", ".join(sorted(names - known.optional)))
    lines += wrapped("may be missing", ", ".join(sorted(known.optional)))
    lines += wrapped("versions", known.versions)
    lines += wrapped("comes back", known.returns)
    return "\n".join(lines)
