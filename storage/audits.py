"""Saving, loading, listing and deleting audits."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import and_, delete, func, insert, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from provenance_core import Audit, Verdict, assemble
from provenance_core.audit.digest import evidence_digest, source_digest, text_digest
from provenance_core.audit.serialization import to_plain
from provenance_core.review.checks import reviewer_name
from provenance_core.text.structured_context import given_context
from provenance_core.types import LaterReading, Notice
from storage.database import DatabaseAccess
from storage.documents import Opened, open_document, settings_digest, to_document, with_reading
from storage.engine import truncate_wal
from storage.errors import UNREADABLE, AuditNotFound, StorageError, damaged_audit
from storage.filters import (
    AuditFilter,
    check_search,
    count_of_answers,
    filtered,
    one_of_each_answer,
    page_of_keys,
)
from storage.models import (
    AuditRecord,
    ContextItemRecord,
    PairLogitsRecord,
    RunRowRecord,
    TypedCorrectionRecord,
)
from storage.numbers import numbered
from storage.pair_scores import asked_texts, forget_pairs
from storage.stored_scores import keep_supports
from storage.text_search import index_texts, many_may_hold

_LOG = logging.getLogger(__name__)
# Stored and recomputed scores differ by no more than rounding; more means another version.
_SAME_SCORE = 1e-9
_LARGEST_NUMBER = 2**31 - 1  # that PostgreSQL's INTEGER holds
# Audits that hold a text, of which no more are counted.
MOST_FOUND = 1_000
_NEWEST = (AuditRecord.created_at.desc(), AuditRecord.id.desc())


@dataclass(frozen=True, slots=True)
class SavedAudit:
    """An audit and its number in the database."""

    id: int
    audit: Audit


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A line of the history. ``corrected_from``: the number of the audit whose answer this one
    corrects. ``unsupported_sentences``: None for older audits, which did not count them."""

    id: int
    created_at: str
    query: str
    answer: str
    verdict: Verdict
    score: float
    threshold: float
    aggregation: str
    selection: str
    profile: str
    detector: str
    corrected_from: int | None
    unsupported_sentences: int | None


@dataclass(frozen=True, slots=True)
class Corrections:
    """How an audit is linked by corrections: the audit whose answer it corrects, if it does, and
    those of the corrections of its own answer, the oldest first."""

    original: AuditRow | None
    corrected: tuple[AuditRow, ...]


@dataclass(frozen=True, slots=True)
class AuditPage:
    """One page of rows and the number of audits that pass the filter. Those that hold a text are
    counted up to ``MOST_FOUND``, or to the end of the page; ``more``: whether there are others."""

    rows: tuple[AuditRow, ...]
    total: int
    more: bool = False


