"""FaithBench: summaries with the spans that annotators marked, or its table of worst labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record, cut_spans, unnested
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.types import BatchOptions
from provenance_core.files.values.fields import identifier, objects, text

BATCHES = "batch_*.json"
_UNWANTED = "Unwanted"
_WORST = ("Consistent", "Questionable", "Benign", _UNWANTED)


def _step(path: Path, entries: Iterable[Entry], options: BatchOptions) -> Iterator[Entry | Note]:
    outside = 0

    def make(record: Record) -> Iterator[Fields]:
        nonlocal outside
        row: dict[str, object] = {"source": (text(record, "source"),)}
        row["summary"] = summary = text(record, "summary")
        if "worst-label" in record.fields:
            worst = text(record, "worst-label").strip()
            if worst not in _WORST:
                said = f"worst-label is {json.dumps(worst)}, not one of {', '.join(_WORST)}"
                raise InputError(said)
            model = identifier(record.fields, "LLM")
            yield {**row, "label": int(worst != _UNWANTED), "model": model}
            return
        marks = [
            {"start": mark.get("summary_start"), "end": mark.get("summary_end"), "type": kind}
            for mark in objects(record, "annotations")
            if (kind := _unwanted(mark))
        ]
        spans, lost = cut_spans(marks, summary)
        outside += lost
        about = record.fields.get("metadata")
        meta: dict[str, object] = about if isinstance(about, dict) else {}
        yield {
            **row, "label": int(not marks), "spans": spans,
            "id": identifier(meta, "raw_sample_id"), "model": identifier(meta, "summarizer"),
        }  # fmt: skip

    yield from by_record(make)(path, unnested(entries, ("samples",)), options)
    if outside:
        yield Note(f"FaithBench: {outside} span(s) lie outside their summary and were left out")


def _unwanted(mark: dict[str, object]) -> str:
    """The most exact label of an annotation if it is an unwanted hallucination, else ""."""
    labels = mark.get("label")
    if isinstance(labels, str):
        labels = [labels]
    if not isinstance(labels, list):
        raise InputError("label of an annotation is not a list of texts")
    return max((str(label) for label in labels if str(label).startswith(_UNWANTED)), default="")


FORMAT = Format(
    name="faithbench",
    title="FaithBench",
    files=f"the folder data_for_release with {BATCHES}, one of these files, or FaithBench.csv "
    "(without spans)",
    keys=(
        keys("samples"),
        keys("source", "summary", "annotations"),
        keys("source", "summary", "worst-label"),
    ),
    columns=(
        column("context", "source"),
        column("answer", "summary"),
        column("label", "label"),
        column("id", "id"),
        column("source_model", "model"),
    ),
    step=_step,
    spans="spans",
    task="summarization",
    label_rule="0 if any annotation of the summary is labelled Unwanted (of any kind), else 1: "
    "Questionable and Benign count as supported, unlike in the owners' binarize.py, which counts "
    "Questionable as hallucinated.",
    repository="vectara/FaithBench",
)
