"""Shares of a run: which of its answers each reviewer is to judge, and how far each of them is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import String, cast, delete, func, insert, select
from sqlalchemy.orm import Session

from provenance_core import InputError
from provenance_core.review.checks import folded_name, reviewer_name
from storage.database import DatabaseAccess
from storage.engine import REVIEW_LOCK, take_lock
from storage.models import AuditRecord, ReviewRecord, ReviewShareRecord, RunRowRecord
from storage.opinions import opinions_by_audit
from storage.reviewers import known_reviewer


@dataclass(frozen=True, slots=True)
class Share:
    """How many answers of a run a reviewer is to judge, and has judged."""

    reviewer: str
    assigned: int
    judged: int


class ShareStore(DatabaseAccess):
    """Shares in one database. Cheap to create; safe to use from several threads."""

    def assign(self, run_id: int, reviewers: Sequence[str], judgements: int = 1) -> None:
        """Deal the audited answers of a run out, in the order of its file, in place of its earlier
        shares. Judgements stay. Answers that a reviewer has judged go to that reviewer first. Each
        answer is dealt once, however many rows have it. ``reviewers``: their names; none takes all
        shares back. Raises InputError if a name cannot be used or is there twice, or there are
        fewer reviewers than judgements."""
        names = [reviewer_name(each) for each in reviewers]
        if len({folded_name(name) for name in names}) < len(names):
            raise InputError("A reviewer is named twice. Name each once.")
        if names and not 1 <= judgements <= len(names):
            raise InputError(
                f"{judgements} judgements of each answer need as many reviewers; you named "
                f"{len(names)}. Name more reviewers, or ask for fewer judgements."
            )
        with self._writing("The shares were not assigned") as session:
            take_lock(session.connection(), REVIEW_LOCK)
            session.execute(delete(ReviewShareRecord).where(ReviewShareRecord.run_id == run_id))
            known = [known_reviewer(session, name) for name in names]
            if known and (rows := _dealt(session, run_id, known, judgements)):
                session.execute(insert(ReviewShareRecord), rows)

    def of(self, run_id: int) -> tuple[Share, ...]:
        """Read the shares of a run, one a reviewer, by name. A judgement counts from whichever
        audit of the answer."""
        share = ReviewShareRecord
        with self._reading("The shares cannot be read") as session:
            found = session.execute(
                select(share.reviewer, share.audit_id).where(share.run_id == run_id)
            ).all()
            if not found:
                return ()
            said = opinions_by_audit(session, sorted({row.audit_id for row in found}))
        assigned: dict[str, int] = defaultdict(int)
        judged: dict[str, int] = defaultdict(int)
        for reviewer, audit_id in found:
            assigned[reviewer] += 1
            judged[reviewer] += any(
                folded_name(each.reviewer) == folded_name(reviewer)
                for each in said.get(audit_id, ())
            )
        return tuple(Share(name, assigned[name], judged[name]) for name in sorted(assigned))

    def names(self, run_ids: Sequence[int]) -> tuple[str, ...]:
        """Name the reviewers who have a share of one of these runs."""
        share = ReviewShareRecord
        wanted = select(share.reviewer).where(share.run_id.in_(run_ids)).distinct()
        with self._reading("The shares cannot be read") as session:
            return tuple(sorted(session.scalars(wanted)))

    def reviewers(self) -> tuple[str, ...]:
        """Name everyone who has judged an answer or has a share."""
        with self._reading("The reviewers cannot be read") as session:
            names = {
                *session.scalars(select(ReviewRecord.reviewer).distinct()),
                *session.scalars(select(ReviewShareRecord.reviewer).distinct()),
            }
        return tuple(sorted(names))


def _dealt(
    session: Session, run_id: int, reviewers: Sequence[str], judgements: int
) -> list[dict[str, object]]:
    """Rows of the table: of each answer the audit of its first row, with its reviewers."""
    row = RunRowRecord
    listed = session.execute(
        select(func.min(AuditRecord.id))
        .select_from(row)
        .join(AuditRecord, AuditRecord.id == row.audit_id)
        .where(row.run_id == run_id)
        .group_by(
            func.coalesce(AuditRecord.source_digest, cast(AuditRecord.id, String)),
            func.coalesce(AuditRecord.text_digest, ""),
        )
        .order_by(func.min(row.id))
    )
    audits = [number for (number,) in listed]
    said = opinions_by_audit(session, audits)
    load = dict.fromkeys(reviewers, 0)
    rows: list[dict[str, object]] = []
    # Those that were judged come first, so that the others even out the shares.
    for number in sorted(audits, key=lambda number: number not in said):
        judged = {folded_name(each.reviewer) for each in said.get(number, ())}
        order = sorted(reviewers, key=lambda name: (folded_name(name) not in judged, load[name]))
        for name in order[:judgements]:
            load[name] += 1
            rows.append({"run_id": run_id, "reviewer": name, "audit_id": number})
    return rows
