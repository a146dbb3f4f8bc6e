"""HotpotQA (distractor setting), with HaluEval's hallucinated answers to its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._companion import read_companion
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.types import BatchOptions, Counts
from provenance_core.files.values.fields import identifier, text

HALLUCINATED = "qa_data.json"


def _step(path: Path, entries: Iterable[Entry], options: BatchOptions) -> Iterator[Entry | Note]:
    companion = read_companion(path, HALLUCINATED, "question", "hallucinated_answer")
    asked: set[str] = set()

    def make(record: Record) -> Iterator[Fields]:
        question = text(record, "question").strip()
        name = identifier(record.fields, "_id", "id")
        given = {"question": question, "context": _paragraphs(record.fields.get("context"))}
        # The first of two equal questions has the hallucinated answers, so that none is doubled.
        hallucinated = [] if question in asked else companion.of(question)
        asked.add(question)
        answers = [(text(record, "answer"), 1), *((answer, 0) for answer in hallucinated)]
        for number, (answer, label) in enumerate(answers):
            of_answer = {"id": f"{name}-hallucinated-{number}" if number else name}
            yield {**given, **of_answer, "answer": answer, "label": label, "of": name or question}

    yield from by_record(make)(path, entries, options)
    yield from companion.notes()
    if not companion.found:
        yield Note(
            f"HotpotQA: every row is supported, as HaluEval's {HALLUCINATED} is not beside "
            f"{path.name}; put it there for the hallucinated answers"
        )


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


FORMAT = Format(
    name="hotpotqa",
    title="HotpotQA",
    files=f"hotpot_train_v1.1.json or hotpot_dev_distractor_v1.json, and beside it HaluEval's "
    f"{HALLUCINATED}",
    keys=(keys("question", "answer", "context", "supporting_facts"),),
    columns=(
        column("query", "question"),
        column("context", "context"),
        column("answer", "answer"),
        column("label", "label"),
        column("id", "id"),
        column("group", "of"),
    ),
    step=_step,
    task="qa",
    label_rule="HotpotQA's own answer is 1 and HaluEval's hallucinated answer to the same question "
    "is 0, both against the question's ten paragraphs with their titles (the Provenance paper's "
    "100,447 supported rows are the 90,447 training questions and, it seems, HaluEval's 10,000 "
    "right answers once more).",
    repository="hotpotqa/hotpot",
    published=(("", Counts(10000, 100447)),),
    training_overlap="HotpotQA paragraphs were in the relevance training",
)
