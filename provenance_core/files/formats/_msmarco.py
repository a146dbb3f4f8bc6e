"""MS MARCO question answering (v2.1): the answered queries against their ten passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._companion import Companion, read_companion
from provenance_core.files.values.fields import identifier, text, texts
from provenance_core.files.formats._format import DatasetFormat, Reading, keys, read_rows
from provenance_core.files.records.entries import Entry, Record, beside
from provenance_core.files.types import BatchRow, Counts

HALLUCINATED = "hallucinated_answers.jsonl"
_UNANSWERED = "no answer present."


def _read(path: Path, entries: Iterable[Entry]) -> Reading:
    other = beside(path, HALLUCINATED)
    companion = Companion({}, 0)
    if other is not None:
        companion = read_companion(other, "query_id", "hallucinated_answer")
    used: set[str] = set()
    unanswered = 0

    def parse(record: Record) -> Iterator[BatchRow]:
        nonlocal unanswered
        query = text(record, "query").strip()
        passages = _passages(record.fields.get("passages"))
        name = identifier(record.fields, "query_id")
        given = [answer for answer in texts(record, "answers") if answer.strip()]
        answers = [(answer, 1) for answer in given[:1] if answer.strip().lower() != _UNANSWERED]
        unanswered += not answers
        answers += [(answer, 0) for answer in companion.answers.get(name, [])]
        used.add(name)
        for answer, label in answers:
            yield BatchRow(
                record.line,
                query,
                passages,
                answer,
                label=label,
                id=name if label else f"{name}-hallucinated",
                group=name,
                task="qa",
            )

    reading = read_rows(_records(entries), parse)
    warnings: list[str] = []
    if unanswered:
        warnings.append(
            f"MS MARCO: {unanswered} queries have no answer in the file and give no supported row"
        )
    if other is None:
        warnings.append(
            "MS MARCO: every row is supported, as the owners' file has no hallucinated answers and "
            f"the Provenance paper's are not published; put {HALLUCINATED} with one {{query_id, "
            f"hallucinated_answer}} a line beside {path.name} for some of your own"
        )
    else:
        warnings.extend(companion.warnings(other, used))
    return replace(reading, warnings=tuple(warnings))


def _records(entries: Iterable[Entry]) -> Iterator[Entry]:
    """One record a query; the owners' .json file is one object of columns by query."""
    for entry in entries:
        queries = entry.fields.get("query") if isinstance(entry, Record) else None
        if not isinstance(entry, Record) or not isinstance(queries, dict):
            yield entry
            continue
        columns = {key: value for key, value in entry.fields.items() if isinstance(value, dict)}
        for number, query in enumerate(queries, 1):
            yield Record(number, {key: column.get(query) for key, column in columns.items()})


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


FORMAT = DatasetFormat(
    name="msmarco",
    title="MS MARCO",
    files="dev_v2.1.json or train_v2.1.json, as columns, JSON lines or Parquet, and beside it, "
    f"if there is one, {HALLUCINATED}",
    label_rule="The first human answer is 1 against all passages of its query, and an answer of "
    f"the optional file {HALLUCINATED} is 0, as the owners have no hallucinated answers and the "
    "Provenance paper's 252 by GPT-3.5 are not published.",
    repository="microsoft/MSMARCO-Question-Answering",
    key_sets=(keys("query", "passages", "answers"),),
    read=_read,
    published=(("", Counts(252, 252)),),
)
