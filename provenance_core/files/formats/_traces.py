"""Spans of any tool into rows: the answers of each trace, and the documents retrieved for them.

:mod:`provenance_core.files.traces` has the rule of the answers; a format says how one of its
records is read into spans.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite
from pathlib import Path

from provenance_core.files.formats._format import Column, Step, column
from provenance_core.files.formats._steps import parsed
from provenance_core.files.formats._values import from_json
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.text_groups import text_group
from provenance_core.files.traces import (
    ANSWER_KEYS,
    QUESTION_KEYS,
    TracedAnswer,
    TraceSpan,
    answers_of,
    read_span,
    text_under,
)
from provenance_core.files.types import BatchOptions, RejectedRow
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.fields import record_text
from provenance_core.files.values.record_keys import value_at
from provenance_core.files.values.scalars import scalar_text
from provenance_core.files.values.written_lists import read_written

# The fields of the rows that a trace gives.
COLUMNS: tuple[Column, ...] = tuple(
    column(name, name) for name in ("query", "context", "answer", "id", "group", "source_model")
)
_LISTS = ("documents", "messages")
_PLAIN = ("id", "trace", "parent", "kind", "start", "end", "model", "name", "error")
_MESSAGES = ("gen_ai.input.messages", "gen_ai.output.messages")
# Which event of a GenAI span holds which of them, and where.
_IN_EVENTS = {
    "gen_ai.content.prompt": _MESSAGES[0],
    "gen_ai.user.message": _MESSAGES[0],
    "gen_ai.content.completion": _MESSAGES[1],
    "gen_ai.choice": _MESSAGES[1],
}
_LONGEST_ERROR = 300  # characters
_BODIES = ("gen_ai.prompt", "gen_ai.completion", "message", "content")
# What a function is called that retrieves, where the tool does not say so.
RETRIEVING = ("retriev", "search", "get_relevant", "similarity", "get_context")
# Where an input or an output of a chain names what was retrieved.
_DOCUMENT_KEYS = (
    "documents", "source_documents", "retrieved_contexts", "retrieved_documents", "contexts",
    "context", "sources", "results", "matches", "nodes", "source_nodes", "chunks",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A span of a record, with its trace ("" where it has none) and its model. ``own``: documents
    that its input or output names, which count where the trace has no retriever with documents.
    ``error``: what the tool says of a span that failed."""

    record: Record
    trace: str
    model: str
    span: TraceSpan
    own: tuple[str, ...] = ()
    error: str = ""


SpanReader = Callable[[Record], Iterable[FoundSpan]]


def traces(read: SpanReader) -> Step:
    """A step that makes a row of each answer of a trace."""

    def step(
        _path: Path, entries: Iterable[Entry], _options: BatchOptions
    ) -> Iterator[Entry | Note]:
        groups: dict[str, list[FoundSpan]] = {}
        for each in parsed(entries, read):
            if isinstance(each, FoundSpan):
                groups.setdefault(each.trace or f"\x00{each.record.line}", []).append(each)
            else:
                yield each
        for members in groups.values():
            yield from _rows(members)

    return step


def _rows(members: list[FoundSpan]) -> Iterator[Entry]:
    if not any(each.span.documents for each in members):
        members = [replace(e, span=replace(e.span, documents=e.own)) for e in members]
    models = {each.model for each in members if each.model}
    if len(models) == 1:  # the answer is often that of a chain, and its model named below it
        (model,) = models
        members = [replace(each, model=model) for each in members]
    of_span = {id(each.span): each for each in members}
    answers = answers_of(each.span for each in members)
    for answer in answers:
        yield _row(of_span[id(answer.span)], answer)
    if not answers:
        first = members[0].record
        records = {id(each.record): each.record for each in members}
        whole = "\n".join(map(record_text, records.values()))
        yield RejectedRow(first.line, _lacking(members), whole, first.unit)


