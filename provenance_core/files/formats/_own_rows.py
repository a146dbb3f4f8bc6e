"""Our own rows: ``{query, context, answer, label}``, optionally id, spans and meta.

Context and label are read as in a batch: a text, a list of texts or one written into a text, and
a number or a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._context_texts import context_texts, spans_at
from provenance_core.files.formats._fields import identifier
from provenance_core.files.formats._format import DatasetFormat, Reading, keys, read_rows
from provenance_core.files.formats._labels import read_label
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.types import BatchRow, FieldMapping

_SOURCE_KEYS = ("source_id", "bbcid", "document_id", "doc_id", "hash", "group")


def _parse(record: Record) -> Iterator[BatchRow]:
    fields = record.fields
    missing = [key for key in ("context", "answer", "label") if key not in fields]
    if missing:
        raise InputError(f"no {' and no '.join(missing)}")
    query = fields.get("query")
    if query is None:
        query = ""
    if not isinstance(query, str):
        raise InputError("query is not a string")
    context = context_texts(fields["context"], "context")
    answer = fields["answer"]
    if not isinstance(answer, str):
        raise InputError("answer is not a string")
    label = read_label(fields["label"], "label")
    about = fields.get("meta")
    meta: dict[str, object] = about if isinstance(about, dict) else {}
    yield BatchRow(
        record.line,
        query,
        context,
        answer,
        label=label,
        id=identifier(fields, "id"),
        group=identifier(meta, *_SOURCE_KEYS),
        task=identifier(meta, "task"),
        source_model=identifier(meta, "model"),
        spans=spans_at(fields, "spans", answer),
    )


def _read(_path: Path, entries: Iterable[Entry]) -> Reading:
    return without_empty_spans(read_rows(entries, _parse))


def without_empty_spans(reading: Reading) -> Reading:
    """Take away the spans of all rows where no row has one.

    ``"spans": []`` in every row is how a data set without spans is written.

    The same, or with None for the spans of every row.
    """
    if any(row.spans for row in reading.rows):
        return reading
    return replace(reading, rows=tuple(replace(row, spans=None) for row in reading.rows))


FORMAT = DatasetFormat(
    name="rows",
    title="Own rows",
    files="a .jsonl, .csv, .tsv or .parquet file (text also as .gz) with one {query, context, "
    "answer, label} a record",
    label_rule="As given: 1 is supported, 0 is hallucinated; words such as true and false, pass "
    "and fail, supported and hallucinated are read as these.",
    repository="",
    key_sets=(keys("context", "answer", "label"),),
    read=_read,
    mapping=FieldMapping(
        query="query",
        context="context",
        answer="answer",
        label="label",
        id="id",
        task="meta.task",
        source_model="meta.model",
    ),
)
