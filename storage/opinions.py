"""What reviewers say of an answer, as SQL: the one rule that every list, figure and export follows.

A judgement speaks of an answer: of one query, one context and one answer, and so of every audit of
the very same texts. Of the judgements that a reviewer gave in the audits of an answer, the latest
is the reviewer's opinion of it, and counts in all of these audits alike. The others stay stored as
they were given. Nothing is copied. An older audit, without digests, has its own judgements alone.

The conditions are on ``audits``; those on judgements go through ``ix_reviews_answer``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
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
    func,
    literal,
    null,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from provenance_core.review.types import JudgedVerdict
from storage.models import AuditRecord, ReviewRecord


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a reviewer says of an answer, by the latest judgement in any audit of it. ``audit_id``:
    the audit in which it was given; the marks of sentences, chunks and spans speak of that audit
    alone. ``created_at``: ISO 8601, UTC."""

    audit_id: int
    reviewer: str
    verdict: JudgedVerdict
    created_at: str


def judged_anywhere() -> ColumnElement[bool]:
    """Whether an audit's answer is judged, in it or in another audit."""
    own, other = aliased(ReviewRecord), aliased(ReviewRecord)
    here = exists(own.id).where(own.audit_id == AuditRecord.id, own.latest)
    anywhere = exists(other.id).where(same_answer(other), other.latest)
    return or_(here.correlate(AuditRecord), anywhere.correlate(AuditRecord))


def given_here() -> ColumnElement[int]:
    """Count the reviewers who judged an audit itself, whether that is still their opinion or
    not."""
    review = aliased(ReviewRecord)
    return count_of_audit(review.audit_id == AuditRecord.id, review.latest)


def opinions_held(verdict: JudgedVerdict | None = None) -> ColumnElement[int]:
    """Count the reviewers who have an opinion of an audit's answer."""
    own, any_of = aliased(ReviewRecord), aliased(ReviewRecord)
    alone: list[Any] = [own.audit_id == AuditRecord.id, own.latest, own.source_digest.is_(None)]
    of_answer: list[Any] = [same_answer(any_of), is_opinion(any_of)]
    if verdict is not None:
        alone.append(own.verdict == str(verdict))
        of_answer.append(any_of.verdict == str(verdict))
    return count_of_audit(*of_answer) + count_of_audit(*alone)


def judged_in() -> ColumnElement[int | None]:
    """The highest number of another audit in which an opinion of an audit's answer was given; NULL
    where there is none."""
    review = aliased(ReviewRecord)
    # Of a sum, because SQLite would else look for the highest number in another index first.
    last = select(func.max(review.audit_id + 0)).where(
        same_answer(review), is_opinion(review), review.audit_id != AuditRecord.id
    )
    return last.correlate(AuditRecord).scalar_subquery()


def same_answer(review: Any) -> ColumnElement[bool]:
    """Whether a judgement speaks of an audit's answer, in whichever audit it was given; not true of
    older audits."""
    return and_(
        review.source_digest == AuditRecord.source_digest,
        review.text_digest == AuditRecord.text_digest,
    )


def is_opinion(review: Any) -> ColumnElement[bool]:
    """Whether a judgement is its reviewer's opinion of the answer: the latest in any audit of it.
    Of an older audit, without digests, it is true of the latest version of each reviewer."""
    later = aliased(ReviewRecord)
    after = or_(
        later.created_at > review.created_at,
        and_(later.created_at == review.created_at, later.id > review.id),
    )
    # Of one column, so that the index has all that is read.
    replaced = exists(later.id).where(
        later.source_digest == review.source_digest,
        later.text_digest == review.text_digest,
        later.latest,
        later.reviewer == review.reviewer,
        after,
    )
    return and_(review.latest, ~replaced.correlate(review))


def opinions_of_audits() -> Subquery:
    """Count what is said of every audit whose answer is judged, beforehand for all of them.
    ``audit_id``; ``reviewers``, ``supported``, ``hallucinated``: how many have an opinion of the
    answer, and how many say so; ``differ``: whether their verdicts do; ``judged_in``: as
    :func:`judged_in`; ``first_judged``: the first audit in which an opinion was given, which is the
    same for all audits of the answer."""
    own, any_of = _alone(), _of_answers()
    another = case((any_of.review.audit_id != AuditRecord.id, any_of.review.audit_id))
    alone = (
        own.audits.add_columns(*_counts(own.review))
        .add_columns(cast(null(), Integer).label("judged_in"))
        .add_columns(own.review.audit_id.label("first_judged"))
        .group_by(own.review.audit_id)
    )
    of_answers = (
        any_of.audits.add_columns(*_counts(any_of.review))
        .add_columns(func.max(another).label("judged_in"))
        .add_columns(func.min(any_of.review.audit_id).label("first_judged"))
        .where(is_opinion(any_of.review))
        .group_by(AuditRecord.id)
    )
    return union_all(alone, of_answers).subquery("said")


