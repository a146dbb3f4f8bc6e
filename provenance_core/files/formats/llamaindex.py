"""LlamaIndex: results of its evaluators, and responses with their nodes."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

FORMAT = Format(
    name="llamaindex",
    title="LlamaIndex evaluations and responses",
    files="`EvaluationResult` objects, one a record, as .jsonl, .json or .csv; its own passing is "
    "kept to compare with; `Response` objects with source_nodes",
    keys=(keys("query", "contexts", "response", "passing"), keys("response", "source_nodes")),
    columns=(
        column("query", "query", "question", "query_str"),
        column("context", "contexts", "source_nodes"),
        column("answer", "response"),
        column("passed", "passing"),
    ),
    versions="llama-index-core 0.14.25",
    source="the fields of `llama_index.core.evaluation.EvaluationResult`",
)
