"""Audits of one answer, to one query and context, as one thing to be judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, Text, case, cast, func, select
from sqlalchemy.orm import Session

from provenance_core.types import DEFAULT_DETECTOR
from storage.database import in_parts
from storage.filters import count_of_answers
from storage.items import ItemFilter, ItemQuery, Reviewed
from storage.models import AuditRecord, ReservationRecord, ReviewRecord
from storage.opinions import same_answer

# What audits of one answer have in common; older audits, without digests, have only themselves.
ANSWER = case(
    (AuditRecord.source_digest.is_(None), cast(AuditRecord.id, Text)),
    else_=AuditRecord.source_digest + AuditRecord.text_digest,
)
_FIRST_READ, _TIMES_MORE = 100, 10
_KEYS_AT_ONCE = 1_000  # within the number of values that databases take in one statement
_Answer = tuple[str, str]


class SameAnswers:
    """The answers of the audits that pass ``chosen``, and who has judged each or has it open at
    ``now``, in the transaction of ``session``. ``reviewer``: for whom one is looked for.
    ``again``: whether judgements of audits that do not pass leave an answer as it is."""

    def __init__(
        self,
        session: Session,
        chosen: ItemFilter,
        engine: Engine,
        reviewer: str,
        now: str,
        *,
        again: bool = False,
    ) -> None:
        self._session, self._reviewer = session, reviewer
        self._query = ItemQuery(chosen, engine)
        # An answer is judged where an audit of it is, whether that passes as unreviewed or not.
        every = replace(chosen, reviewed=Reviewed.ANY)
        digests = (AuditRecord.source_digest, AuditRecord.text_digest)
        self._taken_by: dict[_Answer, set[str]] = defaultdict(set)
        held = (
            ItemQuery(every, engine)
            .select("audit_id")
            .join(ReservationRecord, ReservationRecord.audit_id == AuditRecord.id)
            .where(ReservationRecord.reviewer != reviewer, ReservationRecord.expires_at > now)
            .with_only_columns(*digests, ReservationRecord.reviewer, maintain_column_froms=True)
        )
        judged: Select[Any] = in_force(every, engine, *digests, ReviewRecord.reviewer)
        if not again:
            # Of every answer, by an index alone: judgements are few beside audits.
            of_answer = (ReviewRecord.source_digest, ReviewRecord.text_digest)
            known = (ReviewRecord.latest, of_answer[0].is_not(None))
            columns: tuple[Any, ...] = (*of_answer, ReviewRecord.reviewer)
            judged = select(*columns).where(*known)
        for statement in (judged, held):
            for source, texts, name in session.execute(statement):
                self._taken_by[source, texts].add(name)

    def first(self, keys: Select[Any], opinions: int, without: Collection[int]) -> int | None:
        """Find the first answer that the reviewer has not judged, and fewer than ``opinions``
        others have; the key of the audit by which it is given."""
        passed = self._answers_of(without)
        for part in _parts():
            # The first of them alone: the database keeps these while it sorts, and no others.
            found = self._session.scalars(keys.offset(part.start).limit(len(part))).all()
            answers = self._answers_by_key(found)
            for key in found:
                answer = answers.get(key)
                if answer is None:
                    return key
                taken_by = self._taken_by.get(answer, set())
                free = self._reviewer not in taken_by and len(taken_by) < opinions
                if free and answer not in passed:
                    return self._given_by(answer)
            if len(found) < len(part):
                break
        return None

    def _answers_by_key(self, keys: Sequence[int]) -> dict[int, _Answer]:
        """The answers of those that have digests."""
        query = self._query
        digests = query.select(query.key, "source", "texts")
        found = {}
        for part in in_parts(keys, _KEYS_AT_ONCE):
            rows = self._session.execute(digests.where(query.columns[query.key].in_(part)))
            found.update({key: (source, texts) for key, source, texts in rows if source})
        return found

    def _answers_of(self, numbers: Iterable[int]) -> set[_Answer]:
        digests = select(AuditRecord.source_digest, AuditRecord.text_digest)
        rows = self._session.execute(digests.where(AuditRecord.id.in_(numbers)))
        return {(source, texts) for source, texts in rows if source and texts}

    def _given_by(self, answer: _Answer) -> int | None:
        """The key of the audit by which it is given: all reviewers are given the same one."""
        query, (source, texts) = self._query, answer
        by_default = case((AuditRecord.detector == DEFAULT_DETECTOR, 1), else_=0)
        return self._session.scalar(
            query.select(query.key, "reviews")
            .where(AuditRecord.source_digest == source, AuditRecord.text_digest == texts)
            .order_by(query.columns["reviews"].desc(), by_default.desc(), AuditRecord.id.desc())
            .limit(1)
        )


def _parts() -> Iterator[range]:
    """Which to read, one part after the other. Each is larger than all before it: what lies before
    a part is sorted again with it."""
    start, stop = 0, _FIRST_READ
    while True:
        yield range(start, stop)
        start, stop = stop, stop * _TIMES_MORE


def in_force(chosen: ItemFilter, engine: Engine, *columns: Any) -> Select[Any]:
    """Read the judgements in force of the audits that pass, once for every row of a run that has
    the audit."""
    return _judged(chosen, engine, ReviewRecord.audit_id == AuditRecord.id, columns)


def judgements_of_answers(chosen: ItemFilter, engine: Engine, *columns: Any) -> Select[Any]:
    """Read the judgements in force of the answers of the audits that pass, in whichever audits,
    once for each audit of the answer that passes. Those of older audits, without digests, are not
    in it."""
    return _judged(chosen, engine, same_answer(ReviewRecord), columns)


def _judged(
    chosen: ItemFilter, engine: Engine, belongs: ColumnElement[bool], columns: Sequence[Any]
) -> Select[Any]:
    items = ItemQuery(chosen, engine).select("audit_id")
    found = items.join(ReviewRecord, belongs & ReviewRecord.latest)
    return found.with_only_columns(*columns, maintain_column_froms=True)


def count_of_items(chosen: ItemFilter, engine: Engine, *, by_answer: bool) -> Select[Any]:
    """Count the audits that pass, or the answers that they are of. An audit that several rows of a
    run share counts once."""
    query = ItemQuery(chosen, engine)
    if by_answer and chosen.of_audits:
        return count_of_answers(chosen.audits, engine, *query.score_conditions())
    if not by_answer and not chosen.runs:
        return query.count()
    counted = ANSWER if by_answer else AuditRecord.id.expression
    found = query.select("audit_id").with_only_columns(
        counted.label("counted"), maintain_column_froms=True
    )
    return select(func.count()).select_from(found.distinct().subquery())
