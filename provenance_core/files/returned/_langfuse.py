"""Langfuse: scores, as its API, its client and its exports write them, and as we export them.

Names of fields are read in both of its styles, ``traceId`` and ``trace_id``. Of version 3 of the
API, ``subject`` holds the trace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from provenance_core.errors import InputError
from provenance_core.files.records.entries import Record
from provenance_core.files.returned import _fields as fields
from provenance_core.files.returned._outcome import Read
from provenance_core.files.returned.types import ReturnedLabel, ReturningTool
from provenance_core.files.types import RejectedRow
from provenance_core.files.values.fields import record_text

TOOL = ReturningTool.LANGFUSE
# What the export calls its scores of people and of the machine; a person may use any of them.
_NAMES = ("reviewed_verdict", "verdict", "factuality")
_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")


def is_score(record: Record) -> bool:
    """Whether a record is a score of Langfuse. True where it has a score's keys and says where it
    comes from."""
    given = _snake(record.fields)
    return {"name", "data_type", "value"} <= given.keys() and ("source" in given or _is_ours(given))


def _is_ours(given: Mapping[str, object]) -> bool:
    """Whether a score is as this program exports it: Langfuse adds the source when it takes it."""
    return {"source", "reviewer", "audit_id"} <= fields.mapping(given.get("metadata")).keys()


def read_score(record: Record) -> Read:
    """Read the label of one score, if a person gave it. A label, a refusal, or what else it was: a
    machine's, or of another name."""
    given = _snake(record.fields)
    metadata = _snake(fields.mapping(given.get("metadata")))
    reviewer = fields.text(metadata.get("reviewer"))
    annotated = fields.text(given.get("source")).upper() == "ANNOTATION"
    if not annotated and not reviewer:
        return Read(machine=1)
    if fields.text(given.get("name")) not in _NAMES:
        return Read(others=1)
    try:
        return Read((_label(record.line, given, metadata, "" if annotated else reviewer),))
    except InputError as error:
        return Read(rejected=(RejectedRow(record.line, str(error), record_text(record)),))


def _label(
    line: int, given: Mapping[str, object], metadata: Mapping[str, object], reviewer: str
) -> ReturnedLabel:
    subject = _snake(fields.mapping(given.get("subject")))
    traces = (given.get("trace_id"), subject.get("trace_id"), subject.get("id"))
    trace = next(filter(None, map(fields.text, traces)), "")
    number = fields.number(metadata.get("audit_id"))
    if not trace and number is None:
        raise InputError("the score has no traceId; export scores of traces")
    author = fields.text(given.get("author_user_id"))
    run = metadata.get("run")
    return ReturnedLabel(
        line,
        f"score {fields.text(given.get('id')) or line}",
        number,
        trace,
        reviewer or (f"{TOOL} user {author}" if author else f"{TOOL} user"),
        fields.verdict(given.get("string_value"), given.get("value"), "the value"),
        fields.text(given.get("comment")),
        run=None if run is None else str(run),
        texts=fields.text(metadata.get("texts")) or None,
        judged_at=fields.moment(given.get("updated_at") or given.get("timestamp"), "updatedAt"),
    )


def _snake(given: Mapping[str, object]) -> dict[str, object]:
    return {_CAPITAL.sub(lambda m: f"_{m[1]}", str(k)).lower(): v for k, v in given.items()}
