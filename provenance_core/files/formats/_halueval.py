"""HaluEval: three files of a right and a hallucinated answer a record, one of labelled answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provenance_core.files.values.fields import identifier, text, word_label
from provenance_core.files.formats._format import DatasetFormat, Parser, keys, row_by_row
from provenance_core.files.records.entries import Record
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, Counts

_REPOSITORY = "RUCAIBox/HaluEval"


@dataclass(frozen=True, slots=True)
class _Task:
    """The keys of one of the three files with pairs; ``query`` is "" where there is none."""

    name: str
    query: str
    context: str
    right: str
    hallucinated: str


_QA = _Task("qa", "question", "knowledge", "right_answer", "hallucinated_answer")
_DIALOGUE = _Task(
    "dialogue", "dialogue_history", "knowledge", "right_response", "hallucinated_response"
)
_SUMMARIZATION = _Task("summarization", "", "document", "right_summary", "hallucinated_summary")


def _pair_parser(task: _Task) -> Parser:
    def parse(record: Record) -> Iterator[BatchRow]:
        query = text(record, task.query) if task.query else ""
        context = text(record, task.context)
        answers = ((text(record, task.right), 1), (text(record, task.hallucinated), 0))
        for answer, label in answers:
            yield BatchRow(
                record.line,
                query,
                (context,),
                answer,
                label=label,
                id=f"halueval_{task.name}-{record.line}-{'right' if label else 'hallucinated'}",
                group=text_group(context),
                task=task.name,
            )

    return parse


def _pair_format(task: _Task, training_overlap: str = "") -> DatasetFormat:
    wanted = (task.query, task.context, task.right, task.hallucinated)
    return DatasetFormat(
        name=f"halueval_{task.name}",
        title=f"HaluEval {task.name}",
        files=f"data/{task.name}_data.json (JSON lines)",
        label_rule=f"Two rows a record: {task.right} is 1, {task.hallucinated} is 0; the context "
        f"is its {task.context}.",
        repository=_REPOSITORY,
        key_sets=(keys(*filter(None, wanted)),),
        read=row_by_row(_pair_parser(task)),
        published=(("", Counts(10000, 10000)),),
        training_overlap=training_overlap,
    )


def _general(record: Record) -> Iterator[BatchRow]:
    key = "hallucination_label" if "hallucination_label" in record.fields else "hallucination"
    yield BatchRow(
        record.line,
        text(record, "user_query"),
        (),
        text(record, "chatgpt_response"),
        label=word_label(record, key, supported="no", hallucinated="yes"),
        id=identifier(record.fields, "ID"),
        task="general",
        source_model="ChatGPT",
    )


QA = _pair_format(
    _QA,
    training_overlap="its knowledge is HotpotQA paragraphs, and the relevance training had some "
    "of them",
)
DIALOGUE = _pair_format(_DIALOGUE)
SUMMARIZATION = _pair_format(_SUMMARIZATION)
GENERAL = DatasetFormat(
    name="halueval_general",
    title="HaluEval general",
    files="data/general_data.json (JSON lines)",
    label_rule="As annotated: hallucination no is 1, yes is 0; there is no context at all, so no "
    "method that needs one can score these rows.",
    repository=_REPOSITORY,
    key_sets=(
        keys("user_query", "chatgpt_response", "hallucination_label"),
        keys("user_query", "chatgpt_response", "hallucination"),
    ),
    read=row_by_row(_general),
    published=(("", Counts(815, 3692)),),
)
