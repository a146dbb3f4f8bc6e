"""Full export, JSONL: everything of an audit and of its reviews; :mod:`storage.imports` reads it.

One line an item: ``schema``, ``item`` (run, line, label and the other columns of the file it came
from), ``audit`` (as :func:`provenance_core.serialization.audit_to_plain`: evidence, parameters,
models with the SHA-256 of their weights) and ``reviews`` (every version).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from provenance_core.review.types import Review
from provenance_core.serialization import audit_to_plain
from storage.items import Item

from ._export_item import ExportItem

EXPORT_SCHEMA = "provenance-export/1"


@dataclass(frozen=True, slots=True)
class FullRecord:
    """A line of the file. ``audit``: plain, with a schema of its own."""

    schema: str
    item: Item
    audit: dict[str, Any]
    reviews: tuple[Review, ...]


def full_records(given: ExportItem) -> Iterator[FullRecord]:
    """The one line of an item."""
    yield FullRecord(EXPORT_SCHEMA, given.item, audit_to_plain(given.audit()), given.reviews())
