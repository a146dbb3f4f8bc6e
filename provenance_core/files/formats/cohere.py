"""Cohere: answers of its chat with documents, of both versions of the API."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._values import last_question, within
from provenance_core.files.traces import ANSWER_KEYS, text_under


def _said(value: object) -> object:
    """The text of an answer; of its parts, without those in which the model thinks."""
    return value if isinstance(value, str) else text_under(value, ANSWER_KEYS)


FORMAT = Format(
    name="cohere",
    title="Cohere chat responses",
    files="responses of chat with documents, one a record, as .jsonl or .json: of API v1 with "
    "their documents; of v2, which gives back what its citations name and no other document, "
    "unless the request's documents stand beside it. A question stands in chat_history, in the "
    "request's messages, or under query or question",
    keys=(
        keys("text", "generation_id", "documents"),
        keys("message.content", "message.citations"),
    ),
    columns=(
        column("query", "query", "question", "messages", "chat_history", value=last_question),
        column("context", "documents", "message.citations", value=within("sources")),
        column("answer", "text", "message.content", value=_said),
        column("id", "id", "generation_id"),
    ),
    versions="cohere 7.3.1",
    source="`NonStreamedChatResponse` and `V2ChatResponse`",
)
