"""LlamaIndex: results of its evaluators."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

FORMAT = Format(
    name="llamaindex",
    title="LlamaIndex evaluations",
    files="`EvaluationResult` objects, one a record, as .jsonl, .json or .csv; its own passing is "
    "kept to compare with",
    keys=(keys("query", "contexts", "response", "passing"),),
    columns=(
        column("query", "query"),
        column("context", "contexts"),
        column("answer", "response"),
        column("passed", "passing"),
    ),
    versions="llama-index-core 0.14.25",
    source="the fields of `llama_index.core.evaluation.EvaluationResult`",
)
