"""What the formats write of: an item, and its audit and reviews when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from provenance_core import Audit
from provenance_core.review.types import Review
from storage.errors import database_errors
from storage.items import Item
from storage.store import AuditStore

from ._review_rows import reviews_of


class NotExported(Exception):
    """This item has no place in the format; the message says why."""


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
        """Every version of every reviewer, by reviewer and version."""
        if not self.item.reviews:
            return ()
        what = f"The reviews of audit {self.item.audit_id} cannot be read"
        with database_errors(what), Session(self.engine) as session:
            return reviews_of(session, self.item.audit_id)

    def latest_reviews(self) -> tuple[Review, ...]:
        """The review in force of each reviewer, by name."""
        return tuple({review.reviewer: review for review in self.reviews()}.values())
