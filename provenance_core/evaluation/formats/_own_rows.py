"""Our own rows: ``{query, context: [str, ...], answer, label}``, optionally id, spans and meta."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.evaluation.formats._fields import identifier, short, spans
from provenance_core.evaluation.formats._format import DatasetFormat, Reading, keys, read_rows
from provenance_core.evaluation.formats._records import Entry, Record
from provenance_core.evaluation.types import BatchRow, FieldMapping

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
    context = fields["context"]
    if not isinstance(context, list) or not all(isinstance(item, str) for item in context):
        raise InputError("context is not a list of strings")
    answer = fields["answer"]
    if not isinstance(answer, str):
        raise InputError("answer is not a string")
    label = fields["label"]
    if isinstance(label, bool) or not isinstance(label, int) or label not in (0, 1):
        raise InputError(f"label is {short(label)}, not 1 (supported) or 0 (hallucinated)")
    about = fields.get("meta")
    meta: dict[str, object] = about if isinstance(about, dict) else {}
    yield BatchRow(
        record.line,
        query,
        tuple(context),
        answer,
        label=label,
        id=identifier(fields, "id"),
        group=identifier(meta, *_SOURCE_KEYS),
        task=identifier(meta, "task"),
        source_model=identifier(meta, "model"),
        spans=spans(fields.get("spans"), answer),
    )


def _read(_path: Path, entries: Iterable[Entry]) -> Reading:
    return without_empty_spans(read_rows(entries, _parse))


def without_empty_spans(reading: Reading) -> Reading:
    """No spans at all where no row has one: ``"spans": []`` in every row is how a data set
    without spans is written."""
    if any(row.spans for row in reading.rows):
        return reading
    return replace(reading, rows=tuple(replace(row, spans=None) for row in reading.rows))


FORMAT = DatasetFormat(
    name="rows",
    title="Own rows",
    files="a .jsonl or .jsonl.gz file with one {query, context, answer, label} a line",
    label_rule="As given: 1 is supported, 0 is hallucinated.",
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
