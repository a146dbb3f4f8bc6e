"""MS MARCO question answering (v2.1): the answered queries against their ten passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._companion import read_companion
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.types import BatchOptions, Counts
from provenance_core.files.values.fields import identifier, text, texts

HALLUCINATED = "hallucinated_answers.jsonl"
_UNANSWERED = "no answer present."


def _step(path: Path, entries: Iterable[Entry], options: BatchOptions) -> Iterator[Entry | Note]:
    companion = read_companion(path, HALLUCINATED, "query_id", "hallucinated_answer")
    unanswered = 0

    def make(record: Record) -> Iterator[Fields]:
        nonlocal unanswered
        name = identifier(record.fields, "query_id")
        passages = _passages(record.fields.get("passages"))
        given = {"query": text(record, "query").strip(), "of": name, "passages": passages}
        first = [answer for answer in texts(record, "answers") if answer.strip()][:1]
        right = [answer for answer in first if answer.strip().lower() != _UNANSWERED]
        unanswered += not right
        for answer in right:
            yield {**given, "answer": answer, "label": 1, "id": name}
        for answer in companion.of(name):
            yield {**given, "answer": answer, "label": 0, "id": f"{name}-hallucinated"}

    yield from by_record(make)(path, entries, options)
    if unanswered:
        yield Note(
            f"MS MARCO: {unanswered} queries have no answer in the file and give no supported row"
        )
    yield from companion.notes()
    if not companion.found:
        yield Note(
            "MS MARCO: every row is supported, as the owners' file has no hallucinated answers and "
            f"the Provenance paper's are not published; put {HALLUCINATED} with one {{query_id, "
            f"hallucinated_answer}} a line beside {path.name} for some of your own"
        )


def _passages(value: object) -> tuple[str, ...]:
    """Every passage's text, from the JSON file's or the Parquet file's form."""
    found: list[object] = []
    if isinstance(value, list):
        found = [item.get("passage_text") for item in value if isinstance(item, dict)]
    elif isinstance(value, dict) and isinstance(value.get("passage_text"), list):
        found = value["passage_text"]
    passages = tuple(item for item in found if isinstance(item, str))
    if not passages:
        raise InputError("passages is not a list of {passage_text, ...}")
    return passages


FORMAT = Format(
    name="msmarco",
    title="MS MARCO",
    files="dev_v2.1.json or train_v2.1.json, as columns, JSON lines or Parquet, and beside it, "
    f"if there is one, {HALLUCINATED}",
    keys=(keys("query", "passages", "answers"),),
    columns=(
        column("query", "query"),
        column("context", "passages"),
        column("answer", "answer"),
        column("label", "label"),
        column("id", "id"),
        column("group", "of"),
    ),
    step=_step,
    task="qa",
    label_rule="The first human answer is 1 against all passages of its query, and an answer of "
    f"the optional file {HALLUCINATED} is 0, as the owners have no hallucinated answers and the "
    "Provenance paper's 252 by GPT-3.5 are not published.",
    repository="microsoft/MSMARCO-Question-Answering",
    published=(("", Counts(252, 252)),),
)