def _lacking(members: list[FoundSpan]) -> str:
    spans = [member.span for member in members]
    errors = (line for each in members for line in each.error.splitlines())
    if not any(span.answers for span in spans) and (error := next(filter(str.strip, errors), "")):
        return f"the run failed ({error.strip()[:_LONGEST_ERROR]}); run it again, or leave it out"
    if not any(span.answers for span in spans):
        lacking = "the trace has no span with an answer (a text in its output)"
    elif not any(span.documents for span in spans):
        lacking = "the trace has no retrieved documents"
    else:
        lacking = "the trace has no answer that began after documents were retrieved"
    return f"{lacking}; export all spans of the trace, or leave it out"


def _row(found: FoundSpan, answer: TracedAnswer) -> Record:
    return Record(
        found.record.line,
        {
            "query": answer.query,
            "context": answer.documents,
            "answer": answer.span.answer,
            "id": answer.span.id,
            "group": text_group(*answer.documents),
            "source_model": found.model,
        },
        found.record.unit,
    )


def open_spans(record: Record) -> Iterator[FoundSpan]:
    """The spans of a record of OpenInference, of GenAI spans, or of OpenTelemetry's own JSON."""
    for fields in (
        _otlp_spans(record.fields) if "resourceSpans" in record.fields else [record.fields]
    ):
        leaves = {key.removeprefix("attributes."): value for key, value in _leaves("", fields)}
        leaves = {**_said_in_events(fields.get("events")), **leaves}

        def first(*names: str, among: Mapping[str, object] = leaves) -> str:
            found = (scalar_text(among.get(name)) for name in names)
            return next(filter(None, found), "")

        span = read_span(
            leaves,
            span_id=first("context.span_id", "span_id", "spanId"),
            parent=first("parent_id", "parent_span_id", "parentSpanId"),
            kind=first("openinference.span.kind", "span_kind"),
            start=moment(first("start_time", "startTime", "startTimeUnixNano")),
            end=moment(first("end_time", "endTime", "endTimeUnixNano")),
        )
        trace = first("context.trace_id", "trace_id", "traceId")
        model = first("llm.model_name", "gen_ai.response.model", "gen_ai.request.model")
        error = first("status.message", "status_message")
        yield FoundSpan(record, trace, model, span, error=error)


