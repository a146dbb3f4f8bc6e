"""Which column holds what, told by its name: the one table of synonyms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from provenance_core.files.formats._record_keys import plain_name
from provenance_core.files.types import FieldMapping

# The likelier first. A column is taken once, by the first field here that knows its name.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "answer": (
        "answer", "response", "actual_output", "generated_answer", "model_answer",
        "model_response", "model_output", "output", "output_value", "prediction", "completion",
        "generation", "generated_text", "generated", "summary", "claim", "hypothesis", "reply",
    ),
    "context": (
        "context", "contexts", "retrieved_contexts", "retrieval_context", "retrieved_context",
        "retrieved_documents", "retrieved_chunks", "documents", "document", "passages", "passage",
        "chunks", "docs", "doc", "knowledge", "evidence", "grounding", "premise", "reference_text",
        "source_text", "source_document", "article", "source", "sources", "text",
    ),
    "query": (
        "query", "question", "user_input", "user_query", "input", "input_value", "prompt",
        "user_prompt", "instruction", "user_question",
    ),
    "label": (
        "label", "labels", "gold_label", "gold", "verdict", "is_supported", "supported",
        "is_faithful", "faithful", "is_grounded", "grounded", "is_factual", "hallucination",
        "is_hallucination", "hallucinated", "is_hallucinated", "hallucination_label",
        "has_hallucination", "human_label",
    ),
    "id": ("id", "_id", "row_id", "example_id", "sample_id", "uid", "uuid", "query_id"),
    "group": (
        "group", "source_id", "bbcid", "document_id", "doc_id", "article_id", "hash",
        "conversation_id",
    ),
    "subset": ("subset", "split", "dataset", "source_ds", "category", "domain"),
    "task": ("task", "task_type", "task_name"),
    "source_model": (
        "source_model", "model", "model_name", "generator", "llm", "llm_model", "summarizer",
    ),
}  # fmt: skip


def complete_mapping(keys: Sequence[str], known: FieldMapping | None = None) -> FieldMapping:
    """Which key holds which field, by what is known and by the names of the other keys.

    A field that no name fits is "".
    """
    given = known or FieldMapping()
    mapping = {
        field.name: key if (key := getattr(given, field.name)) in keys else ""
        for field in fields(FieldMapping)
    }
    for field, names in SYNONYMS.items():
        free = [key for key in keys if key not in mapping.values()]
        if not mapping[field]:
            mapping[field] = _first(free, names)
    return replace(given, **mapping)


def _first(keys: Sequence[str], names: Sequence[str]) -> str:
    """The key with the likeliest name: as a whole, or else its last part (``meta.model``)."""
    for shown in (plain_name, lambda key: plain_name(key.rsplit(".", 1)[-1])):
        named: dict[str, str] = {}
        for key in keys:
            named.setdefault(shown(key), key)
        found = next((named[name] for name in names if name in named), "")
        if found:
            return found
    return ""
