"""Haystack: generated and extracted answers, alone or in the results of a pipeline."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

_FIELDS = {
    "query": ("query",),
    "context": ("documents", "document.content", "context"),
    "answer": ("data",),
    "source_model": ("meta.model",),
}
# Haystack 2 wrote the fields of an answer into an object.
_BEFORE = "init_parameters"

FORMAT = Format(
    name="haystack",
    title="Haystack answers",
    files="`GeneratedAnswer` and `ExtractedAnswer` by `to_dict`, one a record, as .jsonl or .json, "
    "or the results of a pipeline with its answers (answer_builder.answers, reader.answers)",
    keys=(
        keys("data", "query", "documents"),
        keys("data", "query", "document_offset"),
        keys(f"{_BEFORE}.data", f"{_BEFORE}.query"),
        keys("answer_builder.answers"),
        keys("reader.answers"),
    ),
    columns=tuple(
        column(field, *paths, *(f"{_BEFORE}.{path}" for path in paths))
        for field, paths in _FIELDS.items()
    ),
    inside=("answer_builder.answers", "reader.answers"),
    versions="haystack-ai 3.4.1; Haystack 2: shape from the documentation",
    source="`haystack.dataclasses.answer`",
)