class AuditStore(DatabaseAccess):
    """Audits in one database. Cheap to create; safe to use from several threads.

    Examples
    --------
    >>> store = AuditStore.open("sqlite://")
    >>> store.count()
    0
    """

    def save(
        self, audit: Audit, corrected_from: int | None = None, *, corrected_by: str = ""
    ) -> int:
        """Save an audit with its inputs, scores and parameters in one transaction. An error leaves
        nothing behind. ``corrected_from``: number of the audit whose answer this one's corrects.
        That audit does not change. ``corrected_by``: name of the person who typed the corrected
        answer; "" where no person did. Raises AuditNotFound if there is no audit
        ``corrected_from``."""
        with self._writing("The audit was not saved") as session:
            if corrected_from is not None:
                require_audit(session, corrected_from)
            number = insert_audit(session, audit)
            if corrected_from is not None:
                link_correction(session, number, corrected_from)
            if corrected_by:
                insert_author(session, number, corrected_by)
            return number

    def corrected_by(self, audit_ids: Sequence[int]) -> dict[int, str]:
        """Read who typed the answers of audits that are corrections. Returns the names, by the
        numbers of those audits whose answer a person typed."""
        typed = TypedCorrectionRecord
        wanted = select(typed.audit_id, typed.reviewer).where(typed.audit_id.in_(audit_ids))
        with self._reading("The corrections of the audit cannot be read") as session:
            return dict(iter(session.execute(wanted)))

    def load(self, audit_id: int) -> SavedAudit:
        """Assemble a saved audit from its stored scores, without a model. Where today's code gives
        another score than the stored one, a notice says so and names the stored score. Raises
        AuditNotFound if there is no audit of that number."""
        with self._reading(f"Audit {audit_id} cannot be read") as session:
            require_audit(session, audit_id)
            try:
                opened, audit = _read(session, audit_id)
            except UNREADABLE as error:
                raise damaged_audit(audit_id, error) from error
        if opened.completed is not None:
            self._keep(audit_id, opened.completed)
        return SavedAudit(audit_id, audit)

    def _keep(self, audit_id: int, document: bytes) -> None:
        """Keep the findings of an audit of an earlier version with it."""
        try:
            with self._writing("The findings were not kept") as session:
                session.execute(
                    update(AuditRecord).where(AuditRecord.id == audit_id).values(document=document)
                )
        except StorageError as error:
            # A database that cannot be written to can be read.
            _LOG.warning("event=findings_not_kept error=%s", type(error).__name__)

    def keep_later(self, audit_id: int, reading: LaterReading) -> None:
        """Keep with an audit what :func:`provenance_core.audit.read_later.read_later` read of one
        of its pairs. Its score and its verdict stay. Raises AuditNotFound if there is no audit of
        that number."""
        with self._writing("The reading was not kept") as session:
            require_audit(session, audit_id)
            of_audit = AuditRecord.id == audit_id
            stored = session.scalar(select(AuditRecord.document).where(of_audit))
            try:
                document = with_reading(stored, reading)
            except UNREADABLE as error:
                raise damaged_audit(audit_id, error) from error
            session.execute(update(AuditRecord).where(of_audit).values(document=document))

    def page(
        self, chosen: AuditFilter, offset: int = 0, limit: int = 20, *, by_answer: bool = False
    ) -> AuditPage:
        """List the audits that pass, newest first. ``by_answer``: whether of the audits of one
        answer, to one query and context, only one counts: the last by the default detector, else
        the last. Raises StorageError if the searched text is too long."""
        if chosen.text.strip():
            return self._page_of_text(chosen, offset, limit, by_answer=by_answer)
        with self._reading("The saved audits cannot be listed") as session:
            keys = filtered(select(AuditRecord.id), chosen, self._engine)
            keys = keys.order_by(*_NEWEST)
            count = filtered(select(func.count()).select_from(AuditRecord), chosen, self._engine)
            if by_answer:
                keys = one_of_each_answer(keys, chosen)
                count = count_of_answers(chosen, self._engine)
            wanted, total = page_of_keys(session, keys, count, chosen, offset, limit)
            rows_of = select(*_row_columns()).where(AuditRecord.id.in_(wanted))
            listed = rows_of.order_by(*_NEWEST)
            rows = tuple(_row(row._asdict()) for row in session.execute(listed))
        return AuditPage(rows, total)

    def _page_of_text(
        self, chosen: AuditFilter, offset: int, limit: int, *, by_answer: bool
    ) -> AuditPage:
        """A page of those that hold a text. The others are not looked at to be counted."""
        most = max(MOST_FOUND, offset + limit)
        found = self.numbers(chosen, by_answer=by_answer, most=most + 1)
        rows = self.rows(found[:most][offset : offset + limit])
        return AuditPage(rows, min(len(found), most), more=len(found) > most)

    def numbers(
        self, chosen: AuditFilter, *, by_answer: bool = False, most: int | None = None
    ) -> tuple[int, ...]:
        """List the numbers of the audits that pass, newest first. ``by_answer``: whether of the
        audits of one answer, to one query and context, only one counts: the last by the default
        detector, else the last. ``most``: at most how many; None means all. The newest of many that
        hold a text are found without a look at the others. Raises StorageError if the searched text
        is too long."""
        with self._reading("The saved audits cannot be listed") as session:
            check_search(chosen.text)
            wanted = chosen.text.strip()
            in_turn = bool(
                wanted and most is not None and many_may_hold(session, wanted, self._engine)
            )
            keys = filtered(
                select(AuditRecord.id), chosen, self._engine, alone=True, in_turn=in_turn
            )
            if by_answer:
                keys = one_of_each_answer(keys, chosen)
            return tuple(session.scalars(keys.order_by(*_NEWEST).limit(most)))

    def rows(self, audit_ids: Sequence[int]) -> tuple[AuditRow, ...]:
        """List those of ``audit_ids`` that exist, in the order given."""
        wanted = select(*_row_columns()).where(AuditRecord.id.in_(audit_ids))
        with self._reading("The saved audits cannot be listed") as session:
            found = {row.id: _row(row._asdict()) for row in session.execute(wanted)}
        return tuple(found[number] for number in audit_ids if number in found)

    def others_of_answers(self, audit_ids: Sequence[int]) -> dict[int, tuple[AuditRow, ...]]:
        """List the other audits of the answers of audits: of the same query, answer and context.
        Returns the last of each detector, by the number of each audit that has others."""
        other = aliased(AuditRecord)
        lasts = (
            select(AuditRecord.id, func.max(other.id))
            .join(
                other,
                and_(
                    other.source_digest == AuditRecord.source_digest,
                    other.text_digest == AuditRecord.text_digest,
                    other.id != AuditRecord.id,
                ),
            )
            .where(AuditRecord.id.in_(audit_ids))
            .group_by(AuditRecord.id, other.detector)
            .order_by(AuditRecord.id, func.max(other.id))
        )
        with self._reading("The audits of the same answers cannot be listed") as session:
            pairs = session.execute(lasts).all()
        rows = {row.id: row for row in self.rows([last for _, last in pairs])}
        found: dict[int, tuple[AuditRow, ...]] = {}
        for number, last in pairs:
            if last in rows:
                found[number] = (*found.get(number, ()), rows[last])
        return found

    def corrections(self, audit_id: int) -> Corrections:
        """Find the audits that corrections link with this one."""
        link = select(AuditRecord.corrected_from).where(AuditRecord.id == audit_id)
        wanted = (
            select(*_row_columns())
            .where(
                or_(
                    AuditRecord.corrected_from == audit_id, AuditRecord.id == link.scalar_subquery()
                )
            )
            .order_by(AuditRecord.id)
        )
        with self._reading("The corrections of the audit cannot be read") as session:
            rows = [_row(row._asdict()) for row in session.execute(wanted)]
        corrected = tuple(row for row in rows if row.corrected_from == audit_id)
        return Corrections(next((row for row in rows if row not in corrected), None), corrected)

    def every_correction(self, audit_id: int) -> tuple[AuditRow, ...]:
        """List the corrections of an audit's answer, and the corrections of these, the oldest
        first."""
        made = select(AuditRecord.id).where(AuditRecord.corrected_from == audit_id)
        below = made.cte(recursive=True)
        below = below.union(select(AuditRecord.id).where(AuditRecord.corrected_from == below.c.id))
        wanted = (
            select(*_row_columns())
            .where(AuditRecord.id.in_(select(below.c.id)), AuditRecord.id != audit_id)
            .order_by(AuditRecord.id)
        )
        with self._reading("The corrections of the audit cannot be read") as session:
            return tuple(_row(row._asdict()) for row in session.execute(wanted))

    def same_inputs(self, saved: SavedAudit) -> tuple[AuditRow, ...]:
        """Find what other detectors said of the same query, answer and context. The models are
        those of the profile of ``saved``. Returns the row of ``saved``, and of each other detector
        the last, by number."""
        evidence = saved.audit.evidence
        lasts = (
            select(func.max(AuditRecord.id))
            .where(
                AuditRecord.source_digest
                == source_digest(evidence.query, [i.text for i in given_context(evidence)]),
                AuditRecord.text_digest == text_digest(evidence.query, evidence.answer),
                AuditRecord.profile == evidence.profile,
                AuditRecord.detector != str(saved.audit.parameters.detector),
            )
            .group_by(AuditRecord.detector)
        )
        with self._reading("The audits of the same inputs cannot be listed") as session:
            others = session.scalars(lasts).all()
        return self.rows(sorted([saved.id, *others]))

    def count(self) -> int:
        """Count the saved audits."""
        return self.page(AuditFilter(), limit=0).total

    def delete(self, audit_id: int) -> None:
        """Delete an audit and all that belongs to it: the kept scores of its pairs, and the texts
        of the rows of runs that it is the audit of. Raises AuditNotFound if there is no audit of
        that number."""
        with self._writing(f"Audit {audit_id} was not deleted") as session:
            require_audit(session, audit_id, to_delete=True)
            try:
                forget_pairs(session, asked_texts(read_audit(session, audit_id).evidence))
            except UNREADABLE:
                # A damaged audit does not say what was scored for it.
                session.execute(delete(PairLogitsRecord))
            session.execute(
                update(RunRowRecord)
                .where(RunRowRecord.audit_id == audit_id)
                .values(query="", answer="", context=[])
            )
            session.execute(delete(AuditRecord).where(AuditRecord.id == audit_id))
        truncate_wal(self._engine)


