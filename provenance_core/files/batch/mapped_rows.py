"""Records of which each is one row, by the keys of its fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.formats._context_texts import context_texts, list_at, spans_at
from provenance_core.files.formats._fields import spans
from provenance_core.files.formats._format import Reading, read_rows
from provenance_core.files.formats._labels import names_hallucinations, read_label
from provenance_core.files.formats._own_rows import without_empty_spans
from provenance_core.files.formats._record_keys import all_keys, value_at
from provenance_core.files.formats._records import Entry, Record, head
from provenance_core.files.formats._scalars import scalar_text
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, FieldMapping, GoldSpan

# What every row must have.
NEEDED = ("context", "answer")


def read_mapped(
    path: Path,
    entries: Iterable[Entry],
    mapping: FieldMapping,
    *,
    task: str = "",
    spans_key: str = "",
) -> Reading:
    """A row of each record. ``task``: of every row without one. ``spans_key``: under which the
    hallucinated spans of the answer are, if the file has some.

    A label may be a list of spans: none is supported. Rows of the same context are one group
    where no group is mapped. :class:`InputError` when no record at all has the key of the context
    or of the answer.
    """
    for field in NEEDED:
        if not getattr(mapping, field):
            there = ", ".join(all_keys(head(iter(entries))[1]))
            raise InputError(
                f"{path}: no key is chosen for the {field}; choose one of the file's: {there} (on "
                f"the command line with --map {field}=KEY)"
            )
    named = {field: key for field, key in asdict(mapping).items() if key}
    found: set[str] = set()
    keys: dict[str, None] = {}
    converted = 0

    def text_at(fields: dict[str, object], key: str) -> str:
        nonlocal converted
        value = value_at(fields, key)
        text = scalar_text(value)
        if text is None:
            raise InputError(f"{key} is not a text but a list or an object; write it as a text")
        converted += value is not None and not isinstance(value, str)
        return text

    def parse(record: Record) -> Iterator[BatchRow]:
        fields = record.fields
        keys.update(dict.fromkeys(fields))
        found.update(key for key in named.values() if value_at(fields, key) is not None)
        answer = text_at(fields, mapping.answer)
        label, marked = _truth(fields, mapping.label, answer)
        if marked is None and spans_key:
            marked = spans_at(fields, spans_key, answer)
        context = context_texts(value_at(fields, mapping.context), mapping.context)
        id, group, subset, own_task, source_model = (
            scalar_text(value_at(fields, key)) or ""
            for key in (
                mapping.id, mapping.group, mapping.subset, mapping.task, mapping.source_model,
            )
        )  # fmt: skip
        yield BatchRow(
            record.line,
            text_at(fields, mapping.query),
            context,
            answer,
            id=id,
            label=label,
            group=group or text_group(*context),
            subset=subset,
            task=own_task or task,
            source_model=source_model,
            spans=marked,
        )

    reading = without_empty_spans(read_rows(entries, parse))
    unused = {field: key for field, key in named.items() if keys and key not in found}
    for field in NEEDED:
        if field in unused:
            raise InputError(
                f"{path}: no record has anything under {unused[field]}, which is chosen for the "
                f"{field}; choose another of its keys: {', '.join(keys)}"
            )
    warnings = [
        f"No record has anything under {key}, which is chosen for the {field.replace('_', ' ')}."
        for field, key in unused.items()
    ]
    if converted:
        warnings.append(
            f"{converted} value(s) that are numbers, truth values or dates were taken as text."
        )
    if mapping.label in found and names_hallucinations(mapping.label):
        warnings.append(
            f"{mapping.label} says whether the answer is hallucinated: 1, true and yes were taken "
            "as hallucinated, 0, false and no as supported."
        )
    return Reading(reading.rows, reading.rejected, tuple(warnings))


def _truth(
    fields: dict[str, object], key: str, answer: str
) -> tuple[int | None, tuple[GoldSpan, ...] | None]:
    """The label, and the spans where the label is a list of them."""
    value = list_at(fields, key)
    if isinstance(value, list):
        return int(not value), spans(value, answer)
    return read_label(value, key), None
