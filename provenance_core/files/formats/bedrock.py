"""Amazon Bedrock: results of its evaluation of retrieval and generation, and its own answers."""

from __future__ import annotations

from collections.abc import Mapping

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._values import any_text
from provenance_core.files.values.record_keys import value_at


def _passages(value: object) -> object:
    """The passages of citations (``retrievedReferences``), or of ``retrievalResults``."""
    listed = value if isinstance(value, list) else []
    of_citations = [each.get("retrievedReferences") for each in listed if isinstance(each, Mapping)]
    passages = [p for group in of_citations if isinstance(group, list) for p in group] or listed
    texts = [value_at(p, "content.text") for p in passages if isinstance(p, Mapping)]
    return tuple(text for text in texts if isinstance(text, str))


FORMAT = Format(
    name="bedrock",
    title="Amazon Bedrock",
    files="results of an evaluation of retrieval and generation (.jsonl, with conversationTurns), "
    "or answers of RetrieveAndGenerate with their citations",
    keys=(keys("conversationTurns"), keys("output.text", "citations")),
    columns=(
        column("query", "inputRecord.prompt.content", "input.text", value=any_text),
        column(
            "context", "output.retrievedPassages.retrievalResults", "citations", value=_passages
        ),
        column("answer", "output.text"),
    ),
    inside=("conversationTurns",),
    versions="shape from the documentation",
    source="the output of an evaluation job of knowledge bases, and `RetrieveAndGenerate`",
)
