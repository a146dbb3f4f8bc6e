"""Records of which each is one row, by the keys of its fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.batch.checks import checked
from provenance_core.files.formats._context_texts import context_texts, list_at, spans_at
from provenance_core.files.formats._fields import spans
from provenance_core.files.formats._format import Reading, read_rows
from provenance_core.files.formats._labels import names_hallucinations, read_label
from provenance_core.files.formats._own_rows import without_empty_spans
from provenance_core.files.formats._record_keys import all_keys, value_at
from provenance_core.files.formats._scalars import scalar_text
from provenance_core.files.records.entries import Entry, Record, head
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, FieldMapping, GoldSpan

# What every row must have.
NEEDED = ("context", "answer")
# What DeepEval writes before a context item whose source it knows.
_SOURCED = re.compile(r"\Adeepeval_source=.*?,deepeval_context=", re.DOTALL)


def read_mapped(
    path: Path,
    entries: Iterable[Entry],
    mapping: FieldMapping,
    *,
    task: str = "",
    spans_key: str = "",
    parted: str = "",
) -> Reading:
    """Make a row of each record.

    A label may be a list of spans: none is supported. Rows of the same context are one group where
    no group is mapped.

    The rows, and those that cannot be used with their reasons. Raises InputError No record at all
    has the key of the context or of the answer.
    """
    _require_chosen(path, entries, mapping)
    reader = _MappedRecords(mapping, task, spans_key, parted)
    reading = without_empty_spans(read_rows(entries, reader.parse))
    return Reading(reading.rows, reading.rejected, reader.warnings(path))


def _require_chosen(path: Path, entries: Iterable[Entry], mapping: FieldMapping) -> None:
    for name in NEEDED:
        if not getattr(mapping, name):
            there = ", ".join(all_keys(head(iter(entries))[1]))
            raise InputError(
                f"{path}: no key is chosen for the {name}; choose one of the file's: {there} (on "
                f"the command line with --map {name}=KEY)"
            )


@dataclass(slots=True)
class _MappedRecords:
    """Reads records by a mapping, and remembers what it met. ``found``: the chosen keys that some
    record has. ``keys``: those of all records. ``converted``: values that were no texts.
    ``divided``: contexts of one text that were parted."""

    mapping: FieldMapping
    task: str
    spans_key: str
    parted: str = ""
    found: set[str] = field(default_factory=set)
    keys: dict[str, None] = field(default_factory=dict)
    converted: int = 0
    divided: int = 0

    @property
    def _chosen(self) -> dict[str, str]:
        return {name: key for name, key in asdict(self.mapping).items() if key}

    def _text(self, fields: dict[str, object], key: str) -> str:
        value = value_at(fields, key)
        text = scalar_text(value)
        if text is None:
            raise InputError(f"{key} is not a text but a list or an object; write it as a text")
        self.converted += value is not None and not isinstance(value, str)
        return text

    def _context(self, fields: dict[str, object]) -> tuple[str, ...]:
        key = self.mapping.context
        items = context_texts(value_at(fields, key), key)
        if not self.parted:
            return items
        if len(items) == 1 and self.parted in items[0] and isinstance(value_at(fields, key), str):
            items = tuple(filter(str.strip, items[0].split(self.parted)))
            self.divided += 1
        return tuple(_SOURCED.sub("", item) for item in items)

    def parse(self, record: Record) -> Iterator[BatchRow]:
        """The row of a record. InputError for one that is none."""
        fields, mapping = record.fields, self.mapping
        self.keys.update(dict.fromkeys(fields))
        keys = self._chosen.values()
        self.found.update(key for key in keys if value_at(fields, key) is not None)
        answer = self._text(fields, mapping.answer)
        label, marked = _truth(fields, mapping.label, answer)
        if marked is None and self.spans_key:
            marked = spans_at(fields, self.spans_key, answer)
        context = self._context(fields)
        id, group, subset, own_task, source_model = (
            scalar_text(value_at(fields, key)) or ""
            for key in (
                mapping.id, mapping.group, mapping.subset, mapping.task, mapping.source_model,
            )
        )  # fmt: skip
        row = BatchRow(
            record.line,
            self._text(fields, mapping.query),
            context,
            answer,
            id=id,
            label=label,
            group=group or text_group(*context),
            subset=subset,
            task=own_task or self.task,
            source_model=source_model,
            spans=marked,
        )
        # Refused here, a row is shown with all columns of its record, and under their own names.
        checked(row)
        yield row

    def warnings(self, path: Path) -> tuple[str, ...]:
        """What the reader of the rows must know. InputError when no record had a key that every
        row needs."""
        chosen = self._chosen.items()
        unused = {name: key for name, key in chosen if self.keys and key not in self.found}
        for name in NEEDED:
            if name in unused:
                raise InputError(
                    f"{path}: no record has anything under {unused[name]}, which is chosen for "
                    f"the {name}; choose another of its keys: {', '.join(self.keys)}"
                )
        warnings = [
            f"No record has anything under {key}, which is chosen for the {name.replace('_', ' ')}."
            for name, key in unused.items()
        ]
        if self.converted:
            warnings.append(
                f"{self.converted} value(s) that are numbers, truth values or dates were taken as "
                "text."
            )
        if self.divided:
            warnings.append(
                f"The context of {self.divided} row(s) is one text; it was parted at {self.parted}."
            )
        label = self.mapping.label
        if label in self.found and names_hallucinations(label):
            warnings.append(
                f"{label} says whether the answer is hallucinated: 1, true and yes were taken as "
                "hallucinated, 0, false and no as supported."
            )
        return tuple(warnings)


def _truth(
    fields: dict[str, object], key: str, answer: str
) -> tuple[int | None, tuple[GoldSpan, ...] | None]:
    """The label, and the spans where the label is a list of them."""
    value = list_at(fields, key)
    if isinstance(value, list):
        return int(not value), spans(value, answer)
    return read_label(value, key), None
