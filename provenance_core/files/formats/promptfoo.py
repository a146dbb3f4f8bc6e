"""promptfoo: results of an evaluation, as JSON, JSON lines or CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress

from provenance_core.errors import InputError
from provenance_core.files.field_names import SYNONYMS, field_of
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.formats._values import any_text, from_json, mark_of, without_mark
from provenance_core.files.records.entries import Record

_QUESTIONS = ("question", "query", "input", "prompt", "user_input")
_CONTEXTS = ("context", "contexts", "documents", "retrieved_contexts", "knowledge")
# The heading of a column of outputs: [openai:gpt-4o-mini] prompts/rag.txt
_OUTPUT = re.compile(r"\A\[([^\]]+)\] .", re.DOTALL)


def _output(value: object) -> object:
    if value is None:
        raise InputError("no answer: the provider failed (see error); leave the row out, or run it")
    given = from_json(value)
    if not isinstance(given, Mapping | list):
        return any_text(value)
    found = given.items() if isinstance(given, Mapping) else ()
    texts = (text for name, text in found if field_of(name) == "answer" and isinstance(text, str))
    with suppress(InputError):
        return next(texts, None) or any_text(given)
    if isinstance(value, str):
        return value
    held = f"an object with {', '.join(given)}" if isinstance(given, Mapping) else "a list"
    raise InputError(
        f"the output is {held}, and no text under a name such as answer, output or text; give the "
        "answer such a name, or take it out with a transform of promptfoo"
    )


RESULTS = Format(
    name="promptfoo",
    title="promptfoo results",
    files="the results of `eval -o` as .json or .jsonl, with the context in a variable; its own "
    "pass or fail is kept to compare with",
    keys=(
        keys("results.results"),
        keys("vars", "promptIdx", "provider"),
        keys("vars", "testIdx", "success"),
    ),
    columns=(
        column("query", *(f"vars.{name}" for name in _QUESTIONS)),
        column(
            "context",
            *(f"{place}.{name}" for place in ("vars", "response.output") for name in _CONTEXTS),
        ),
        column(
            "answer",
            "response.output",
            *(f"response.output.{name}" for name in (*SYNONYMS["answer"], "text", "content")),
            value=_output,
        ),
        column("id", "id"),
        column("source_model", "provider.id", "provider"),
        column("passed", "success"),
    ),
    inside=("results.results", "results.outputs"),
    versions="promptfoo 0.121.20",
    source="`EvaluateSummaryV3` and `EvaluateResult`",
)


def _outputs(held: Set[str]) -> bool:
    """Whether the columns of a table are those of promptfoo's."""
    return any(map(_OUTPUT.match, held))


def _answers(record: Record) -> Iterator[Fields]:
    by_name = {str(name).casefold(): value for name, value in record.fields.items()}
    query = next((by_name[name] for name in _QUESTIONS if name in by_name), "")
    context = next((by_name[name] for name in _CONTEXTS if name in by_name), None)
    for name, value in record.fields.items():
        if found := _OUTPUT.match(name):
            status = record.fields.get(f"Status of {name}") or record.fields.get("Status")
            mark = f"[{status}] " if status else value
            yield {
                "query": query, "context": context, "source_model": found[1], "passed": mark,
                "answer": mark if status == "ERROR" else value,
            }  # fmt: skip


TABLE = Format(
    name="promptfoo_table",
    title="promptfoo table",
    files="the table of `eval -o output.csv`: a row for each output of each provider; those in "
    "error are refused. Status is kept to compare with; earlier versions write [PASS] or [FAIL], "
    "score and reason around the output, which are taken off",
    keys=(keys("[provider] prompt"),),
    known=_outputs,
    columns=(
        column("query", "query"),
        column("context", "context"),
        column("answer", "answer", value=without_mark),
        column("source_model", "source_model"),
        column("passed", "passed", value=mark_of),
    ),
    step=by_record(_answers),
    versions="promptfoo 0.121.20; of 0.118.0 its source alone",
    source="`[PASS]`, `[FAIL] reason --- output` and `[ERROR]` of its CSV",
)
