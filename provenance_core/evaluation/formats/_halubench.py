"""HaluBench: passages, questions and answers marked PASS or FAIL."""

from __future__ import annotations

from collections.abc import Iterator

from provenance_core.evaluation.formats._fields import identifier, text, text_group, word_label
from provenance_core.evaluation.formats._format import DatasetFormat, keys, row_by_row
from provenance_core.evaluation.formats._records import Record
from provenance_core.evaluation.types import Counts, BatchRow


def _parse(record: Record) -> Iterator[BatchRow]:
    passage = text(record, "passage")
    yield BatchRow(
        record.line,
        text(record, "question"),
        (passage,),
        text(record, "answer"),
        word_label(record, "label", supported="PASS", hallucinated="FAIL"),
        id=identifier(record.fields, "id"),
        group=text_group(passage),
        subset=identifier(record.fields, "source_ds"),
        task="qa",
    )


FORMAT = DatasetFormat(
    name="halubench",
    title="HaluBench",
    files="data/test-00000-of-00001.parquet, or the same rows as .jsonl or .csv",
    label_rule="As given: PASS is 1, FAIL is 0.",
    repository="PatronusAI/HaluBench",
    key_sets=(keys("passage", "question", "answer", "label"),),
    read=row_by_row(_parse),
    published=(("", Counts(7170, 7730)),),
    kin="its HaluEval, PubMedQA and CovidQA parts are drawn from HotpotQA, PubMedQA and COVID-QA, "
    "of which some questions and texts were trained on",
)
