"""Records of other tools, whatever they hold: a label, or a refusal with its reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provenance_core import InputError
from provenance_core.files.records.entries import Record
from provenance_core.files.returned import (
    ReturningTool,
    _label_studio,
    _langfuse,
    _phoenix,
    read_returned_file,
    returned_tool,
)

KEYS = [
    "data", "annotations", "result", "value", "choices", "labels", "text", "start", "end", "id",
    "from_name", "completed_by", "updated_at", "was_cancelled", "audit_id", "run", "answer",
    "annotator_kind", "name", "annotation_name", "span_id", "metadata", "label", "score",
    "identifier", "user_id", "source", "dataType", "traceId", "subject", "stringValue", "reviewer",
]  # fmt: skip
WORDS = [
    "verdict", "label", "comment", "reviewer", "HUMAN", "factuality", "ANNOTATION", "supported",
    "2026-11-20T10:11:12Z", "{'audit_id': 2}", '{"audit_id": 2}', "0001-01-01T00:00:00+14:00", "\0",
]  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(WORDS)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=25,
)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=10))
def test_a_record_is_read_or_refused(fields):
    record = Record(3, fields)
    for read in (_label_studio.read_task, _phoenix.read_annotation, _langfuse.read_score):
        found = read(record)
        for label in found.labels:
            assert label.line == 3 and label.reviewer
            assert label.audit_id is not None or label.row_id
        assert all(row.line == 3 and row.reason for row in found.rejected)


@pytest.mark.parametrize(
    ("record", "tool"),
    [
        ({"data": {"audit_id": 1}, "annotations": []}, ReturningTool.LABEL_STUDIO),
        ({"annotator_kind": "HUMAN", "span_id": "s"}, ReturningTool.PHOENIX),
        ({"name": "n", "source": "API", "dataType": "NUMERIC", "value": 1}, ReturningTool.LANGFUSE),
        ({"query": "q", "context": ["c"], "answer": "a"}, None),
    ],
)
def test_the_tool_is_known_by_the_keys(tmp_path, record, tool):
    path = tmp_path / "given.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert returned_tool(path) is tool


def test_a_damaged_line_costs_itself_only(tmp_path):
    path = tmp_path / "given.jsonl"
    good = {"annotator_kind": "HUMAN", "name": "factuality", "span_id": "s",
            "result": {"label": "supported"}}  # fmt: skip
    path.write_text(f'{json.dumps(good)}\n{{"annotator\n{{"a": 1}}\n', encoding="utf-8")
    file = read_returned_file(path)
    assert [label.row_id for label in file.labels] == ["s"]
    assert [row.line for row in file.rejected] == [2, 3]
    assert "not a record of Phoenix" in file.rejected[1].reason


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        read_returned_file(tmp_path / "none.json")
