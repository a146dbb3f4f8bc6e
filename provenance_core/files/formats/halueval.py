"""HaluEval: three files of a right and a hallucinated answer a record, one of labelled answers."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import pairs
from provenance_core.files.formats._values import flag_words, one_text
from provenance_core.files.types import Counts

_REPOSITORY = "RUCAIBox/HaluEval"


def _pairs(
    name: str, query: str, context: str, right: str, hallucinated: str, overlap: str = ""
) -> Format:
    return Format(
        name=f"halueval_{name}",
        title=f"HaluEval {name}",
        files=f"data/{name}_data.json (JSON lines)",
        keys=(keys(*filter(None, (query, context, right, hallucinated))),),
        columns=(
            column("query", query),
            column("context", context, value=one_text),
            column("answer", "answer"),
            column("label", "label"),
            column("id", "id"),
        ),
        step=pairs(f"halueval_{name}", (right, 1), (hallucinated, 0)),
        task=name,
        label_rule=f"Two rows a record: {right} is 1, {hallucinated} is 0; the context is its "
        f"{context}.",
        repository=_REPOSITORY,
        published=(("", Counts(10000, 10000)),),
        training_overlap=overlap,
    )


QA = _pairs(
    "qa", "question", "knowledge", "right_answer", "hallucinated_answer",
    "its knowledge is HotpotQA paragraphs, and the relevance training had some of them",
)  # fmt: skip
DIALOGUE = _pairs(
    "dialogue", "dialogue_history", "knowledge", "right_response", "hallucinated_response"
)
SUMMARIZATION = _pairs("summarization", "", "document", "right_summary", "hallucinated_summary")
GENERAL = Format(
    name="halueval_general",
    title="HaluEval general",
    files="data/general_data.json (JSON lines)",
    keys=(
        keys("user_query", "chatgpt_response", "hallucination_label"),
        keys("user_query", "chatgpt_response", "hallucination"),
    ),
    columns=(
        column("query", "user_query"),
        column("answer", "chatgpt_response"),
        column(
            "label",
            "hallucination_label",
            "hallucination",
            value=flag_words("no", "yes", "hallucination_label"),
        ),
        column("id", "ID"),
        column("source_model", "chatgpt_response", value=lambda _: "ChatGPT"),
    ),
    task="general",
    label_rule="As annotated: hallucination no is 1, yes is 0; there is no context at all, so no "
    "method that needs one can score these rows.",
    repository=_REPOSITORY,
    published=(("", Counts(815, 3692)),),
)
