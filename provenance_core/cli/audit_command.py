"""``audit``: one answer against its context."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from provenance_core import Provenance, default_parameters
from provenance_core.audit.mitigation import suggest
from provenance_core.audit.serialization import to_plain
from provenance_core.cli.audit_text import audit_text
from provenance_core.cli.commands import Command
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.given_settings import Settings, check_read, parameters_from, profile_from
from provenance_core.cli.options import as_json, method, option, settings_options
from provenance_core.cli.output import say
from provenance_core.cli.text_files import STANDARD_INPUT, read_context, read_text
from provenance_core.detectors.judge.settings import judge_settings_help
from provenance_core.errors import InputError
from provenance_core.explain.summary import audit_summary
from provenance_core.types import Verdict


@click.command(
    cls=Command, one_of=("answer", "answer_file"), needed=True, epilog=judge_settings_help()
)
@option("--query TEXT", "the question; without one the answer takes its place", default="")
@option("--answer TEXT", "the answer to check")
@option("--answer-file FILE", "the answer from a UTF-8 text file, - for stdin")
@option(
    "--context FILE...",
    "UTF-8 text files, one context item each, - for stdin",
    multiple=True,
    required=True,
)
@as_json
@option("--fail-below-threshold", "exit with status 3 when the verdict is hallucinated")
@settings_options(method)
def audit(
    query: str,
    answer: str | None,
    answer_file: str | None,
    context: Sequence[str],
    as_json: bool,
    fail_below_threshold: bool,
    settings: Settings,
) -> ExitCode:
    """Audits one answer and prints verdict, sources and sentences.

    Exit status: 0 done; 1 a model cannot be loaded or the judge not be asked; 2 bad arguments or
    unreadable input; 3 with --fail-below-threshold when the verdict is hallucinated."""
    if [*context, answer_file].count(STANDARD_INPUT) > 1:
        raise InputError("standard input (-) can be read once: give the other inputs as files")
    text = read_text(answer_file) if answer is None and answer_file else answer or ""
    items = read_context(context)
    profile = profile_from(settings)
    parameters = parameters_from(settings, default_parameters(profile, settings.method))
    check_read(settings, parameters)
    provenance = Provenance.load(profile)
    done = provenance.audit(query=query, answer=text, context=items, parameters=parameters)
    suggestions = suggest(done, provenance)
    if as_json:
        lines = [json.dumps(to_plain(audit_summary(done, suggestions)))]
    else:
        lines = audit_text(done, suggestions).splitlines()
    # At once: a reader need not wait until the models are given back.
    say(*lines, flush=True)
    if fail_below_threshold and done.verdict is Verdict.HALLUCINATED:
        return ExitCode.BELOW_THRESHOLD
    return ExitCode.SUCCESS
