"""RAGBench: answers with adherence labels."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

FORMAT = Format(
    name="ragbench",
    title="RAGBench",
    files="a .parquet file of one of its twelve parts, or the same rows as .jsonl or .csv",
    keys=(keys("question", "documents", "response", "adherence_score"),),
    columns=(
        column("query", "question"),
        column("context", "documents"),
        column("answer", "response"),
        column("label", "adherence_score"),
        column("id", "id"),
        column("subset", "dataset_name"),
        column("source_model", "generation_model_name"),
    ),
    label_rule="adherence_score: true is 1, false is 0, as GPT-4 annotated whether every sentence "
    "of the response is supported by the documents.",
    repository="rungalileo/ragbench",
)
