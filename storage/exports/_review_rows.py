"""Reviews read and added with their sentences, chunks and spans, in a given transaction."""

from __future__ import annotations

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from provenance_core import Verdict
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedChunk,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
    Review,
)
from storage.models import (
    ReviewChunkRecord,
    ReviewRecord,
    ReviewSentenceRecord,
    ReviewSpanRecord,
)


def reviews_of(session: Session, audit_id: int) -> tuple[Review, ...]:
    """Every version of every reviewer, by reviewer and version."""
    found = session.scalars(
        select(ReviewRecord)
        .where(ReviewRecord.audit_id == audit_id)
        .order_by(ReviewRecord.reviewer, ReviewRecord.version)
    )
    return tuple(_review(session, record) for record in found.all())


def _review(session: Session, record: ReviewRecord) -> Review:
    sentences = session.scalars(
        select(ReviewSentenceRecord)
        .where(ReviewSentenceRecord.review_id == record.id)
        .order_by(ReviewSentenceRecord.index)
    )
    chunks = session.scalars(
        select(ReviewChunkRecord)
        .where(ReviewChunkRecord.review_id == record.id)
        .order_by(ReviewChunkRecord.index)
    )
    spans = session.scalars(
        select(ReviewSpanRecord)
        .where(ReviewSpanRecord.review_id == record.id)
        .order_by(ReviewSpanRecord.start, ReviewSpanRecord.end, ReviewSpanRecord.type)
    )
    return Review(
        id=record.id,
        audit_id=record.audit_id,
        reviewer=record.reviewer,
        version=record.version,
        created_at=record.created_at,
        judgement=Judgement(
            verdict=JudgedVerdict(record.verdict),
            type=_finding(record.type),
            comment=record.comment,
            sentences=tuple(
                JudgedSentence(s.index, JudgedVerdict(s.verdict), _finding(s.type))
                for s in sentences
            ),
            chunks=tuple(JudgedChunk(c.index, ChunkMark(c.mark)) for c in chunks),
            spans=tuple(JudgedSpan(s.start, s.end, FindingType(s.type)) for s in spans),
            blind=record.blind,
        ),
        machine_score=record.machine_score,
        machine_threshold=record.machine_threshold,
        machine_verdict=Verdict(record.machine_verdict),
    )


def _finding(stored: str | None) -> FindingType | None:
    return None if stored is None else FindingType(stored)


def add_review(session: Session, audit_id: int, review: Review) -> None:
    """Keep ``review`` for ``audit_id`` as it is, under a number of its own; the highest version
    of its reviewer becomes the one in force."""
    judgement = review.judgement
    record = ReviewRecord(
        audit_id=audit_id,
        reviewer=review.reviewer,
        version=review.version,
        latest=False,
        created_at=review.created_at,
        verdict=str(judgement.verdict),
        type=judgement.type and str(judgement.type),
        comment=judgement.comment,
        blind=judgement.blind,
        machine_score=review.machine_score,
        machine_threshold=review.machine_threshold,
        machine_verdict=str(review.machine_verdict),
    )
    session.add(record)
    session.flush()
    own = {"review_id": record.id}
    if judgement.sentences:
        session.execute(
            insert(ReviewSentenceRecord),
            [
                {
                    **own,
                    "index": s.index,
                    "verdict": str(s.verdict),
                    "type": s.type and str(s.type),
                }
                for s in judgement.sentences
            ],
        )
    if judgement.chunks:
        session.execute(
            insert(ReviewChunkRecord),
            [{**own, "index": c.index, "mark": str(c.mark)} for c in judgement.chunks],
        )
    if judgement.spans:
        session.execute(
            insert(ReviewSpanRecord),
            [{**own, "start": s.start, "end": s.end, "type": str(s.type)} for s in judgement.spans],
        )
    same = (ReviewRecord.audit_id == audit_id, ReviewRecord.reviewer == review.reviewer)
    highest = session.scalar(select(func.max(ReviewRecord.version)).where(*same))
    session.execute(
        update(ReviewRecord)
        .where(*same)
        .values(latest=ReviewRecord.version == highest)
        .execution_options(synchronize_session=False)
    )
