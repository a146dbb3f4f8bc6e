"""Who has seen the machine's view of which audit: a judgement of its answer is not blind."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import insert, select

from provenance_core.review.checks import MOST_NAME_CHARACTERS, folded_name
from storage.database import DatabaseAccess
from storage.models import AuditRecord, SeenAuditRecord


class SeenAuditStore(DatabaseAccess):
    """Who has seen what, in one database. Cheap to create; safe to use from several threads."""

    def note(self, reviewer: str, audit_ids: Collection[int]) -> None:
        """Keep that a person has seen audits. Audits that are not there are left out."""
        name, seen = _key(reviewer), SeenAuditRecord
        with self._writing("What was seen was not kept") as session:
            known = select(seen.audit_id).where(seen.reviewer == name, seen.audit_id.in_(audit_ids))
            there = select(AuditRecord.id).where(
                AuditRecord.id.in_(audit_ids), AuditRecord.id.not_in(known)
            )
            rows = [{"audit_id": number, "reviewer": name} for number in session.scalars(there)]
            if rows:
                session.execute(insert(seen), rows)

    def any_seen(self, reviewer: str, audit_ids: Collection[int]) -> bool:
        """Say whether a person has seen one of these audits."""
        seen = SeenAuditRecord
        found = select(seen.audit_id).where(
            seen.reviewer == _key(reviewer), seen.audit_id.in_(audit_ids)
        )
        with self._reading("What was seen cannot be read") as session:
            return session.scalar(found.limit(1)) is not None


def _key(reviewer: str) -> str:
    return folded_name(reviewer)[:MOST_NAME_CHARACTERS]
