"""SummaC: the entries of its benchmark loader, as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from provenance_core.evaluation.formats._fields import identifier, label, text, text_group
from provenance_core.evaluation.formats._format import DatasetFormat, keys, row_by_row
from provenance_core.evaluation.formats._records import Record
from provenance_core.evaluation.types import BatchRow


def _parse(record: Record) -> Iterator[BatchRow]:
    document = text(record, "document")
    dataset, cut = (identifier(record.fields, key) for key in ("dataset", "cut"))
    yield BatchRow(
        record.line,
        "",
        (document,),
        text(record, "claim"),
        label(record),
        id=identifier(record.fields, "id", "ID"),
        group=text_group(document),
        subset=f"{dataset} {cut}".strip(),
        task="summarization",
        source_model=identifier(record.fields, "model_name"),
    )


FORMAT = DatasetFormat(
    name="summac",
    title="SummaC",
    files="the entries that the owners' benchmark loader builds, saved as .jsonl or .json",
    label_rule="As the owners' loader gives it: 1 is consistent with the document, 0 is not.",
    repository="tingofurro/summac",
    key_sets=(keys("document", "claim", "label", "dataset"),),
    read=row_by_row(_parse),
)
