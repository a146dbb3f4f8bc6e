"""Writes the items of a filter in a format, one at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import IO, Any

from provenance_core.statistics.types import SkipReason
from storage.database import DatabaseAccess
from storage.errors import StorageError
from storage.exports import phoenix
from storage.exports._export_item import ExportItem, NotExported
from storage.exports.csv_items import csv_lines, csv_rows
from storage.exports.full import full_records
from storage.exports.json_text import json_array, json_lines
from storage.exports.label_studio import label_studio_tasks
from storage.exports.langfuse import langfuse_scores
from storage.exports.phoenix import span_annotations
from storage.exports.ragtruth import SpansFrom, responses, sources
from storage.items import ItemFilter, ItemStore


class ExportFormat(StrEnum):
    """A file that the items of a filter are exported to.

    JSONL is the full one, which can be imported. RAGTRUTH has the spans of the machine,
    RAGTRUTH_REVIEWERS those of the reviewers, RAGTRUTH_SOURCES the queries and contexts of both.

    A sentence that is not supported is ``contradicted`` or ``not_found``; ``Conflict`` or
    ``Baseless Info`` in RAGTruth. With a detector that selects sources, one that only a dropped
    chunk supports is ``not_found``, also where a source contradicts it.

    Each judgement is written with the audit in which it was given. Of several that a reviewer gave
    in audits of one answer the latest is written; the full one has them all. ``reviewed_label`` in
    CSV is what most reviewers say of the answer, in whichever audits."""

    CSV = "csv"
    JSONL = "jsonl"
    RAGTRUTH = "ragtruth"
    RAGTRUTH_REVIEWERS = "ragtruth-reviewers"
    RAGTRUTH_SOURCES = "ragtruth-sources"
    LABEL_STUDIO = "label-studio"
    PHOENIX = "phoenix"
    LANGFUSE = "langfuse"


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """How many items were written, and how many were not, by reason."""

    written: int
    left_out: tuple[SkipReason, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """``records``: makes what writes an item, once a file; ``framed``: their text."""

    records: Callable[[], Callable[[ExportItem], Iterator[Any]]]
    framed: Callable[[Iterable[Any]], Iterator[str]]


_WAYS: dict[ExportFormat, _Way] = {
    ExportFormat.CSV: _Way(lambda: csv_rows, csv_lines),
    ExportFormat.JSONL: _Way(lambda: full_records, json_lines),
    ExportFormat.RAGTRUTH: _Way(lambda: responses(SpansFrom.MACHINE), json_lines),
    ExportFormat.RAGTRUTH_REVIEWERS: _Way(lambda: responses(SpansFrom.REVIEWERS), json_lines),
    ExportFormat.RAGTRUTH_SOURCES: _Way(sources, json_lines),
    ExportFormat.LABEL_STUDIO: _Way(lambda: label_studio_tasks, json_array),
    ExportFormat.PHOENIX: _Way(
        lambda: span_annotations, partial(json_array, head=phoenix.HEAD, tail=phoenix.TAIL)
    ),
    ExportFormat.LANGFUSE: _Way(lambda: langfuse_scores, json_lines),
}


class Exporter(DatabaseAccess):
    """Exports from one database. Cheap to create; safe to use from several threads."""

    def write(self, chosen: ItemFilter, wanted: ExportFormat, file: IO[bytes]) -> ExportSummary:
        """Write the items that pass a filter, in the file's order, in UTF-8. One audit is in memory
        at a time. An item that cannot be read or has no place in the format is left out and
        counted. Raises StorageError where the items cannot be listed."""
        way = _WAYS[wanted]
        of_item = way.records()
        written = 0
        left_out: Counter[str] = Counter()

        def records() -> Iterator[Any]:
            nonlocal written
            for item in ItemStore(self._engine).each(chosen):
                try:
                    found = list(of_item(ExportItem(item, self._engine)))
                except (NotExported, StorageError) as error:
                    left_out[str(error)] += 1
                else:
                    written += 1
                    yield from found

        for text in way.framed(records()):
            file.write(text.encode("utf-8"))
        return ExportSummary(written, tuple(SkipReason(*pair) for pair in left_out.items()))
