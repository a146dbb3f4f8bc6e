"""Langfuse: observations and traces, as its pages download them and its API gives them."""

from __future__ import annotations

from collections.abc import Iterator

from provenance_core.files.formats._format import Format, keys
from provenance_core.files.formats._traces import COLUMNS, FoundSpan, tabled_spans, traces
from provenance_core.files.formats._values import from_json
from provenance_core.files.records.entries import Record

_OBSERVATION = {
    "id": ("id",),
    "trace": ("traceId", "trace_id"),
    "parent": ("parentObservationId", "parent_observation_id"),
    "kind": ("type",),
    "start": ("startTime", "start_time", "timestamp"),
    "end": ("endTime", "end_time"),
    "model": ("model", "providedModelName", "provided_model_name"),
    "name": ("name",),
    "error": ("statusMessage", "status_message"),
    "input": ("input",),
    "output": ("output",),
    "metadata": ("metadata",),
}
_KINDS = {
    "generation": "llm",
    "retriever": "retriever",
    "embedding": "embedding",
    "tool": "tool",
    "agent": "agent",
    "evaluator": "evaluator",
    "guardrail": "guardrail",
}


def _spans(record: Record) -> Iterator[FoundSpan]:
    """The observations of a record: of a whole trace, its own input and output above them."""
    trace = from_json(record.fields.get("trace"))
    whole = trace if isinstance(trace, dict) else record.fields
    observations = from_json(record.fields.get("observations"))
    if not isinstance(observations, list):
        yield tabled_spans(record, _OBSERVATION, _KINDS)
        return
    top = {**whole, "traceId": whole.get("id"), "type": "span"}
    yield tabled_spans(Record(record.line, top, record.unit), _OBSERVATION, _KINDS)
    for each in observations:
        if isinstance(each, dict):
            parent = each.get("parentObservationId") or whole.get("id")
            fields = {**each, "traceId": whole.get("id"), "parentObservationId": parent}
            yield tabled_spans(Record(record.line, fields, record.unit), _OBSERVATION, _KINDS)


FORMAT = Format(
    name="langfuse",
    title="Langfuse",
    files="observations or traces as the tables download them (.csv, .json, .jsonl), a trace with "
    "its observations (Download JSON, or the API); a trace without observations needs its "
    "contexts in its input, output or metadata",
    keys=(
        keys("traceId", "type", "input", "output"),
        keys("trace_id", "type", "input", "output"),
        keys("traceId", "type", "startTime"),
        keys("trace_id", "type", "start_time", "parent_observation_id"),
        keys("observations", "input", "output"),
        keys("trace", "observations"),
        keys("id", "timestamp", "input", "output", "sessionId"),
        keys("id", "timestamp", "input", "output", "release"),
        keys("id", "timestamp", "input", "output", "bookmarked"),
        keys("id", "timestamp", "input", "output", "htmlPath"),
    ),
    columns=COLUMNS,
    step=traces(_spans),
    versions="langfuse 5.0.4; the shape of Langfuse 3 and 4 from the documentation",
    source="the API's `Observation` and `TraceWithFullDetails`, and the blob storage export",
    returns="scores of people, by `import`; verdicts as scores, by `export --format langfuse`",
)
