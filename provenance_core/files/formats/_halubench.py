"""HaluBench: passages, questions and answers marked PASS or FAIL."""

from __future__ import annotations

from functools import partial

from provenance_core.files.values.fields import word_label
from provenance_core.files.formats._format import DatasetFormat, keys, mapped_parser, row_by_row
from provenance_core.files.types import Counts, FieldMapping

_MAPPING = FieldMapping(
    query="question",
    context="passage",
    answer="answer",
    label="label",
    id="id",
    subset="source_ds",
)
_TASK = "qa"
_LABEL = partial(word_label, supported="PASS", hallucinated="FAIL")

FORMAT = DatasetFormat(
    name="halubench",
    title="HaluBench",
    files="data/test-00000-of-00001.parquet, or the same rows as .jsonl or .csv",
    label_rule="As given: PASS is 1, FAIL is 0.",
    repository="PatronusAI/HaluBench",
    key_sets=(keys("passage", "question", "answer", "label"),),
    read=row_by_row(mapped_parser(_MAPPING, _LABEL, _TASK)),
    published=(("", Counts(7170, 7730)),),
    training_overlap="its HaluEval, PubMedQA and CovidQA parts are drawn from HotpotQA, PubMedQA "
    "and COVID-QA, of which some questions and texts were trained on",
    mapping=_MAPPING,
    task=_TASK,
)
