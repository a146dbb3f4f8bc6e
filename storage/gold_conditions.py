"""Gold labels as SQL, for the rows of the table of audits (:mod:`storage.gold_labels`)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.orm import aliased

from storage.models import AuditRecord, GoldLabelRecord
from storage.opinions import same_answer


def gold_in_force() -> ColumnElement[Any]:
    """The verdict of the gold label in force, for a row of the table of audits; NULL where the
    answer is not settled."""

    def found(gold: Any, *wanted: ColumnElement[bool]) -> Any:
        chosen = select(gold.verdict).where(gold.latest, *wanted).limit(1)
        return chosen.correlate(AuditRecord).scalar_subquery()

    of_answer, own = aliased(GoldLabelRecord), aliased(GoldLabelRecord)
    alone = and_(own.audit_id == AuditRecord.id, own.source_digest.is_(None))
    return func.coalesce(found(of_answer, same_answer(of_answer)), found(own, alone))


def is_settled() -> ColumnElement[bool]:
    """Whether an audit's answer has a gold label, as a condition on the table of audits."""
    of_answer, own = aliased(GoldLabelRecord), aliased(GoldLabelRecord)
    return or_(
        exists(of_answer.id).where(same_answer(of_answer), of_answer.latest).correlate(AuditRecord),
        exists(own.id)
        .where(own.audit_id == AuditRecord.id, own.latest, own.source_digest.is_(None))
        .correlate(AuditRecord),
    )
