"""Which audits to list, as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, and_, case, func, or_, select
from sqlalchemy.orm import Session, aliased

from provenance_core import Verdict
from provenance_core.types import DEFAULT_DETECTOR, current_detector
from storage.database import time_text
from storage.errors import StorageError
from storage.models import AnswerRecord, AuditRecord
from storage.text_search import holds_text

# Characters of a searched text: well within what databases take as a pattern.
SEARCH_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which audits to list; None and '' do not filter. Dates are UTC, both ends included. ``text``,
    of at most ``SEARCH_LIMIT`` characters, is searched in query, answer and context whatever its
    case. ``detector``: what scored the answer. ``flagged``: whether at least one sentence is not
    supported; older audits, which did not count them, have none."""

    text: str = ""
    verdict: Verdict | None = None
    since: date | None = None
    until: date | None = None
    detector: str | None = None
    flagged: bool | None = None

    def __post_init__(self) -> None:
        if self.detector is not None:
            object.__setattr__(self, "detector", current_detector(self.detector))


def filtered(
    statement: Select[Any],
    chosen: AuditFilter,
    engine: Engine,
    *,
    alone: bool = False,
    in_turn: bool = False,
) -> Select[Any]:
    """Add the conditions of a filter to a statement that reads audits. Raises StorageError where
    the searched text is too long."""
    check_search(chosen.text)
    statement = statement.where(*_conditions(AuditRecord, chosen))
    wanted = chosen.text.strip()
    if wanted:
        only = alone and chosen == AuditFilter(chosen.text)
        statement = statement.where(holds_text(wanted, engine, alone=only, in_turn=in_turn))
    return statement


def one_of_each_answer(statement: Select[Any], chosen: AuditFilter) -> Select[Any]:
    """Keep one audit of each answer to one query and context. Of those that pass it is the last by
    the default detector, else the last."""
    other = aliased(AuditRecord)
    before = and_(_by_default(other) == _by_default(AuditRecord), other.id > AuditRecord.id)
    better = select(other.id).where(
        # One search of an index for each audit that is listed.
        other.source_digest == AuditRecord.source_digest,
        other.text_digest == AuditRecord.text_digest,
        other.id != AuditRecord.id,
        or_(_by_default(other) > _by_default(AuditRecord), before),
        *_conditions(other, chosen),
    )
    return statement.where(~better.exists())


def count_of_answers(
    chosen: AuditFilter, engine: Engine, *more: ColumnElement[bool]
) -> Select[Any]:
    """Count the answers of the audits that pass, as :func:`one_of_each_answer` leaves them. Where
    all pass, the rows that triggers keep of answers are counted. Else, without a text, it goes once
    through an index that has all that is asked of an audit, and compares no audit with another.
    Raises StorageError where the searched text is too long."""
    digests = (AuditRecord.source_digest, AuditRecord.text_digest)
    known = select(func.count().label("audits")).where(digests[0].is_not(None)).group_by(*digests)
    older = select(func.count(AuditRecord.id)).where(digests[0].is_(None))
    if chosen.text.strip():
        known, older = (filtered(each.where(*more), chosen, engine) for each in (known, older))
    elif asked := [*_conditions(AuditRecord, chosen), *more]:
        # Not WHERE: by the index of a verdict, each audit would be read for its digests.
        passing = func.count(case((and_(*asked), 1)))
        known = known.having(passing > 0)
        older = older.with_only_columns(passing)
    else:
        every = select(func.count()).select_from(AnswerRecord)
        return select(every.scalar_subquery() + older.scalar_subquery())
    groups = select(func.count()).select_from(known.subquery())
    return select(groups.scalar_subquery() + older.scalar_subquery())


def several_answers(chosen: AuditFilter, *more: ColumnElement[bool]) -> Select[Any]:
    """Find the sources with several different answers by one detector among the audits that pass.
    It goes once through an index that has all that is asked of an audit. A statement that reads
    ``source``, ``detector`` and ``last``, the number of the last of these audits."""
    source = AuditRecord.source_digest
    texts: Any = AuditRecord.text_digest
    number: Any = AuditRecord.id
    # Not WHERE: by the index of a score, each audit would be read for its digests.
    if asked := [*_conditions(AuditRecord, chosen), *more]:
        texts, number = case((and_(*asked), texts)), case((and_(*asked), number))
    columns: tuple[Any, ...] = (
        source.label("source"),
        AuditRecord.detector.label("detector"),
        func.max(number).label("last"),
    )
    return (
        select(*columns)
        .where(source.is_not(None))
        .group_by(source, AuditRecord.detector)
        # Cheaper than to count the different ones.
        .having(func.min(texts) != func.max(texts))
    )


def _by_default(audit: type[AuditRecord]) -> ColumnElement[int]:
    return case((audit.detector == DEFAULT_DETECTOR, 1), else_=0)


def _conditions(audit: type[AuditRecord], chosen: AuditFilter) -> list[ColumnElement[bool]]:
    """What ``chosen`` asks of an audit beside its texts."""
    found = []
    if chosen.verdict is not None:
        found.append(audit.verdict == str(chosen.verdict))
    if chosen.detector is not None:
        found.append(audit.detector == str(chosen.detector))
    if chosen.flagged is not None:
        # Of older audits the number is not known, which counts as none.
        some = func.coalesce(audit.unsupported_sentences, 0) > 0
        found.append(some if chosen.flagged else ~some)
    if chosen.since is not None:
        found.append(audit.created_at >= _midnight(chosen.since))
    # No day follows the last, so that it ends nothing.
    if chosen.until is not None and chosen.until < date.max:
        found.append(audit.created_at < _midnight(chosen.until + timedelta(days=1)))
    return found


def check_search(text: str) -> None:
    """Raises StorageError where a text is too long to be looked for."""
    if len(text) > SEARCH_LIMIT:
        raise StorageError(
            f"The text to look for has {len(text):,} characters; the most is "
            f"{SEARCH_LIMIT:,}. Shorten it."
        )


def page_of_keys(
    session: Session,
    keys: Select[Any],
    count: Select[Any],
    chosen: AuditFilter,
    offset: int,
    limit: int,
) -> tuple[Sequence[int], int]:
    """Read the keys of a page, and count them all."""
    if chosen.text.strip():
        # Every text is searched once, not for the number of them again.
        found = session.scalars(keys).all()
        return found[offset : offset + limit], len(found)
    return session.scalars(keys.offset(offset).limit(limit)).all(), session.scalar(count) or 0


def _midnight(day: date) -> str:
    # Comparable as text with created_at, which is ISO 8601 in UTC.
    return time_text(datetime.combine(day, time.min, UTC))
