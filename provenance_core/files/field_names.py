"""What people and tools call the fields of a row: the one table of synonyms."""

from __future__ import annotations

import re

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
        "has_hallucination", "human_label", "adherence_score", "adherence", "overall_supported",
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


def names_field(heading: str) -> bool:
    """Whether a heading is a known name of a field."""
    name = plain_name(heading)
    return any(name in names for names in SYNONYMS.values())


def plain_name(key: str) -> str:
    """Write a key in small letters with underscores.

    The same for every common way of writing.

    Examples
    --------
    >>> plain_name("Model Name"), plain_name("modelName")
    ('model_name', 'model_name')
    """
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())
    return re.sub(r"[^a-z0-9_]+", "_", split.casefold()).rstrip("_")
