"""What people said of an answer, as SQL: in its audit, and in the other audits of it.

A judgement speaks of one audit's answer: of one query, one context and one answer. Every other
audit of the very same texts shows its verdict, until that audit is judged itself: then its own
judgements count there alone. Nothing is copied. Of the judgements that a reviewer gave in several
audits of an answer, the newest is the reviewer's opinion of it.

The conditions are on ``audits``; those on judgements go through ``ix_reviews_answer``.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Subquery,
    and_,
    case,
    cast,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import aliased

from provenance_core.review.types import JudgedVerdict
from storage.models import AuditRecord, ReviewRecord


def judged_itself() -> ColumnElement[bool]:
    """Whether an audit has a judgement of its own.

    Returns
    -------
    ColumnElement[bool]
        A condition on the table of audits.
    """
    own = (ReviewRecord.audit_id == AuditRecord.id) & ReviewRecord.latest
    return exists().where(own).correlate(AuditRecord)


def judged_anywhere() -> ColumnElement[bool]:
    """Whether an audit's answer is judged, in it or in another audit.

    Returns
    -------
    ColumnElement[bool]
        A condition on the table of audits.
    """
    other = aliased(ReviewRecord)
    return or_(judged_itself(), exists().where(*_of_answer(other)).correlate(AuditRecord))


def said_here(verdict: JudgedVerdict | None = None) -> ColumnElement[int]:
    """Count the judgements in force that an audit has of its own.

    Parameters
    ----------
    verdict : JudgedVerdict | None, default None
        Of which verdict; None means all.

    Returns
    -------
    ColumnElement[int]
        A number for a row of the table of audits.
    """
    own = [ReviewRecord.audit_id == AuditRecord.id, ReviewRecord.latest]
    if verdict is not None:
        own.append(ReviewRecord.verdict == str(verdict))
    return select(func.count()).where(*own).correlate(AuditRecord).scalar_subquery()


def said_elsewhere(verdict: JudgedVerdict) -> ColumnElement[int]:
    """Count the reviewers who gave an audit's answer a verdict in other audits.

    Parameters
    ----------
    verdict : JudgedVerdict
        Which verdict.

    Returns
    -------
    ColumnElement[int]
        A number for a row of the table of audits; 0 for one that is judged itself.
    """
    other = aliased(ReviewRecord)
    given = (
        select(func.count())
        .where(*_of_answer(other), other.verdict == str(verdict), newest_of_reviewer(other))
        .correlate(AuditRecord)
        .scalar_subquery()
    )
    return case((judged_itself(), 0), else_=given)


def judged_in() -> ColumnElement[int | None]:
    """Find the audit whose judgement another audit of the answer shows.

    Returns
    -------
    ColumnElement[int | None]
        For a row of the table of audits the highest number of one that holds an opinion; NULL for
        an audit that is judged itself, or whose answer is not judged.
    """
    other = aliased(ReviewRecord)
    last = select(func.max(other.audit_id)).where(*_of_answer(other), newest_of_reviewer(other))
    return case((judged_itself(), null()), else_=last.correlate(AuditRecord).scalar_subquery())


def same_answer(review: Any) -> ColumnElement[bool]:
    """Whether a judgement speaks of an audit's answer, in whichever audit it was given.

    Parameters
    ----------
    review : Any
        The table of judgements, or an alias of it.

    Returns
    -------
    ColumnElement[bool]
        A condition on ``review`` and the table of audits.
    """
    return and_(
        review.source_digest == AuditRecord.source_digest,
        review.text_digest == AuditRecord.text_digest,
    )


def newest_of_reviewer(review: Any) -> ColumnElement[bool]:
    """Whether a judgement in force is its reviewer's newest of the answer.

    Parameters
    ----------
    review : Any
        The table of judgements, or an alias of it.

    Returns
    -------
    ColumnElement[bool]
        A condition on ``review``; true of one of an older audit, without digests.
    """
    later = aliased(ReviewRecord)
    after = or_(
        later.created_at > review.created_at,
        and_(later.created_at == review.created_at, later.id > review.id),
    )
    return ~(
        exists()
        .where(
            later.source_digest == review.source_digest,
            later.text_digest == review.text_digest,
            later.latest,
            later.reviewer == review.reviewer,
            after,
        )
        .correlate(review)
    )


def opinions_of_audits() -> Subquery:
    """Count what is said of every audit whose answer is judged, beforehand for all of them.

    Returns
    -------
    Subquery
        ``audit_id``; ``own``: whether the judgements are of the audit itself; ``reviews``,
        ``supported``, ``hallucinated``: how many; ``differ``: whether their verdicts do;
        ``judged_in``: as :func:`judged_in`; ``first_judged``: the first judged audit of the
        answer, which is the same for all of its audits; NULL for an older audit, without digests.
    """
    review, other, judged, first = (aliased(ReviewRecord) for _ in range(4))
    firsts = (
        select(first.source_digest, first.text_digest, func.min(first.audit_id).label("audit"))
        .where(first.latest)
        .group_by(first.source_digest, first.text_digest)
        .subquery("firsts")
    )

    def with_first(of: Any) -> ColumnElement[bool]:
        return and_(
            firsts.c.source_digest == of.source_digest, firsts.c.text_digest == of.text_digest
        )

    number = func.min(firsts.c.audit).label("first_judged")
    nowhere = cast(null(), Integer).label("judged_in")
    own = (
        select(review.audit_id.label("audit_id"), true().label("own"), *_counts(review))
        .add_columns(nowhere, number)
        .outerjoin(firsts, with_first(review))
        .where(review.latest)
        .group_by(review.audit_id)
    )
    itself = exists().where(judged.audit_id == AuditRecord.id, judged.latest).correlate(AuditRecord)
    elsewhere = (
        select(AuditRecord.id.label("audit_id"), false().label("own"), *_counts(other))
        .add_columns(func.max(other.audit_id).label("judged_in"), number)
        .select_from(other)
        .join(AuditRecord, same_answer(other))
        .outerjoin(firsts, with_first(other))
        .where(other.latest, newest_of_reviewer(other), ~itself)
        .group_by(AuditRecord.id)
    )
    return union_all(own, elsewhere).subquery("said")


def audits_of_judged_answers() -> Select[Any]:
    """List the audits whose answers are judged, in them or in another audit.

    Returns
    -------
    Select[Any]
        A statement that reads numbers of audits, some of them several times.
    """
    review = ReviewRecord
    own = select(review.audit_id.label("audit_id")).where(review.latest)
    others = (
        select(AuditRecord.id.label("audit_id"))
        .select_from(review)
        .join(AuditRecord, same_answer(review))
        .where(review.latest)
    )
    every = union_all(own, others).subquery()
    return select(every.c.audit_id)


def _of_answer(review: Any) -> tuple[ColumnElement[bool], ...]:
    """Judgements in force of the audit's answer, in whichever audit."""
    return (same_answer(review), review.latest)


def _counts(review: Any) -> tuple[Any, ...]:
    def count(verdict: JudgedVerdict) -> Any:
        return func.sum(case((review.verdict == str(verdict), 1), else_=0))

    return (
        func.count(literal(1)).label("reviews"),
        count(JudgedVerdict.SUPPORTED).label("supported"),
        count(JudgedVerdict.HALLUCINATED).label("hallucinated"),
        (func.min(review.verdict) != func.max(review.verdict)).label("differ"),
    )
