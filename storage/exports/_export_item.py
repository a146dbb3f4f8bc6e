"""What the formats write of an item. Its audit and reviews are read when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine

from provenance_core import Audit
from provenance_core.review.types import GoldLabel, Review
from storage.audits import AuditStore
from storage.gold_labels import GoldLabelStore
from storage.items import Item, ItemStore
from storage.reviews import ReviewStore


class NotExported(Exception):
    """This item has no place in the format; the message says why."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of an item's answer. ``audit_id``: of its own audit. ``author``: who typed it;
    "" where a suggestion was accepted."""

    audit_id: int
    answer: str
    author: str


@dataclass(frozen=True, slots=True)
class ExportItem:
    """An item with the database that the rest of it is read from, when it is written."""

    item: Item
    engine: Engine

    @property
    def name(self) -> str:
        """What the file of its run calls it, or ``audit-N``: of the audit, unique here."""
        return self.item.row_id or f"audit-{self.item.audit_id}"

    def audit(self) -> Audit:
        """The whole audit. StorageError when it cannot be read."""
        return AuditStore(self.engine).load(self.item.audit_id).audit

    def reviews(self) -> tuple[Review, ...]:
        """Every version of every reviewer, the oldest first. StorageError when unreadable."""
        return ReviewStore(self.engine).of(self.item.audit_id) if self.item.reviews else ()

    def latest_reviews(self) -> tuple[Review, ...]:
        """The reviews that count, the oldest first: of each reviewer the latest of the answer, if
        it was given in this audit. StorageError when unreadable."""
        return ReviewStore(self.engine).counted(self.item.audit_id) if self.item.reviews else ()

    def gold_label(self) -> GoldLabel | None:
        """The gold label in force of the answer. StorageError when unreadable."""
        if self.item.gold is None:
            return None
        return GoldLabelStore(self.engine).of(self.item.audit_id)[-1]

    def gold_labels(self) -> tuple[GoldLabel, ...]:
        """Every gold label that was given in this audit, the oldest first. StorageError when
        unreadable."""
        return GoldLabelStore(self.engine).given_in(self.item.audit_id) if self.item.gold else ()

    def unread_language(self) -> str:
        """Of the answer, else of the context, where the models do not read it; else "".
        StorageError when unreadable."""
        number = self.item.audit_id
        return ItemStore(self.engine).unread_languages([number]).get(number, "")

    def corrected_by(self) -> str:
        """Who typed the answer, where it is a typed correction; "" else. StorageError when
        unreadable."""
        if self.item.corrected_from is None:
            return ""
        return (
            AuditStore(self.engine).corrected_by([self.item.audit_id]).get(self.item.audit_id, "")
        )

    def corrections(self) -> tuple[ExportItem, ...]:
        """The corrections of the answer, and of these, the oldest first. They are audits of no run,
        which a filter of runs leaves out. StorageError when unreadable."""
        rows = AuditStore(self.engine).every_correction(self.item.audit_id)
        found = ItemStore(self.engine).of_audits([row.id for row in rows]) if rows else ()
        return tuple(ExportItem(item, self.engine) for item in found)

    def correction(self) -> Correction | None:
        """The last correction of the answer. StorageError when unreadable."""
        if not (found := self.corrections()):
            return None
        last = found[-1]
        return Correction(last.item.audit_id, last.item.answer, last.corrected_by())
