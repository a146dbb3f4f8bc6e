"""HotpotQA (distractor setting), with HaluEval's hallucinated answers to its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._companion import Companion, read_companion
from provenance_core.files.values.fields import identifier, text
from provenance_core.files.formats._format import DatasetFormat, Reading, keys, read_rows
from provenance_core.files.records.entries import Entry, Record, beside
from provenance_core.files.types import BatchRow, Counts

HALLUCINATED = "qa_data.json"


def _read(path: Path, entries: Iterable[Entry]) -> Reading:
    other = beside(path, HALLUCINATED)
    companion = Companion({}, 0)
    if other is not None:
        companion = read_companion(other, "question", "hallucinated_answer")
    used: set[str] = set()

    def parse(record: Record) -> Iterator[BatchRow]:
        question = text(record, "question").strip()
        context = _paragraphs(record.fields.get("context"))
        name = identifier(record.fields, "_id", "id")
        # The first of two equal questions has the hallucinated answers, so that none is doubled.
        hallucinated = companion.answers.get(question, []) if question not in used else []
        answers = [(text(record, "answer"), 1), *((answer, 0) for answer in hallucinated)]
        used.add(question)
        for number, (answer, label) in enumerate(answers):
            yield BatchRow(
                record.line,
                question,
                context,
                answer,
                label=label,
                id=f"{name}-hallucinated-{number}" if number else name,
                group=name or question,
                task="qa",
            )

    reading = read_rows(entries, parse)
    if other is None:
        said = (
            f"HotpotQA: every row is supported, as HaluEval's {HALLUCINATED} is not beside "
            f"{path.name}; put it there for the hallucinated answers"
        )
        return replace(reading, warnings=(said,))
    return replace(reading, warnings=companion.warnings(other, used))


def _paragraphs(value: object) -> tuple[str, ...]:
    """Title and sentences of every paragraph, from the JSON file's or the Parquet file's form."""
    pairs: list[object] = value if isinstance(value, list) else []
    if isinstance(value, dict):
        titles, sentences = value.get("title"), value.get("sentences")
        if isinstance(titles, list) and isinstance(sentences, list):
            pairs = list(zip(titles, sentences, strict=False))
    paragraphs: list[str] = []
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[1], list):
            raise InputError("context is not a list of [title, [sentence, ...]]")
        paragraphs.append(f"{pair[0]}. {''.join(map(str, pair[1])).strip()}")
    if not paragraphs:
        raise InputError("no context")
    return tuple(paragraphs)


FORMAT = DatasetFormat(
    name="hotpotqa",
    title="HotpotQA",
    files=f"hotpot_train_v1.1.json or hotpot_dev_distractor_v1.json, and beside it HaluEval's "
    f"{HALLUCINATED}",
    label_rule="HotpotQA's own answer is 1 and HaluEval's hallucinated answer to the same question "
    "is 0, both against the question's ten paragraphs with their titles (the Provenance paper's "
    "100,447 supported rows are the 90,447 training questions and, it seems, HaluEval's 10,000 "
    "right answers once more).",
    repository="hotpotqa/hotpot",
    key_sets=(keys("question", "answer", "context", "supporting_facts"),),
    read=_read,
    published=(("", Counts(10000, 100447)),),
    training_overlap="HotpotQA paragraphs were in the relevance training",
)
