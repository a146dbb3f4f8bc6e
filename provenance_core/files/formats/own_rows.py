"""Our own rows: ``{query, context, answer, label}``, optionally id, spans and meta."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

_SOURCES = ("source_id", "bbcid", "document_id", "doc_id", "hash", "group")

FORMAT = Format(
    name="rows",
    title="Own rows",
    files="a .jsonl, .csv, .tsv or .parquet file (text also as .gz) with one {query, context, "
    "answer, label} a record",
    keys=(keys("context", "answer", "label"),),
    columns=(
        column("query", "query"),
        column("context", "context"),
        column("answer", "answer"),
        column("label", "label"),
        column("id", "id"),
        column("group", *(f"meta.{name}" for name in _SOURCES)),
        column("task", "meta.task"),
        column("source_model", "meta.model"),
    ),
    optional=keys("label"),
    spans="spans",
    label_rule="As given: 1 is supported, 0 is hallucinated; words such as true and false, pass "
    "and fail, supported and hallucinated are read as these.",
)