def _otlp_spans(fields: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The spans of OpenTelemetry's own JSON, their attributes as an object."""
    for resource in _objects(fields.get("resourceSpans")):
        scopes = resource.get("scopeSpans") or resource.get("instrumentationLibrarySpans")
        for scope in _objects(scopes):
            for span in _objects(scope.get("spans")):
                # A kind of OpenTelemetry (1 = internal) is none of a span that answers.
                plain = {key: value for key, value in span.items() if key != "kind"}
                events = [{**e, **_attributes(e)} for e in _objects(span.get("events"))]
                yield {**plain, **_attributes(span), "events": events}


def _attributes(fields: Mapping[str, object]) -> dict[str, object]:
    pairs = _objects(fields.get("attributes"))
    return {"attributes": {str(p.get("key")): _any(p.get("value")) for p in pairs}}


def _said_in_events(events: object) -> dict[str, object]:
    """What the events of a GenAI span say was asked and answered, under the names that the
    conventions give attributes since. Several are a conversation: the last of each counts."""
    found: dict[str, object] = {}
    for event in _objects(from_json(events)):
        attributes = from_json(event.get("attributes"))
        said = {
            key: from_json(value)
            for key, value in (attributes.items() if isinstance(attributes, dict) else ())
        }
        if name := _IN_EVENTS.get(str(event.get("name"))):
            body = said.pop("gen_ai.event.content", None)
            texts = [body, *(said.get(key) for key in _BODIES)]
            found[name] = next((each for each in texts if each), None)
        found |= {key: said[key] for key in _MESSAGES if said.get(key)}
    return {key: json.dumps(value, default=str) for key, value in found.items() if value}


def _objects(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _any(value: object) -> object:
    """A value of OpenTelemetry: {"stringValue": ...}, {"arrayValue": {"values": [...]}}, ..."""
    if not isinstance(value, dict):
        return value
    if "arrayValue" in value:
        return [_any(each) for each in _objects((value["arrayValue"] or {}).get("values"))]
    if "kvlistValue" in value:
        pairs = _objects((value["kvlistValue"] or {}).get("values"))
        return {str(each.get("key")): _any(each.get("value")) for each in pairs}
    return next(iter(value.values()), None)


def _leaves(prefix: str, value: object) -> Iterator[tuple[str, object]]:
    """Every value within objects and lists, under its key with dots. Lists of documents and of
    messages that are written into a text are read, but those of GenAI, which are read whole."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        if prefix.startswith(("attributes.gen_ai.", "gen_ai.")):
            yield prefix, value
            return
        # A table holds the attributes of a span as one cell.
        if prefix.endswith(_LISTS) or prefix == "attributes":
            value = read_written(value, prefix)
    if isinstance(value, dict | list) and "gen_ai." in prefix:
        yield prefix, json.dumps(value, default=str)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{prefix}.{key}" if prefix else str(key), inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(f"{prefix}.{number}", inner)
    else:
        yield prefix, value


def moment(text: str) -> float | None:
    """A time as ISO 8601 or as a number; None for anything else."""
    try:
        number = float(text)
        return number if isfinite(number) else None
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def tabled_spans(
    record: Record, table: Mapping[str, tuple[str, ...]], kinds: Mapping[str, str]
) -> FoundSpan:
    """A span of a record by a table: each part of a span, and the keys that may hold it. Of the
    parts id, trace, parent, kind, start, end, model, name, error, input, output and metadata.
    ``kinds``: the tool's words as kinds of OpenInference. The output of a retriever is its
    documents; what is named as one and returned a list is one."""
    part = {name: _first(record.fields, paths) for name, paths in table.items()}
    plain = {name: scalar_text(part.get(name)) or "" for name in _PLAIN}
    kind = kinds.get(plain["kind"].casefold(), "chain")
    asked, said = _arguments(from_json(part["input"])), from_json(part["output"])
    if kind in ("chain", "tool") and isinstance(said, list):
        named = any(word in plain["name"].casefold() for word in RETRIEVING)
        kind = "retriever" if named else kind
    retriever = kind == "retriever"
    span = TraceSpan(
        plain["id"],
        plain["parent"],
        kind,
        moment(plain["start"]),
        moment(plain["end"]),
        text_under(asked, QUESTION_KEYS),
        "" if retriever else text_under(said, ANSWER_KEYS),
        _documents(said) if retriever else (),
    )
    own = () if retriever else _own_documents(said, asked, from_json(part.get("metadata")))
    return FoundSpan(record, plain["trace"], plain["model"], span, own, plain["error"])


def _first(fields: Mapping[str, object], paths: tuple[str, ...]) -> object:
    found = (value_at(fields, path) for path in paths)
    return next((value for value in found if value not in (None, "")), None)


def _arguments(value: object) -> object:
    """What a decorated function was called with: its keywords, else its first argument."""
    if not isinstance(value, dict) or value.keys() != {"args", "kwargs"}:
        return value
    args = value["args"]
    return value["kwargs"] or (args[0] if isinstance(args, list) and args else "")


def _own_documents(*values: object) -> tuple[str, ...]:
    return next(filter(None, map(documents_in, values)), ())


def _documents(value: object) -> tuple[str, ...]:
    """The documents that a retriever returned."""
    return documents_in(value) or (() if value is None else context_texts(value, "output"))


def documents_in(value: object) -> tuple[str, ...]:
    """The documents that an object names: an input, an output, what a tool returned."""
    given = value if isinstance(value, dict) else {}
    found = next((given[key] for key in _DOCUMENT_KEYS if given.get(key)), None)
    return () if found is None else context_texts(found, "documents")
