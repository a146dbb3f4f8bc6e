"""LangSmith: runs, as its client lists them and its pages and bulk exports write them."""

from __future__ import annotations

from collections.abc import Iterator

from provenance_core.files.formats._format import Format, keys
from provenance_core.files.formats._traces import COLUMNS, FoundSpan, tabled_spans, traces
from provenance_core.files.formats._values import from_json
from provenance_core.files.records.entries import Record

_RUN = {
    "id": ("id", "run_id"),
    "trace": ("trace_id",),
    "parent": ("parent_run_id",),
    "kind": ("run_type",),
    "start": ("start_time",),
    "end": ("end_time",),
    "model": ("extra.metadata.ls_model_name", "extra.invocation_params.model"),
    "name": ("name",),
    "error": ("error",),
    "input": ("inputs",),
    "output": ("outputs",),
}
_KINDS = {
    "llm": "llm",
    "retriever": "retriever",
    "embedding": "embedding",
    "tool": "tool",
    "prompt": "prompt",
}


def _spans(record: Record) -> Iterator[FoundSpan]:
    """A run, and the runs below it where the record holds them (``child_runs``)."""
    yield tabled_spans(record, _RUN, _KINDS)
    children = from_json(record.fields.get("child_runs"))
    for child in children if isinstance(children, list) else ():
        if isinstance(child, dict):
            yield from _spans(Record(record.line, child, record.unit))


FORMAT = Format(
    name="langsmith",
    title="LangSmith runs",
    files="the runs of traces, one a record, as .jsonl, .json, .csv or .parquet (bulk export); "
    "inputs and outputs may be JSON in a cell",
    keys=(keys("run_type", "inputs", "outputs"), keys("run_type", "trace_id")),
    columns=COLUMNS,
    step=traces(_spans),
    versions="langsmith 0.15.0; the bulk export: shape from the documentation",
    source="`langsmith.schemas.Run` and the columns of the bulk export",
)