def insert_audit(session: Session, audit: Audit) -> int:
    """Add an audit with all of its rows to the session's transaction."""
    return insert_audits(session, [audit])[0]


def insert_audits(session: Session, audits: Sequence[Audit]) -> list[int]:
    """Add audits with all of their rows to the session's transaction, a statement for each table;
    their numbers."""
    inserted = insert(AuditRecord).returning(AuditRecord.id, sort_by_parameter_order=True)
    of_audits = numbered(session, AuditRecord, [_audit_row(audit) for audit in audits])
    numbers = list(session.scalars(inserted, of_audits))
    items = [
        {"audit_id": number, "index": item.index, "text": item.text}
        for number, audit in zip(numbers, audits, strict=True)
        for item in audit.evidence.context
    ]
    if items:
        session.execute(insert(ContextItemRecord), items)
    index_texts(session, numbers)
    keep_supports(session, zip(numbers, audits, strict=True))
    return numbers


def _audit_row(audit: Audit) -> dict[str, Any]:
    evidence, parameters = audit.evidence, audit.parameters
    return {
        "created_at": audit.created_at,
        "profile": evidence.profile,
        "query": evidence.query,
        "answer": evidence.answer,
        "verdict": str(audit.verdict),
        "score": audit.score,
        "threshold": parameters.threshold,
        "aggregation": str(parameters.aggregation),
        "selection": str(parameters.selection),
        "detector": str(parameters.detector),
        "digest": evidence_digest(evidence, parameters),
        "source_digest": source_digest(
            evidence.query, [item.text for item in given_context(evidence)]
        ),
        "text_digest": text_digest(evidence.query, evidence.answer),
        "settings_digest": settings_digest(
            to_plain(evidence.relevance_model),
            to_plain(evidence.nli_model),
            to_plain(parameters),
            to_plain(evidence.second.model) if evidence.second is not None else None,
        ),
        "unsupported_sentences": audit.flagged,
        "checked_sentences": len(evidence.sentences)
        - (0 if parameters.count_set_aside else len(evidence.set_aside)),
        "document": to_document(audit),
    }


