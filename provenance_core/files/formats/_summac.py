"""SummaC: the entries of its benchmark loader, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from provenance_core.files.values.fields import identifier, label
from provenance_core.files.formats._format import DatasetFormat, keys, mapped_parser, row_by_row
from provenance_core.files.records.entries import Record
from provenance_core.files.types import BatchRow, FieldMapping

_MAPPING = FieldMapping(
    context="document",
    answer="claim",
    label="label",
    id="id",
    subset="dataset",
    source_model="model_name",
)
_TASK = "summarization"
_PARSE = mapped_parser(_MAPPING, label, _TASK)


def _parse(record: Record) -> Iterator[BatchRow]:
    dataset, cut = (identifier(record.fields, key) for key in ("dataset", "cut"))
    for row in _PARSE(record):
        yield replace(
            row, id=identifier(record.fields, "id", "ID"), subset=f"{dataset} {cut}".strip()
        )


FORMAT = DatasetFormat(
    name="summac",
    title="SummaC",
    files="the entries that the owners' benchmark loader builds, saved as .jsonl or .json",
    label_rule="As the owners' loader gives it: 1 is consistent with the document, 0 is not.",
    repository="tingofurro/summac",
    key_sets=(keys("document", "claim", "label", "dataset"),),
    read=row_by_row(_parse),
    mapping=_MAPPING,
    task=_TASK,
)
