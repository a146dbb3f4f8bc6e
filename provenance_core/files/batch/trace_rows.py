"""OpenInference spans: the answers of a trace and the documents that were retrieved for them.

The attributes are read with and without "attributes." before them, flat or nested, as lists or
with numbers in their keys; :mod:`provenance_core.files.traces` has their names and the rule of the
answers. Around them, ``trace_id`` and ``span_id`` (also under ``context``), ``parent_id``,
``span_kind``, ``start_time`` and ``end_time`` are the names of Phoenix: those of ``Span`` in
``phoenix.client.__generated__.v1`` and of the columns of ``get_spans_dataframe``
(arize-phoenix-client 3.5.0). OpenTelemetry's own JSON, with attributes as a list of key and value,
is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from pathlib import Path

from provenance_core.files.formats._context_texts import listed
from provenance_core.files.formats._fields import record_text
from provenance_core.files.formats._format import Reading, parsed
from provenance_core.files.formats._scalars import scalar_text
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.text_groups import text_group
from provenance_core.files.traces import TracedAnswer, TraceSpan, answers_of, read_span
from provenance_core.files.types import BatchRow, RejectedRow


@dataclass(frozen=True, slots=True)
class _Read:
    record: Record
    trace: str
    model: str
    span: TraceSpan


def read_traces(_path: Path, entries: Iterable[Entry]) -> Reading:
    """Make a row of each answer of a trace, with the documents that were retrieved for it.

    The rows, and those that cannot be used with their reasons.
    """
    found, rejected = parsed(entries, lambda record: (_read(record),))
    traces: dict[str, list[_Read]] = {}
    for each in found:
        traces.setdefault(each.trace or f"\x00{each.record.line}", []).append(each)
    rows: list[BatchRow] = []
    for members in traces.values():
        of_span = {id(each.span): each for each in members}
        answers = answers_of(each.span for each in members)
        rows.extend(_row(of_span[id(answer.span)], answer) for answer in answers)
        if not answers:
            first = members[0].record.line
            whole = "\n".join(record_text(each.record) for each in members)
            rejected.append(RejectedRow(first, _lacking([m.span for m in members]), whole))
    return Reading(tuple(rows), tuple(rejected))


def _lacking(spans: list[TraceSpan]) -> str:
    if not any(span.answers for span in spans):
        lacking = "the trace has no span with an answer (a text in output.value)"
    elif not any(span.documents for span in spans):
        lacking = "the trace has no retrieved documents"
    else:
        lacking = "the trace has no answer that began after documents were retrieved"
    return f"{lacking}; export all spans of the trace, or leave it out"


def _row(read: _Read, answer: TracedAnswer) -> BatchRow:
    return BatchRow(
        read.record.line,
        answer.query,
        answer.documents,
        answer.span.answer,
        id=answer.span.id,
        group=text_group(*answer.documents),
        source_model=read.model,
    )


def _read(record: Record) -> _Read:
    leaves = {key.removeprefix("attributes."): value for key, value in _leaves("", record.fields)}

    def first(*keys: str) -> str:
        found = (scalar_text(leaves.get(key)) for key in keys)
        return next(filter(None, found), "")

    span = read_span(
        leaves,
        span_id=first("context.span_id", "span_id", "spanId"),
        parent=first("parent_id", "parent_span_id", "parentSpanId"),
        kind=first("openinference.span.kind", "span_kind"),
        start=_moment(first("start_time", "startTime")),
        end=_moment(first("end_time", "endTime")),
    )
    trace = first("context.trace_id", "trace_id", "traceId")
    return _Read(record, trace, first("llm.model_name"), span)


def _moment(text: str) -> float | None:
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


def _leaves(prefix: str, value: object) -> Iterator[tuple[str, object]]:
    """Every value within objects and lists, under its key with dots."""
    if (
        isinstance(value, str)
        and value.startswith("[")
        and prefix.endswith(("documents", "messages"))
    ):
        value = listed(value, prefix)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{prefix}.{key}" if prefix else str(key), inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(f"{prefix}.{number}", inner)
    else:
        yield prefix, value
