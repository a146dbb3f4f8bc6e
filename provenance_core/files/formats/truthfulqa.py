"""TruthfulQA: every other answer of a question, checked against its best answer."""

from __future__ import annotations

from collections.abc import Iterator

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.records.entries import Record
from provenance_core.files.types import Counts
from provenance_core.files.values.fields import text


def _make(record: Record) -> Iterator[Fields]:
    # The CSV file heads its columns "Best Answer", the Parquet file "best_answer".
    plain = {name.lower().replace(" ", "_"): value for name, value in record.fields.items()}
    by_name = Record(record.line, plain)
    question = text(by_name, "question").strip()
    best = text(by_name, "best_answer").strip()
    if not best:
        raise InputError("no best answer")
    others = [(answer, 1) for answer in _answers(by_name, "correct_answers")]
    others += [(answer, 0) for answer in _answers(by_name, "incorrect_answers")]
    kept = [(answer, label) for answer, label in others if _bare(answer) != _bare(best)]
    of = f"truthfulqa-{record.line}"
    for number, (answer, label) in enumerate(kept, 1):
        yield {
            "query": question, "context": (best,), "answer": answer, "label": label,
            "id": f"{of}-{number}", "group": of,
        }  # fmt: skip


def _answers(record: Record, key: str) -> list[str]:
    value = record.fields.get(key)
    if isinstance(value, str):
        value = value.split(";")
    if not isinstance(value, list) or not all(isinstance(answer, str) for answer in value):
        raise InputError(f"{key} is neither a text with semicolons nor a list of texts")
    return [answer.strip() for answer in value if answer.strip()]


def _bare(answer: str) -> str:
    return answer.strip().rstrip(".").casefold()


FORMAT = Format(
    name="truthfulqa",
    title="TruthfulQA",
    files="TruthfulQA.csv, or the generation Parquet file",
    keys=(
        keys("Question", "Best Answer", "Correct Answers", "Incorrect Answers"),
        keys("question", "best_answer", "correct_answers", "incorrect_answers"),
    ),
    columns=tuple(column(n, n) for n in ("query", "context", "answer", "label", "id", "group")),
    step=by_record(_make),
    task="qa",
    label_rule="The best answer is the only context; the other correct answers are 1 and the "
    "incorrect ones 0, which need not be the rows of the Provenance paper, as it does not publish "
    "its selection.",
    repository="sylinrl/TruthfulQA",
    published=(("", Counts(1716, 1260)),),
)
