"""Names of reviewers: one person's, whatever their case and Unicode form."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from provenance_core.review.checks import composed_name, folded_name
from storage.models import ReviewRecord


def known_reviewer(session: Session, given: str) -> str:
    """The name as the judgements of the same reviewer have it, else as given."""
    name = composed_name(given)
    if session.scalar(select(ReviewRecord.id).where(ReviewRecord.reviewer == name).limit(1)):
        return name
    folded = folded_name(name)
    names = session.scalars(
        select(ReviewRecord.reviewer).distinct().order_by(ReviewRecord.reviewer)
    )
    return next((each for each in names if folded_name(each) == folded), name)
