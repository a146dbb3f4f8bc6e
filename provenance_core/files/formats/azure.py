"""Azure AI evaluation: rows that it is given, and the results that it writes."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

FORMAT = Format(
    name="azure",
    title="Azure AI evaluation",
    files="rows of query, context and response (.jsonl), or the results of `evaluate` (.json, with "
    "rows, also of a target); its own groundedness is kept to compare with",
    keys=(
        keys("rows", "metrics"),
        keys("inputs.query", "inputs.response"),
        keys("inputs.context", "inputs.response"),
        keys("inputs.query", "outputs.response"),
        keys("outputs.context", "outputs.response"),
        keys("inputs.context", "outputs.response"),
        keys("query", "response", "context", "ground_truth"),
    ),
    columns=(
        column("query", "inputs.query", "query"),
        column("context", "outputs.context", "inputs.context", "context"),
        column("answer", "outputs.response", "inputs.response", "response"),
        column(
            "passed",
            "outputs.groundedness.groundedness_result",
            "outputs.groundedness.gpt_groundedness_result",
        ),
    ),
    inside=("rows",),
    versions="azure-ai-evaluation 1.18.10",
    source="the keys of `EvaluationResult` and of `GroundednessEvaluator`",
)
