"""Amazon Bedrock: results of its evaluation of retrieval and generation, and its own answers."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._values import any_text, within

FORMAT = Format(
    name="bedrock",
    title="Amazon Bedrock",
    files="results of an evaluation of retrieval and generation (.jsonl, with conversationTurns), "
    "or answers of RetrieveAndGenerate with their citations",
    keys=(keys("conversationTurns"), keys("output.text", "citations")),
    columns=(
        column("query", "inputRecord.prompt.content", "input.text", value=any_text),
        column(
            "context",
            "output.retrievedPassages.retrievalResults",
            "citations",
            value=within("retrievedReferences"),
        ),
        column("answer", "output.text"),
    ),
    inside=("conversationTurns",),
    versions="shape from the documentation",
    source="the output of an evaluation job of knowledge bases, and `RetrieveAndGenerate`",
)
