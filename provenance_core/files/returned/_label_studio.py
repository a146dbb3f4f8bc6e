"""Label Studio's exports: JSON, JSON-MIN, CSV and TSV, of the classic and the new editor.

The structure is that of ``label_studio_sdk.converter``. In JSON, ``data`` is the task as it was
imported, ``annotations`` holds ``result``, ``completed_by``, ``was_cancelled``, ``created_at`` and
``updated_at``. The others have one annotation a record, the task's data beside it under its own
names, and leave out what was skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from provenance_core.errors import InputError
from provenance_core.files.records.entries import Record
from provenance_core.files.returned import _fields as fields
from provenance_core.files.returned._outcome import Read
from provenance_core.files.returned.types import ReturnedLabel, ReturnedSpan, ReturningTool
from provenance_core.files.types import RejectedRow
from provenance_core.files.values.fields import record_text

TOOL = ReturningTool.LABEL_STUDIO
_KINDS = ("labels", "hypertextlabels", "paragraphlabels")


def is_task(record: Record) -> bool:
    """Whether a record is a task of Label Studio, in its JSON export. True where it has the task's
    data and its annotations."""
    return isinstance(record.fields.get("data"), Mapping) and (
        "annotations" in record.fields or "completions" in record.fields
    )


def is_annotation(record: Record) -> bool:
    """Whether a record is of JSON-MIN, CSV or TSV: it names an annotation and its annotator."""
    return {"annotation_id", "annotator"} <= record.fields.keys()


def read_annotation(record: Record) -> Read:
    """Read the label of a record that is one annotation, as JSON-MIN and the tables write it."""
    given = record.fields
    if not given.get("verdict"):
        return Read(unlabelled=1)
    results: list[dict[str, object]] = []
    for name, key in (("verdict", "choices"), ("comment", "text"), ("reviewer", "text")):
        value = fields.written(given.get(name))
        if isinstance(value, Mapping):
            value = value.get(key)
        if value:
            results.append({"from_name": name, "value": {key: value}})
    marks = fields.written(given.get("label"))
    results += [
        {"from_name": "label", "value": mark} for mark in (marks if isinstance(marks, list) else ())
    ]
    annotation = {
        "id": given.get("annotation_id"),
        "completed_by": given.get("annotator"),
        "result": results,
    }
    times = {key: given[key] for key in ("created_at", "updated_at") if given.get(key)}
    task = {"id": given.get("id"), "data": given, "annotations": [{**annotation, **times}]}
    return read_task(Record(record.line, task, record.unit))


def read_task(record: Record) -> Read:
    """Read the labels of one task, each annotation read or refused alone. A label for each
    annotation that has a verdict; a task without one counts as unlabelled."""
    task = record.fields
    data = fields.mapping(task.get("data"))
    annotations = task.get("annotations", task.get("completions"))
    if not isinstance(annotations, Sequence) or isinstance(annotations, str):
        return Read(rejected=(_refused(record, "annotations is no list; export as JSON again"),))
    done = [each for each in annotations if isinstance(each, Mapping) and not _cancelled(each)]
    if not done:
        return Read(unlabelled=1)
    number = fields.number(data.get("audit_id"))
    if number is None:
        why = (
            "the task's data has no audit_id, so that its audit is not known; annotate tasks that "
            "the format label-studio exported"
        )
        return Read(rejected=(_refused(record, why),))
    labels, rejected = [], []
    for annotation in done:
        place = f"task {fields.text(task.get('id')) or record.line}"
        if annotation.get("id"):
            place += f", annotation {fields.text(annotation['id'])}"
        try:
            labels.append(_label(record.line, place, number, data, annotation))
        except InputError as error:
            rejected.append(_refused(record, f"{place}: {error}"))
    return Read(tuple(labels), tuple(rejected))


def _cancelled(annotation: Mapping[str, object]) -> bool:
    return bool(annotation.get("was_cancelled") or annotation.get("skipped"))


def _refused(record: Record, reason: str) -> RejectedRow:
    return RejectedRow(record.line, reason, record_text(record))


def _label(
    line: int, place: str, number: int, data: Mapping[str, object], annotation: Mapping[str, object]
) -> ReturnedLabel:
    results = annotation.get("result")
    if not isinstance(results, list) or not all(isinstance(each, Mapping) for each in results):
        raise InputError("its result is no list of objects; export as JSON again")
    choices = list(_values(results, "verdict", "choices"))
    if len(choices) != 1:
        raise InputError(
            f"it has {len(choices) or 'no'} verdicts; choose one verdict in Label Studio, submit "
            "it and export again"
        )
    return ReturnedLabel(
        line,
        place,
        number,
        fields.text(data.get("row_id")),
        fields.text("".join(_values(results, "reviewer", "text")))
        or _who(annotation.get("completed_by")),
        fields.verdict(choices[0], None, "the verdict"),
        fields.text("\n".join(_values(results, "comment", "text"))),
        tuple(_spans(results)),
        run=None if data.get("run") is None else str(data["run"]),
        answer=None if data.get("answer") is None else str(data["answer"]),
        judged_at=fields.moment(
            annotation.get("updated_at") or annotation.get("created_at"), "updated_at"
        ),
    )


def _who(completed_by: object) -> str:
    """The address or name of a user; the number where the export has no more."""
    if isinstance(completed_by, Mapping):
        names = " ".join(fields.text(completed_by.get(key)) for key in ("first_name", "last_name"))
        found = fields.text(completed_by.get("email")) or names.strip()
        if found:
            return found
        completed_by = completed_by.get("id")
    said = fields.text(completed_by)
    if not said:
        raise InputError(
            "it says neither who completed it nor a reviewer; fill the field reviewer in Label "
            "Studio and export again"
        )
    return said if "@" in said else f"{TOOL} user {said}"


def _values(results: Sequence[Mapping[str, object]], name: str, key: str) -> Iterator[str]:
    for result in results:
        if result.get("from_name") == name:
            given = fields.mapping(result.get("value")).get(key)
            yield from map(str, given if isinstance(given, list) else [given] if given else [])


def _spans(results: Sequence[Mapping[str, object]]) -> Iterator[ReturnedSpan]:
    for result in results:
        if result.get("from_name") != "label":
            continue
        value = fields.mapping(result.get("value"))
        # The tag HyperText has paths in start and end, and its labels under a name of its own.
        offsets = fields.mapping(value.get("globalOffsets")) or value
        start, end = offsets.get("start"), offsets.get("end")
        kinds = next((value[key] for key in _KINDS if value.get(key)), None)
        if not (isinstance(start, int) and isinstance(end, int) and isinstance(kinds, list)):
            raise InputError(
                "a region has no start, end and labels; use the labelling configuration that the "
                "export shows"
            )
        for kind in kinds:
            yield ReturnedSpan(start, end, fields.text(value.get("text")), str(kind))