def insert_author(session: Session, number: int, reviewer: str) -> None:
    """Keep who typed the corrected answer of an audit, where that is not kept yet."""
    if session.get(TypedCorrectionRecord, number) is None:
        session.add(TypedCorrectionRecord(audit_id=number, reviewer=reviewer_name(reviewer)))


def link_correction(session: Session, audit_id: int, original: int) -> None:
    """Say that the answer of one audit is a correction of that of another."""
    session.execute(
        update(AuditRecord).where(AuditRecord.id == audit_id).values(corrected_from=original)
    )


def _row_columns() -> list[InstrumentedAttribute[Any]]:
    return [getattr(AuditRecord, name) for name in AuditRow.__slots__]


def require_audit(session: Session, audit_id: int, *, to_delete: bool = False) -> None:
    """Raises AuditNotFound where there is no audit of the number."""
    known = select(AuditRecord.id).where(AuditRecord.id == audit_id)
    if to_delete:
        known = known.with_for_update()
    if abs(audit_id) > _LARGEST_NUMBER or session.scalar(known) is None:
        raise AuditNotFound(f"There is no audit {audit_id}. It may have been deleted.")


def _row(stored: dict[str, Any]) -> AuditRow:
    try:
        verdict = Verdict(stored["verdict"])
    except ValueError as error:
        raise StorageError(
            f"Audit {stored['id']} has the verdict {stored['verdict']!r}, which this version of "
            "Provenance does not know. Update Provenance, or delete that audit from the database."
        ) from error
    return AuditRow(**{**stored, "verdict": verdict})


def read_audit(session: Session, audit_id: int) -> Audit:
    """Assemble an audit from its document, in the session's transaction. Raises one of
    ``UNREADABLE`` if there is none, or if this version cannot read its document."""
    _, audit = _read(session, audit_id)
    return audit


def _read(session: Session, audit_id: int) -> tuple[Opened, Audit]:
    """What a document holds, and its audit with a notice where it was kept with another score."""
    columns = (AuditRecord.document, AuditRecord.score, AuditRecord.verdict)
    stored = session.execute(select(*columns).where(AuditRecord.id == audit_id)).one()
    opened = open_document(stored.document)
    return opened, with_score_notice(opened.audit, stored.score, stored.verdict)


def with_score_notice(audit: Audit, score: float, verdict: str) -> Audit:
    """Add a notice to an audit that was kept with another ``score`` or ``verdict``."""
    if abs(audit.score - score) <= _SAME_SCORE and str(audit.verdict) == verdict:
        return audit
    notice = Notice(
        "score_differs",
        f"This audit was saved with a score of {score!r} ({verdict}); "
        f"this version computes {audit.score!r} from the same scores.",
    )
    evidence = replace(audit.evidence, notices=(*audit.evidence.notices, notice))
    return assemble(evidence, audit.parameters, audit.created_at)