def audits_of_judged_answers() -> Select[Any]:
    """The numbers of the audits whose answers are judged, in them or in another audit; some come
    several times."""
    every = union_all(_alone().audits, _of_answers().audits).subquery()
    return select(every.c.audit_id)


def opinions_by_audit(
    session: Session, audit_ids: Collection[int]
) -> dict[int, tuple[Opinion, ...]]:
    """Read what reviewers say of the answers of audits, the oldest opinion first, by the number of
    each audit whose answer is judged."""
    found: dict[int, list[Opinion]] = defaultdict(list)
    own, any_of = _alone(), aliased(ReviewRecord)
    alone = own.audits.where(own.review.audit_id.in_(audit_ids))
    for number, *said in session.execute(_said(alone, own.review)):
        found[number].append(_opinion(*said))
    # The answers are looked up first: in one statement, SQLite would go through every judgement.
    answer: list[Any] = [AuditRecord.source_digest, AuditRecord.text_digest]
    audits: dict[tuple[str, str], list[int]] = defaultdict(list)
    wanted = select(AuditRecord.id, *answer).where(
        AuditRecord.id.in_(audit_ids), answer[0].is_not(None)
    )
    for number, *texts in session.execute(wanted):
        audits[texts[0], texts[1]].append(number)
    judged_answer: list[Any] = [any_of.source_digest, any_of.text_digest]
    judged = select(*judged_answer).where(
        tuple_(*judged_answer).in_(list(audits)), is_opinion(any_of)
    )
    for source_digest, text_digest, *said in session.execute(_said(judged, any_of)):
        for number in audits[source_digest, text_digest]:
            found[number].append(_opinion(*said))
    return {number: tuple(opinions) for number, opinions in found.items()}


def _said(statement: Select[Any], review: Any) -> Select[Any]:
    """Adds what :func:`_opinion` needs of judgements, the oldest first."""
    return statement.add_columns(
        review.audit_id.label("given_in"), review.reviewer, review.verdict, review.created_at
    ).order_by(review.created_at, review.id)


def _opinion(given_in: int, reviewer: str, verdict: str, created_at: str) -> Opinion:
    return Opinion(given_in, reviewer, JudgedVerdict(verdict), created_at)


@dataclass(frozen=True, slots=True)
class _JudgedAudits:
    """``audits``: the audits that a judgement speaks of, ``audit_id``, once for each latest version
    of a judgement; ``review``: these judgements, an alias."""

    audits: Select[Any]
    review: Any


def _alone() -> _JudgedAudits:
    """Older audits, which have their own judgements alone."""
    review = aliased(ReviewRecord)
    own = select(review.audit_id.label("audit_id"))
    return _JudgedAudits(own.where(review.latest, review.source_digest.is_(None)), review)


def _of_answers() -> _JudgedAudits:
    """All audits of the answers that were judged, in whichever of them."""
    review = aliased(ReviewRecord)
    every = select(AuditRecord.id.label("audit_id")).select_from(review)
    return _JudgedAudits(every.join(AuditRecord, same_answer(review)).where(review.latest), review)


def count_of_audit(*wanted: Any) -> ColumnElement[int]:
    """Count the rows that pass, for a row of the table of audits."""
    return select(func.count()).where(*wanted).correlate(AuditRecord).scalar_subquery()


def _counts(review: Any) -> tuple[Any, ...]:
    def count(verdict: JudgedVerdict) -> Any:
        return func.sum(case((review.verdict == str(verdict), 1), else_=0))

    return (
        func.count(literal(1)).label("reviewers"),
        count(JudgedVerdict.SUPPORTED).label("supported"),
        count(JudgedVerdict.HALLUCINATED).label("hallucinated"),
        (func.min(review.verdict) != func.max(review.verdict)).label("differ"),
    )
