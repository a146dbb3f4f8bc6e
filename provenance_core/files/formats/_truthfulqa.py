"""TruthfulQA: every other answer of a question, checked against its best answer."""

from __future__ import annotations

from collections.abc import Iterator

from provenance_core.errors import InputError
from provenance_core.files.values.fields import text
from provenance_core.files.formats._format import DatasetFormat, keys, row_by_row
from provenance_core.files.records.entries import Record
from provenance_core.files.types import BatchRow, Counts


def _parse(record: Record) -> Iterator[BatchRow]:
    # The CSV file heads its columns "Best Answer", the Parquet file "best_answer".
    by_name = Record(
        record.line,
        {name.lower().replace(" ", "_"): value for name, value in record.fields.items()},
    )
    question = text(by_name, "question").strip()
    best = text(by_name, "best_answer").strip()
    if not best:
        raise InputError("no best answer")
    others = (
        *((answer, 1) for answer in _answers(by_name, "correct_answers")),
        *((answer, 0) for answer in _answers(by_name, "incorrect_answers")),
    )
    kept = [(answer, label) for answer, label in others if _bare(answer) != _bare(best)]
    for number, (answer, label) in enumerate(kept, 1):
        yield BatchRow(
            record.line,
            question,
            (best,),
            answer,
            label=label,
            id=f"truthfulqa-{record.line}-{number}",
            group=f"truthfulqa-{record.line}",
            task="qa",
        )


def _answers(record: Record, key: str) -> list[str]:
    value = record.fields.get(key)
    if isinstance(value, str):
        value = value.split(";")
    if not isinstance(value, list) or not all(isinstance(answer, str) for answer in value):
        raise InputError(f"{key} is neither a text with semicolons nor a list of texts")
    return [answer.strip() for answer in value if answer.strip()]


def _bare(answer: str) -> str:
    return answer.strip().rstrip(".").casefold()


FORMAT = DatasetFormat(
    name="truthfulqa",
    title="TruthfulQA",
    files="TruthfulQA.csv, or the generation Parquet file",
    label_rule="The best answer is the only context; the other correct answers are 1 and the "
    "incorrect ones 0, which need not be the rows of the Provenance paper, as it does not publish "
    "its selection.",
    repository="sylinrl/TruthfulQA",
    key_sets=(
        keys("Question", "Best Answer", "Correct Answers", "Incorrect Answers"),
        keys("question", "best_answer", "correct_answers", "incorrect_answers"),
    ),
    read=row_by_row(_parse),
    published=(("", Counts(1716, 1260)),),
)
