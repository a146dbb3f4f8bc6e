"""LLM-AggreFact: claims against documents from eleven data sets."""

from __future__ import annotations

from provenance_core.files.values.fields import label
from provenance_core.files.formats._format import DatasetFormat, keys, mapped_parser, row_by_row
from provenance_core.files.types import FieldMapping

_MAPPING = FieldMapping(
    context="doc",
    answer="claim",
    label="label",
    id="contamination_identifier",
    subset="dataset",
)
_TASK = "fact checking"

FORMAT = DatasetFormat(
    name="llm_aggrefact",
    title="LLM-AggreFact",
    files="a dev or test .parquet file, or the same rows as .csv or .jsonl",
    label_rule="As given: 1 is supported by the document, 0 is not.",
    repository="lytang/LLM-AggreFact",
    key_sets=(keys("dataset", "doc", "claim", "label"),),
    read=row_by_row(mapped_parser(_MAPPING, label, _TASK)),
    training_overlap="its ExpertQA and LFQA parts come from the same sources as the "
    "AttributionBench rows that were trained on",
    mapping=_MAPPING,
    task=_TASK,
)
