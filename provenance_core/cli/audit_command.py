"""``audit``: one answer against its context."""

from __future__ import annotations

import argparse
import json

from provenance_core import Provenance, default_parameters
from provenance_core.audit.mitigation import suggest
from provenance_core.cli.audit_text import audit_text
from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.given_settings import check_read, parameters_from, profile_from
from provenance_core.cli.text_files import STANDARD_INPUT, read_context, read_text
from provenance_core.errors import InputError
from provenance_core.types import Verdict


def run_audit(options: argparse.Namespace) -> ExitCode:
    """Audit one answer and print the audit.

    How the command ends. Raises InputError An input cannot be read or audited, and ModelError The
    models cannot be loaded.
    """
    inputs = [*options.context, options.answer_file]
    if inputs.count(STANDARD_INPUT) > 1:
        raise InputError("standard input (-) can be read once: give the other inputs as files")
    answer = options.answer if options.answer_file is None else read_text(options.answer_file)
    context = read_context(options.context)
    profile = profile_from(options)
    parameters = parameters_from(options, default_parameters(profile, options.method))
    check_read(options, parameters)
    provenance = Provenance.load(profile)
    audit = provenance.audit(
        query=options.query, answer=answer, context=context, parameters=parameters
    )
    suggestions = suggest(audit, provenance)
    if options.json:
        from provenance_core.cli.audit_json import (
            audit_object,
        )  # A text is to come without its imports.

        said = json.dumps(audit_object(audit, suggestions)) + "\n"
    else:
        said = audit_text(audit, suggestions)
    # At once: a reader need not wait until the models are given back.
    print(said, end="", flush=True)
    if options.fail_below_threshold and audit.verdict is Verdict.HALLUCINATED:
        return ExitCode.BELOW_THRESHOLD
    return ExitCode.SUCCESS
