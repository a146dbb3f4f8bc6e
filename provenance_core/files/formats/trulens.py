"""TruLens: the table of records, and the events of its OpenTelemetry traces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.formats._traces import (
    COLUMNS,
    RETRIEVING,
    FoundSpan,
    tabled_spans,
    traces,
)
from provenance_core.files.records.entries import Record
from provenance_core.files.traces import ANSWER_KEYS, QUESTION_KEYS, text_under
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.record_keys import value_at
from provenance_core.files.values.written_lists import read_written


def _object(value: object, key: str) -> object:
    """An object, or what a table has for one: JSON, or a dict as Python writes it."""
    written = isinstance(value, str) and value.startswith("{")
    return read_written(str(value), key) if written else value


def _record(record: Record) -> Iterator[Fields]:
    """A record with what the calls of its retriever returned."""
    given = _object(record.fields.get("record_json"), "record_json")
    calls = given.get("calls") if isinstance(given, Mapping) else None
    if calls is None:
        raise InputError(
            "TruLens 2 keeps what was retrieved in its events; give the table of get_events"
        )
    found: dict[str, None] = {}
    for call in calls if isinstance(calls, list) else ():
        stack = call.get("stack") if isinstance(call, Mapping) else None
        last = stack[-1] if isinstance(stack, list) and stack else {}
        method = str(value_at(last, "method.name") if isinstance(last, Mapping) else "")
        if any(word in method.casefold() for word in RETRIEVING):
            found.update(dict.fromkeys(context_texts(call.get("rets"), "rets")))
    yield {
        "query": text_under(record.fields.get("input"), QUESTION_KEYS),
        "context": tuple(found),
        "answer": text_under(record.fields.get("output"), ANSWER_KEYS),
        "id": record.fields.get("record_id"),
        "subset": record.fields.get("app_version"),
    }


RECORDS = Format(
    name="trulens",
    title="TruLens records",
    files="the table of get_records_and_feedback with record_json, as .csv, .jsonl or .parquet; "
    "what a method called retrieve, search or the like returned is the context",
    keys=(keys("record_id", "input", "output", "record_json"),),
    columns=tuple(column(n, n) for n in ("query", "context", "answer", "id", "subset")),
    step=by_record(_record),
    versions="shape from the documentation (records as before TruLens 2)",
    source="the columns of `get_records_and_feedback`, `RecordAppCall`",
)

_AT = "record_attributes.ai.observability"
_EVENT = {
    "id": ("trace.span_id", "event_id"),
    "trace": ("record_attributes.ai.observability.record_id", "trace.trace_id"),
    "parent": ("trace.parent_id", "record.parent_span_id"),
    "kind": (f"{_AT}.span_type",),
    "start": ("start_timestamp",),
    "end": ("timestamp",),
    "model": (f"{_AT}.app_version",),
    "input": (
        f"{_AT}.record_root.input",
        f"{_AT}.retrieval.query_text",
        "record_attributes.gen_ai.retrieval.query.text",
    ),
    "output": (
        f"{_AT}.record_root.output",
        f"{_AT}.retrieval.retrieved_contexts",
        "record_attributes.gen_ai.retrieval.documents",
    ),
}
_KINDS = {"retrieval": "retriever", "generation": "llm", "eval": "evaluator"}


def _event(record: Record) -> Iterator[FoundSpan]:
    fields = {key: _object(value, key) for key, value in record.fields.items()}
    yield tabled_spans(Record(record.line, fields, record.unit), _EVENT, _KINDS)


EVENTS = Format(
    name="trulens_events",
    title="TruLens events",
    files="the table of events (get_events), one span a record, as .csv, .jsonl or .parquet",
    keys=(keys("event_id", "record_attributes"),),
    columns=COLUMNS,
    step=traces(_event),
    versions="trulens-core 2.16.0, trulens-otel-semconv 2.16.0",
    source="`trulens.otel.semconv.trace.SpanAttributes`",
)
