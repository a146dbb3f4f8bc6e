"""LLM-AggreFact: claims against documents from eleven data sets."""

from __future__ import annotations

from collections.abc import Iterator

from provenance_core.evaluation.formats._fields import identifier, label, text, text_group
from provenance_core.evaluation.formats._format import DatasetFormat, keys, row_by_row
from provenance_core.evaluation.formats._records import Record
from provenance_core.evaluation.types import BatchRow


def _parse(record: Record) -> Iterator[BatchRow]:
    document = text(record, "doc")
    yield BatchRow(
        record.line,
        "",
        (document,),
        text(record, "claim"),
        label(record),
        id=identifier(record.fields, "contamination_identifier"),
        group=text_group(document),
        subset=identifier(record.fields, "dataset"),
        task="fact checking",
    )


FORMAT = DatasetFormat(
    name="llm_aggrefact",
    title="LLM-AggreFact",
    files="a dev or test .parquet file, or the same rows as .csv or .jsonl",
    label_rule="As given: 1 is supported by the document, 0 is not.",
    repository="lytang/LLM-AggreFact",
    key_sets=(keys("dataset", "doc", "claim", "label"),),
    read=row_by_row(_parse),
    kin="its ExpertQA and LFQA parts come from the same sources as the AttributionBench rows that "
    "were trained on",
)
