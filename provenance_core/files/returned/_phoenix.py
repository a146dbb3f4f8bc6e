"""Phoenix: span annotations, as its client and its REST interface give them.

Both the list of ``get_span_annotations`` (objects with ``result``) and the table of
``get_span_annotations_dataframe`` (columns ``result.label``, ``annotation_name``) are read.
"""

from __future__ import annotations

from collections.abc import Mapping

from provenance_core.errors import InputError
from provenance_core.files.records.entries import Record
from provenance_core.files.returned import _fields as fields
from provenance_core.files.returned._outcome import Read
from provenance_core.files.returned.types import ReturnedLabel, ReturningTool
from provenance_core.files.types import RejectedRow
from provenance_core.files.values.fields import record_text

TOOL = ReturningTool.PHOENIX
# What the export calls its annotations, and where it names a reviewer.
_NAME, _PREFIX = "factuality", "provenance-"


def is_annotation(record: Record) -> bool:
    """Whether a record is an annotation of Phoenix. True where it says what kind of annotator made
    it."""
    return "annotator_kind" in record.fields


def read_annotation(record: Record) -> Read:
    """Read the label of one annotation, if a person made it. A label, a refusal, or what else it
    was: a machine's, or of another name."""
    given = record.fields
    if fields.text(given.get("annotator_kind")).upper() != "HUMAN":
        return Read(machine=1)
    name = fields.text(given.get("annotation_name")) or fields.text(given.get("name"))
    if name != _NAME:
        return Read(others=1)
    try:
        return Read((_label(record.line, given),))
    except InputError as error:
        return Read(rejected=(RejectedRow(record.line, str(error), record_text(record)),))


def _label(line: int, given: Mapping[str, object]) -> ReturnedLabel:
    result = fields.mapping(given.get("result"))
    metadata = fields.mapping(given.get("metadata"))
    span = fields.text(given.get("span_id")) or fields.text(given.get("context.span_id"))
    number = fields.number(metadata.get("audit_id"))
    if not span and number is None:
        raise InputError(
            "the annotation has no span_id; a table of the client keeps it as its index, so write "
            "it with reset_index()"
        )
    said = {key: result.get(key, given.get(f"result.{key}")) for key in
            ("label", "score", "explanation")}  # fmt: skip
    run = metadata.get("run")
    return ReturnedLabel(
        line,
        f"annotation {fields.text(given.get('id')) or line}",
        number,
        span,
        _who(given),
        fields.verdict(said["label"], said["score"], "the label"),
        fields.text(said["explanation"]),
        run=None if run is None else str(run),
        texts=fields.text(metadata.get("texts")) or None,
        judged_at=fields.moment(given.get("updated_at"), "updated_at"),
    )


def _who(given: Mapping[str, object]) -> str:
    identifier = fields.text(given.get("identifier"))
    if identifier.startswith(_PREFIX) and identifier != _PREFIX:
        return identifier.removeprefix(_PREFIX)
    user = fields.text(given.get("user_id"))
    return f"{TOOL} user {user}" if user else f"{TOOL} user"
