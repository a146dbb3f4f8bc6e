"""LangChain: what its question answering chains return."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

FORMAT = Format(
    name="langchain",
    title="LangChain answers",
    files="what a chain returned, one a record, as .jsonl, .json, .csv or .parquet: query, result "
    "and source_documents, also as `str()` of the documents writes them; and those of Flowise",
    keys=(keys("result", "source_documents"), keys("text", "sourceDocuments")),
    columns=(
        column("query", "query", "question", "input"),
        column("context", "source_documents", "sourceDocuments"),
        column("answer", "result", "text"),
    ),
    versions="shape from the documentation (langchain-classic 1.0.8)",
    source="`RetrievalQA` with return_source_documents",
)
