"""OpenInference spans: the answer of a trace and the documents that were retrieved for it.

The attributes input.value, output.value and retrieval.documents.{i}.document.content are read with
and without "attributes." before them, flat or nested, as lists or with numbers in their keys. The
names are those of the OpenInference semantic conventions; trace_id, span_id, parent_id and
span_kind are read as Phoenix exports them (also under "context."), from memory of its exports.
OpenTelemetry's own JSON, with attributes as a list of key and value, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from provenance_core.files.formats._context_texts import listed
from provenance_core.files.formats._fields import record_text
from provenance_core.files.formats._format import Reading, parsed
from provenance_core.files.formats._records import Entry, Record
from provenance_core.files.formats._scalars import scalar_text
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, RejectedRow

_DOCUMENT = re.compile(r"retrieval\.documents\.(\d+)(?:\.(?:document\.)?content)?")
# Kinds of spans whose output is not an answer.
_NO_ANSWER_KINDS = ("retriever", "reranker", "embedding", "tool")


@dataclass(frozen=True, slots=True)
class _Span:
    record: Record
    trace: str
    id: str
    parent: str
    kind: str
    query: str
    answer: str
    model: str
    documents: tuple[str, ...]

    @property
    def answers(self) -> bool:
        return bool(self.answer.strip()) and self.kind not in _NO_ANSWER_KINDS


def read_traces(_path: Path, entries: Iterable[Entry]) -> Reading:
    """Make a row of each span that has both answer and documents.

    In a trace without one, a row is made of its outermost span with an answer and the documents of
    all of its spans.

    Parameters
    ----------
    _path : Path
        Not read.
    entries : Iterable[Entry]
        A record for each span.

    Returns
    -------
    Reading
        The rows, and those that cannot be used with their reasons.
    """
    found, rejected = parsed(entries, lambda record: (_span(record),))
    traces: dict[str, list[_Span]] = {}
    for span in found:
        traces.setdefault(span.trace or f"\x00{span.record.line}", []).append(span)
    rows: list[BatchRow] = []
    for spans in traces.values():
        answering = [span for span in spans if span.answers]
        whole = [span for span in answering if span.documents]
        if whole:
            rows.extend(_row(span, span.documents) for span in whole)
            continue
        ids = {span.id for span in spans}
        outermost = sorted(answering, key=lambda span: span.parent in ids)
        documents = tuple(text for span in spans for text in span.documents)
        if outermost and documents:
            rows.append(_row(outermost[0], documents))
            continue
        lacking = "retrieved documents" if outermost else "span with an answer (output.value)"
        rejected.append(
            RejectedRow(
                spans[0].record.line,
                f"the trace has no {lacking}; export all spans of the trace, or leave it out",
                "\n".join(record_text(span.record) for span in spans),
            )
        )
    return Reading(tuple(rows), tuple(rejected))


def _row(span: _Span, documents: tuple[str, ...]) -> BatchRow:
    return BatchRow(
        span.record.line,
        span.query,
        documents,
        span.answer,
        id=span.id,
        group=text_group(*documents),
        source_model=span.model,
    )


def _span(record: Record) -> _Span:
    leaves = {key.removeprefix("attributes."): value for key, value in _leaves("", record.fields)}

    def first(*keys: str) -> str:
        found = (scalar_text(leaves.get(key)) for key in keys)
        return next(filter(None, found), "")

    numbered = (
        (int(match[1]), scalar_text(value) or "")
        for key, value in leaves.items()
        if (match := _DOCUMENT.fullmatch(key))
    )
    return _Span(
        record,
        trace=first("context.trace_id", "trace_id", "traceId"),
        id=first("context.span_id", "span_id", "spanId"),
        parent=first("parent_id", "parent_span_id", "parentSpanId"),
        kind=first("span_kind", "openinference.span.kind").casefold(),
        query=first("input.value"),
        answer=first("output.value"),
        model=first("llm.model_name"),
        documents=tuple(text for _, text in sorted(numbered, key=lambda item: item[0]) if text),
    )


def _leaves(prefix: str, value: object) -> Iterator[tuple[str, object]]:
    """Every value within objects and lists, under its key with dots."""
    if isinstance(value, str) and value.startswith("[") and prefix.endswith("documents"):
        value = listed(value, prefix)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{prefix}.{key}" if prefix else str(key), inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(f"{prefix}.{number}", inner)
    else:
        yield prefix, value
