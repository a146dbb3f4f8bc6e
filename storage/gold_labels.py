"""Gold labels: the verdict that settles a disagreement of reviewers, with who decided.

A gold label speaks of an answer as a judgement does (:mod:`storage.opinions`): of every audit of
the same query, context and answer. It replaces no judgement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, or_, select, update
from sqlalchemy.orm import Session, aliased

from provenance_core import InputError
from provenance_core.audit.serialization import to_plain
from provenance_core.review.checks import check_comment, reviewer_name
from provenance_core.review.types import GoldLabel, JudgedVerdict, SettledVerdict
from storage.audits import require_audit
from storage.database import DatabaseAccess, now_text
from storage.engine import REVIEW_LOCK, take_lock
from storage.items import ItemFilter, Reviewed
from storage.judged_answers import count_of_items
from storage.models import AuditRecord, GoldLabelRecord
from storage.opinions import opinions_by_audit, same_answer
from storage.records import from_row
from storage.reviewers import known_reviewer


@dataclass(frozen=True, slots=True)
class GoldProgress:
    """How many answers reviewers disagree about, and of how many a gold label settles that."""

    disputed: int
    settled: int


class GoldLabelStore(DatabaseAccess):
    """Gold labels in one database. Cheap to create; safe to use from several threads."""

    def save(
        self, audit_id: int, decided_by: str, verdict: JudgedVerdict, comment: str = ""
    ) -> GoldLabel:
        """Keep the verdict that settles an audit's answer. Judgements and earlier gold labels stay.
        Returns the label, with what each reviewer says of the answer now. Raises InputError if the
        name or the comment cannot be used, or nobody has judged the answer, and AuditNotFound if
        there is no audit of that number."""
        reviewer_name(decided_by)
        check_comment(comment)
        with self._writing("The gold label was not saved") as session:
            take_lock(session.connection(), REVIEW_LOCK)
            require_audit(session, audit_id)
            said = opinions_by_audit(session, [audit_id]).get(audit_id, ())
            if not said:
                raise InputError(
                    "Nobody has judged this answer yet. Judge it before you settle it."
                )
            gold = GoldLabel(
                id=0,
                audit_id=audit_id,
                created_at=now_text(),
                decided_by=known_reviewer(session, decided_by),
                verdict=verdict,
                comment=comment,
                settled=tuple(SettledVerdict(each.reviewer, each.verdict) for each in said),
            )
            number = insert_gold_label(session, gold)
            return read_gold_labels(session, GoldLabelRecord.id == number)[0]

    def progress(self, chosen: ItemFilter) -> GoldProgress:
        """Count the answers that reviewers disagree about, and those of them that are settled.
        ``chosen``: which audits count; what it asks of reviews is ignored."""
        with self._reading("The disagreements cannot be counted") as session:
            disputed, unsettled = (
                session.scalar(
                    count_of_items(replace(chosen, reviewed=said), self._engine, by_answer=True)
                )
                or 0
                for said in (Reviewed.DISPUTED, Reviewed.UNSETTLED)
            )
        return GoldProgress(disputed, disputed - unsettled)

    def of(self, audit_id: int) -> tuple[GoldLabel, ...]:
        """Read every gold label of an audit's answer, in whichever audit of it. Returns the labels,
        the oldest first. The last is in force."""
        gold = aliased(GoldLabelRecord)
        of_answer = select(gold.id).join(AuditRecord, same_answer(gold))
        with self._reading("The gold labels cannot be read") as session:
            return read_gold_labels(
                session,
                or_(
                    GoldLabelRecord.audit_id == audit_id,
                    GoldLabelRecord.id.in_(of_answer.where(AuditRecord.id == audit_id)),
                ),
            )

    def given_in(self, audit_id: int) -> tuple[GoldLabel, ...]:
        """Read the gold labels that were given in one audit. Returns the labels, the oldest
        first."""
        with self._reading("The gold labels cannot be read") as session:
            return read_gold_labels(session, GoldLabelRecord.audit_id == audit_id)


def insert_gold_label(session: Session, gold: GoldLabel) -> int:
    """Add a gold label to the session's transaction. The newest of its answer is in force."""
    digests = select(AuditRecord.source_digest, AuditRecord.text_digest)
    source, texts = session.execute(digests.where(AuditRecord.id == gold.audit_id)).one()
    plain = to_plain(gold)
    del plain["id"]
    record = GoldLabelRecord(**plain, latest=False, source_digest=source, text_digest=texts)
    session.add(record)
    session.flush()
    table = GoldLabelRecord
    same: Sequence[ColumnElement[bool]] = (table.audit_id == gold.audit_id,)
    if source is not None:
        same = (table.source_digest == source, table.text_digest == texts)
    newest = session.scalars(
        select(table.id).where(*same).order_by(table.created_at.desc(), table.id.desc()).limit(1)
    ).one()
    session.execute(
        update(table)
        .where(*same)
        .values(latest=table.id == newest)
        .execution_options(synchronize_session=False)
    )
    return record.id


def read_gold_labels(session: Session, wanted: ColumnElement[bool]) -> tuple[GoldLabel, ...]:
    """The gold labels of which ``wanted`` is true, the oldest first."""
    rows = session.scalars(
        select(GoldLabelRecord)
        .where(wanted)
        .order_by(GoldLabelRecord.created_at, GoldLabelRecord.id)
    )
    return tuple(from_row(GoldLabel, row) for row in rows)
