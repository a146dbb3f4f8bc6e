"""FaithBench: summaries with the spans that annotators marked, or its table of worst labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.values.fields import identifier, objects, short, span, text
from provenance_core.files.formats._format import DatasetFormat, Reading, keys, read_rows
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, GoldSpan

BATCHES = "batch_*.json"
_UNWANTED = "Unwanted"
_WORST = ("Consistent", "Questionable", "Benign", _UNWANTED)


def _read(_path: Path, entries: Iterable[Entry]) -> Reading:
    outside = 0

    def parse(record: Record) -> Iterator[BatchRow]:
        nonlocal outside
        source, summary = text(record, "source"), text(record, "summary")
        row = BatchRow(
            record.line,
            "",
            (source,),
            summary,
            label=1,
            group=text_group(source),
            task="summarization",
        )
        if "worst-label" in record.fields:
            worst = text(record, "worst-label").strip()
            if worst not in _WORST:
                raise InputError(f"worst-label is {short(worst)}, not one of {', '.join(_WORST)}")
            model = identifier(record.fields, "LLM")
            yield replace(row, label=int(worst != _UNWANTED), source_model=model)
            return
        unwanted = [
            (mark, kind) for mark in objects(record, "annotations") if (kind := _unwanted(mark))
        ]
        spans: list[GoldSpan] = []
        for mark, kind in unwanted:
            found = span(mark.get("summary_start"), mark.get("summary_end"), kind, summary)
            if found is None:
                outside += 1
            else:
                spans.append(found)
        about = record.fields.get("metadata")
        meta: dict[str, object] = about if isinstance(about, dict) else {}
        yield replace(
            row,
            label=0 if unwanted else 1,
            id=identifier(meta, "raw_sample_id"),
            source_model=identifier(meta, "summarizer"),
            spans=tuple(spans),
        )

    reading = read_rows(_samples(entries), parse)
    if not outside:
        return reading
    said = f"FaithBench: {outside} span(s) lie outside their summary and were left out"
    return replace(reading, warnings=(said,))


def _unwanted(mark: dict[str, object]) -> str:
    """The most exact label of an annotation if it is an unwanted hallucination, else ""."""
    labels = mark.get("label")
    if isinstance(labels, str):
        labels = [labels]
    if not isinstance(labels, list):
        raise InputError("label of an annotation is not a list of texts")
    return max((str(label) for label in labels if str(label).startswith(_UNWANTED)), default="")


def _samples(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The samples of every batch, numbered through."""
    number = 0
    for entry in entries:
        samples = entry.fields.get("samples") if isinstance(entry, Record) else None
        if not isinstance(entry, Record) or not isinstance(samples, list):
            yield entry
            continue
        for sample in samples:
            number += 1
            yield Record(number, sample if isinstance(sample, dict) else {})


FORMAT = DatasetFormat(
    name="faithbench",
    title="FaithBench",
    files=f"the folder data_for_release with {BATCHES}, one of these files, or FaithBench.csv "
    "(without spans)",
    label_rule="0 if any annotation of the summary is labelled Unwanted (of any kind), else 1: "
    "Questionable and Benign count as supported, unlike in the owners' binarize.py, which counts "
    "Questionable as hallucinated.",
    repository="vectara/FaithBench",
    key_sets=(
        keys("samples"),
        keys("source", "summary", "annotations"),
        keys("source", "summary", "worst-label"),
    ),
    read=_read,
)
