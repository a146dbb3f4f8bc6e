"""What reviewers say of audits, and which reviewer has which audit open."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Result,
    SelectBase,
    Subquery,
    case,
    delete,
    exists,
    func,
    insert,
    select,
    union,
    union_all,
    update,
)
from sqlalchemy.orm import Session

from provenance_core.audit.serialization import to_plain
from provenance_core.review.checks import check_judgement, reviewer_name
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
from provenance_core.types import SentenceLabel, Verdict
from storage.audits import AuditStore, require_audit
from storage.database import DatabaseAccess, now_text, time_text
from storage.engine import REVIEW_LOCK, take_lock
from storage.errors import UNREADABLE, StorageError, reason
from storage.items import Item, ItemFilter, ItemOrder, ItemQuery, Reviewed, item_of
from storage.judged_answers import (
    ANSWER,
    SameAnswers,
    count_of_items,
    in_force,
    judgements_of_answers,
)
from storage.models import (
    AuditRecord,
    ReservationRecord,
    ReviewChunkRecord,
    ReviewLabelRecord,
    ReviewRecord,
    ReviewSentenceRecord,
    ReviewSpanRecord,
)
from storage.opinions import (
    Opinion,
    count_of_audit,
    is_opinion,
    opinions_by_audit,
    same_answer,
)
from storage.reviewers import known_reviewer

RESERVATION_MINUTES = 15


@dataclass(frozen=True, slots=True)
class ReviewerCount:
    """How many answers of one list for each reviewer has judged."""

    reviewer: str
    judged: int


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """Of ``total`` audits, ``judged`` have as many judgements as are wanted. ``judgements``: how
    many audits have one, how many two, and so on; those without any are left out."""

    total: int
    judged: int
    reviewers: tuple[ReviewerCount, ...]
    judgements: tuple[int, ...] = ()

    def lacking(self, opinions: int) -> int:
        """Count the audits that have fewer than ``opinions`` judgements, 1 or more."""
        return self.total - sum(self.judgements[opinions - 1 :])


@dataclass(frozen=True, slots=True)
class ReviewCount:
    """Judgements of an audit: in force (one a reviewer), and all of their versions. ``shown_on``:
    how many other audits of the same query, context and answer show them."""

    reviews: int
    versions: int
    shown_on: int = 0


class ReviewStore(DatabaseAccess):
    """Reviews in one database. Cheap to create; safe to use from several threads."""

    def save(self, audit_id: int, reviewer: str, judgement: Judgement) -> Review:
        """Keep a judgement as the reviewer's newest version, beside what the machine says now.
        Earlier versions stay, and the reviewer's reservation of the audit ends. An error changes
        nothing. Raises InputError if the name or the judgement cannot be used, and AuditNotFound if
        there is no audit of that number."""
        reviewer_name(reviewer)
        # Read before the lock is taken: an audit never changes, it can only be deleted.
        audit = AuditStore(self._engine).load(audit_id).audit
        check_judgement(judgement, audit.evidence)
        with self._writing("The judgement was not saved") as session:
            take_lock(session.connection(), REVIEW_LOCK)
            name = known_reviewer(session, reviewer)
            by_this_reviewer = (ReviewRecord.audit_id == audit_id, ReviewRecord.reviewer == name)
            require_audit(session, audit_id)
            machine = session.execute(
                select(AuditRecord.score, AuditRecord.threshold, AuditRecord.verdict).where(
                    AuditRecord.id == audit_id
                )
            ).one()
            newest = select(func.max(ReviewRecord.version)).where(*by_this_reviewer)
            version = (session.scalar(newest) or 0) + 1
            session.execute(update(ReviewRecord).where(*by_this_reviewer).values(latest=False))
            review = Review(
                id=0,
                audit_id=audit_id,
                reviewer=name,
                version=version,
                created_at=now_text(),
                judgement=judgement,
                machine_score=machine.score,
                machine_threshold=machine.threshold,
                machine_verdict=Verdict(machine.verdict),
                machine_labels=tuple(traced.label for traced in audit.sentences),
            )
            number = insert_review(session, review, latest=True)
            _release(session, audit_id, name)
            return _read(session, ReviewRecord.id == number)[0]

    def of(self, audit_id: int) -> tuple[Review, ...]:
        """Read every version of every judgement of an audit, the oldest first."""
        return self._reviews(ReviewRecord.audit_id == audit_id)

    def latest(self, audit_id: int) -> tuple[Review, ...]:
        """Read the judgement in force of each reviewer of an audit, the oldest first."""
        return self._reviews((ReviewRecord.audit_id == audit_id) & ReviewRecord.latest)

    def counted(self, audit_id: int) -> tuple[Review, ...]:
        """Read the judgements of an audit that count, the oldest first: those that no later one of
        the same reviewer replaces, in this audit or in another of the same answer."""
        return self._reviews((ReviewRecord.audit_id == audit_id) & is_opinion(ReviewRecord))

    def mine(self, audit_id: int, reviewer: str) -> Review | None:
        """Read the judgement in force of one reviewer."""
        with self._reading("The judgements cannot be read") as session:
            name = known_reviewer(session, reviewer)
            own = (ReviewRecord.audit_id == audit_id) & (ReviewRecord.reviewer == name)
            return next(iter(_read(session, own & ReviewRecord.latest)), None)

    def count(self, audit_id: int) -> ReviewCount:
        """Count the judgements that would be deleted with an audit."""
        wanted = select(func.count(ReviewRecord.reviewer.distinct()), func.count()).where(
            ReviewRecord.audit_id == audit_id
        )
        shown_on = (
            select(func.count(AuditRecord.id.distinct()))
            .join(ReviewRecord, same_answer(ReviewRecord))
            .where(
                ReviewRecord.audit_id == audit_id,
                is_opinion(ReviewRecord),
                AuditRecord.id != audit_id,
            )
        )
        with self._reading("The judgements cannot be counted") as session:
            counted = session.execute(wanted).one()
            return ReviewCount(*counted, session.scalar(shown_on) or 0)

    def elsewhere(self, audit_id: int) -> tuple[Opinion, ...]:
        """Read what counts of what was said of an audit's answer in the other audits of it, the
        oldest first: only the verdict, of each reviewer whose latest judgement is in another audit.
        The marks of sentences, chunks and spans speak of their own audits."""
        with self._reading("The judgements cannot be read") as session:
            opinions = opinions_by_audit(session, [audit_id]).get(audit_id, ())
        return tuple(each for each in opinions if each.audit_id != audit_id)

    def each(self, chosen: ItemFilter) -> tuple[Review, ...]:
        """Read the judgements in force of the audits that pass, audit by audit, the oldest
        first."""
        found = in_force(chosen, self._engine, ReviewRecord.id)
        if chosen.passes_all:  # without a look at the audits
            found = select(ReviewRecord.id).where(ReviewRecord.latest)
        with self._reading("The judgements cannot be read") as session:
            return _read_of(session, found)

    def opinions(self, chosen: ItemFilter) -> tuple[Review, ...]:
        """Read what each reviewer says of each answer of the audits that pass, once.

        It is the latest judgement that the reviewer gave in any audit of the answer. Of one that
        was given in an audit that does not pass, the verdict alone counts, beside what the machine
        says in an audit that passes, because marks of sentences, chunks and spans speak of the
        other audit.

        Returns the opinions, answer by answer, the oldest first. ``audit_id`` is the same for all
        of an answer: of the first of them."""
        review = ReviewRecord
        digests = (review.source_digest, review.text_digest)
        machine = (AuditRecord.id, AuditRecord.score, AuditRecord.threshold, AuditRecord.verdict)
        with self._reading("The judgements cannot be read") as session:
            if chosen.passes_all:  # without a look at the audits
                all_of_them = _read_of(session, select(review.id).where(is_opinion(review)))
                known = select(review.id, *digests).where(is_opinion(review))
                named = session.execute(known.where(digests[0].is_not(None)))
                return _by_answer(all_of_them, (), {number: (s, t) for number, s, t in named})
            of_answers = judgements_of_answers(
                chosen, self._engine, review.id, *digests, review.audit_id, *machine
            ).where(is_opinion(review))
            rows = session.execute(of_answers.order_by(AuditRecord.id)).all()
            older = in_force(chosen, self._engine, review.id).where(digests[0].is_(None))
            every = _read_of(session, union(of_answers.with_only_columns(review.id), older))
        passing = {row[0]: _MachineView(*row[4:]) for row in rows}  # of several the last
        in_passing = {row[0] for row in rows if row[3] == row[4]}
        own: list[Review] = []
        others: list[Review] = []
        for one in every:
            if one.id in in_passing or one.id not in passing:  # the latter of an older audit
                own.append(one)
            else:
                others.append(_beside(one, passing[one.id]))
        return _by_answer(own, others, {row[0]: (row[1], row[2]) for row in rows})

    def progress(
        self, chosen: ItemFilter, opinions: int = 1, *, by_answer: bool = False, again: bool = False
    ) -> ReviewProgress:
        """How far the review of the audits that pass is. An audit that several rows of a run share
        counts once. A filter for those not reviewed is ignored, because the total would shrink with
        every judgement. ``by_answer``: whether the audits of one answer, to one query and context,
        count as one. ``again``: with ``by_answer``, whether judgements given in audits that do not
        pass are left out."""
        if chosen.reviewed is Reviewed.UNREVIEWED:
            chosen = replace(chosen, reviewed=Reviewed.ANY)
        with self._reading("The progress cannot be read") as session:
            counts_as = ANSWER if by_answer else AuditRecord.id.expression
            total = session.scalar(count_of_items(chosen, self._engine, by_answer=by_answer)) or 0
            said = in_force(chosen, self._engine, counts_as, ReviewRecord.reviewer).distinct()
            given = {(key, name) for key, name in session.execute(said)}
            if by_answer and not again:
                anywhere = judgements_of_answers(
                    chosen, self._engine, counts_as, ReviewRecord.reviewer
                )
                given |= {(key, name) for key, name in session.execute(anywhere.distinct())}
        of_each, by_reviewer = Counter(key for key, _ in given), Counter(name for _, name in given)
        of_number = Counter(of_each.values())
        most = max(of_number, default=0)
        judgements = tuple(of_number[number] for number in range(1, most + 1))
        reviewers = tuple(
            ReviewerCount(*count)
            for count in sorted(by_reviewer.items(), key=lambda count: (-count[1], count[0]))
        )
        judged = sum(judgements[opinions - 1 :])
        return ReviewProgress(total, judged, reviewers, judgements)

    def reserve_next(
        self,
        chosen: ItemFilter,
        order: ItemOrder,
        reviewer: str,
        opinions: int = 1,
        minutes: float = RESERVATION_MINUTES,
        without: Collection[int] = (),
        *,
        by_answer: bool = False,
        again: bool = False,
    ) -> Item | None:
        """Give the reviewer the next audit to judge.

        It is the first in ``order`` that passes, that this reviewer has not judged, and that fewer
        than ``opinions`` others have judged or hold. Calls follow one another (SQLite by its write
        lock, PostgreSQL by an advisory lock), so no two give the same audit away beyond that.

        ``by_answer``: whether the audits that pass of one answer, to one query and context, count
        as one: it is given once, by the audit that others judged, else the last by the default
        detector, else the last. ``again``: with ``by_answer``, whether an answer is given again
        that was judged in an audit that does not pass. Raises InputError if the name cannot be
        used, and ValueError if ``opinions`` is less than 1."""
        reviewer_name(reviewer)
        if opinions < 1:
            raise ValueError(f"opinions must be at least 1, not {opinions}")
        query = ItemQuery(chosen, self._engine)
        now = datetime.now(UTC)
        with self._writing("No item could be reserved") as session:
            take_lock(session.connection(), REVIEW_LOCK)
            name = known_reviewer(session, reviewer)
            # What is sorted is numbers; the texts are read of the one that is given.
            keys = query.select(query.key, order=order)
            closed = _closed_to(name, time_text(now), opinions, answers=by_answer and not again)
            keys = keys.outerjoin(closed, closed.c.audit_id == AuditRecord.id)
            keys = keys.where(closed.c.audit_id.is_(None))
            if without:
                keys = keys.where(AuditRecord.id.not_in(without))
            if by_answer:
                answers = SameAnswers(
                    session, chosen, self._engine, name, time_text(now), again=again
                )
                key = answers.first(keys, opinions, without)
            else:
                key = session.scalar(keys.limit(1))
            if key is None:
                return None
            whole = query.select(*Item.__slots__).where(query.columns[query.key] == key)
            found = session.execute(whole).one()
            _reserve(session, found.audit_id, name, now, minutes)
            return item_of(found)

    def renew(
        self, audit_id: int, reviewer: str, opinions: int = 1, minutes: float = RESERVATION_MINUTES
    ) -> bool:
        """Keep a reservation for longer. A reservation that ran out is renewed while nobody else
        was given the audit. It is made again where the audit is free for one more of ``opinions``.
        Returns False when others have the audit, or have judged it, in that number."""
        reviewer_name(reviewer)
        now = datetime.now(UTC)
        expires = time_text(now + timedelta(minutes=minutes))
        with self._writing("The reservation was not renewed") as session:
            take_lock(session.connection(), REVIEW_LOCK)
            name = known_reviewer(session, reviewer)
            renewed: Any = session.execute(
                update(ReservationRecord)
                .where(ReservationRecord.audit_id == audit_id, ReservationRecord.reviewer == name)
                .values(expires_at=expires)
            )
            if renewed.rowcount:
                return True
            judged = count_of_audit(
                ReviewRecord.audit_id == AuditRecord.id,
                ReviewRecord.latest,
                ReviewRecord.reviewer != name,
            )
            held = count_of_audit(
                ReservationRecord.audit_id == AuditRecord.id,
                *_open_to_others(name, time_text(now)),
            )
            taken = select(judged + held).where(AuditRecord.id == audit_id)
            if session.scalar(taken) not in range(opinions):
                return False
            session.execute(
                insert(ReservationRecord).values(
                    audit_id=audit_id, reviewer=name, expires_at=expires
                )
            )
            return True

    def release(self, audit_id: int, reviewer: str) -> None:
        """End the reviewer's reservation of the audit, if there is one."""
        with self._writing("The reservation was not released") as session:
            _release(session, audit_id, known_reviewer(session, reviewer))

    def _reviews(self, wanted: ColumnElement[bool]) -> tuple[Review, ...]:
        with self._reading("The judgements cannot be read") as session:
            return _read(session, wanted)


@dataclass(frozen=True, slots=True)
class _MachineView:
    """What the machine says in an audit."""

    audit_id: int
    score: float
    threshold: float
    verdict: str


def _beside(review: Review, machine: _MachineView) -> Review:
    """A judgement of another audit as one of this: its verdict alone."""
    return replace(
        review,
        audit_id=machine.audit_id,
        judgement=replace(review.judgement, sentences=(), chunks=(), spans=()),
        machine_score=machine.score,
        machine_threshold=machine.threshold,
        machine_verdict=Verdict(machine.verdict),
        machine_labels=(),
    )


def _by_answer(
    own: Sequence[Review], others: Sequence[Review], answers: Mapping[int, tuple[str | None, ...]]
) -> tuple[Review, ...]:
    """Opinions, answer by answer, the oldest first; those of ``others`` before those of ``own``.
    ``answers``: by the number of a judgement; one that is not in it has its audit alone."""
    found: dict[tuple[str | None, ...], list[Review]] = defaultdict(list)
    # Those of other audits first: the last in an answer says what the machine traced.
    for part in (others, own):
        for review in sorted(part, key=lambda one: (one.created_at, one.id)):
            found[answers.get(review.id, (str(review.audit_id),))].append(review)
    numbered = {min(review.audit_id for review in given): given for given in found.values()}
    return tuple(
        replace(review, audit_id=number)
        for number, given in sorted(numbered.items())
        for review in given
    )


def _reserve(session: Session, audit_id: int, reviewer: str, now: datetime, minutes: float) -> None:
    """Give an audit to a reviewer; reservations of it that ran out by ``now`` are lost."""
    session.execute(
        delete(ReservationRecord).where(
            ReservationRecord.audit_id == audit_id,
            (ReservationRecord.expires_at <= time_text(now))
            | (ReservationRecord.reviewer == reviewer),
        )
    )
    session.execute(
        insert(ReservationRecord).values(
            audit_id=audit_id,
            reviewer=reviewer,
            expires_at=time_text(now + timedelta(minutes=minutes)),
        )
    )


def _closed_to(reviewer: str, now: str, opinions: int, *, answers: bool) -> Subquery:
    """The audits that a reviewer has judged, and those that ``opinions`` or more others have judged
    or have open; if ``answers``, also all audits of the answers that are judged so. They are few,
    and listed once: asking of each audit in turn takes longer."""
    review = ReviewRecord
    own = select(review.audit_id).where(review.reviewer == reviewer)
    judged = select(review.audit_id).where(review.latest)
    held = select(ReservationRecord.audit_id).where(*_open_to_others(reviewer, now))
    takers = union_all(judged, held).subquery("takers")
    taken = select(takers.c.audit_id).group_by(takers.c.audit_id).having(func.count() >= opinions)
    if not answers:
        return union(own, taken).subquery("closed")
    by_reviewer = func.max(case((review.reviewer == reviewer, 1), else_=0))
    digests = (review.source_digest, review.text_digest)
    done = (
        select(*digests)
        .where(review.latest, digests[0].is_not(None))
        .group_by(*digests)
        .having((func.count(review.reviewer.distinct()) >= opinions) | (by_reviewer == 1))
        .subquery("done")
    )
    of_done = (
        select(AuditRecord.id)
        .select_from(done)
        .join(
            AuditRecord,
            (AuditRecord.source_digest == done.c.source_digest)
            & (AuditRecord.text_digest == done.c.text_digest),
        )
    )
    return union(own, taken, of_done).subquery("closed")


def _open_to_others(reviewer: str, now: str) -> tuple[ColumnElement[bool], ...]:
    """Reservations of others who have not judged the audit yet."""
    judged = exists().where(
        ReviewRecord.audit_id == ReservationRecord.audit_id,
        ReviewRecord.reviewer == ReservationRecord.reviewer,
    )
    return (ReservationRecord.reviewer != reviewer, ReservationRecord.expires_at > now, ~judged)


def _release(session: Session, audit_id: int, reviewer: str) -> None:
    session.execute(
        delete(ReservationRecord).where(
            ReservationRecord.audit_id == audit_id, ReservationRecord.reviewer == reviewer
        )
    )


def insert_review(session: Session, review: Review, *, latest: bool) -> int:
    """Add a review to the session's transaction."""
    judgement = review.judgement
    answer = session.execute(
        select(AuditRecord.source_digest, AuditRecord.text_digest).where(
            AuditRecord.id == review.audit_id
        )
    ).one()
    record = ReviewRecord(
        audit_id=review.audit_id,
        reviewer=review.reviewer,
        version=review.version,
        latest=latest,
        created_at=review.created_at,
        verdict=str(judgement.verdict),
        type=None if judgement.type is None else str(judgement.type),
        comment=judgement.comment,
        blind=judgement.blind,
        machine_score=review.machine_score,
        machine_threshold=review.machine_threshold,
        machine_verdict=str(review.machine_verdict),
        machine_labels=to_plain(review.machine_labels),
        source_digest=answer.source_digest,
        text_digest=answer.text_digest,
    )
    session.add(record)
    session.flush()
    parts: tuple[tuple[Any, Sequence[Any]], ...] = (
        (ReviewSentenceRecord, judgement.sentences),
        (ReviewChunkRecord, judgement.chunks),
        (ReviewSpanRecord, judgement.spans),
    )
    for table, rows in parts:
        if rows:
            values = [{"review_id": record.id, **to_plain(row)} for row in rows]
            session.execute(insert(table), values)
    if judgement.labels:
        names = [{"review_id": record.id, "name": name} for name in judgement.labels]
        session.execute(insert(ReviewLabelRecord), names)
    return record.id


def read_reviews(session: Session, audit_id: int) -> tuple[Review, ...]:
    """Read every version of every review of an audit, the oldest first, in the session's
    transaction."""
    return _read(session, ReviewRecord.audit_id == audit_id)


def _read(session: Session, wanted: ColumnElement[bool]) -> tuple[Review, ...]:
    """The reviews of which ``wanted`` is true, audit by audit, the oldest first."""
    return _read_of(session, select(ReviewRecord.id).where(wanted))


def _read_of(session: Session, numbers: SelectBase) -> tuple[Review, ...]:
    """The reviews whose numbers a statement reads, audit by audit, the oldest first."""

    def rows(table: Any, key: Any, *order: Any) -> Result[Any]:
        # Columns, not records: those are many times slower to make.
        columns = [getattr(table, name) for name in table.__mapper__.column_attrs.keys()]  # noqa: SIM118
        return session.execute(select(*columns).where(key.in_(numbers)).order_by(*order))

    def parts(table: Any, order: Any) -> dict[int, list[Any]]:
        found = defaultdict(list)
        for row in rows(table, table.review_id, table.review_id, order):
            found[row.review_id].append(row)
        return found

    records = rows(ReviewRecord, ReviewRecord.id, ReviewRecord.audit_id, ReviewRecord.id).all()
    sentences = parts(ReviewSentenceRecord, ReviewSentenceRecord.index)
    chunks = parts(ReviewChunkRecord, ReviewChunkRecord.index)
    spans = parts(ReviewSpanRecord, ReviewSpanRecord.start)
    labels = parts(ReviewLabelRecord, ReviewLabelRecord.name)
    each = (sentences, chunks, spans, labels)
    return tuple(
        _review(record, *(found.get(record.id, ()) for found in each)) for record in records
    )


def _review(
    record: Any,
    sentences: Sequence[Any],
    chunks: Sequence[Any],
    spans: Sequence[Any],
    labels: Sequence[Any],
) -> Review:
    """Of rows with the columns of the tables, by name."""
    try:
        judgement = Judgement(
            verdict=JudgedVerdict(record.verdict),
            type=_type(record.type),
            comment=record.comment,
            sentences=tuple(
                JudgedSentence(s.index, JudgedVerdict(s.verdict), _type(s.type)) for s in sentences
            ),
            chunks=tuple(JudgedChunk(c.index, ChunkMark(c.mark)) for c in chunks),
            spans=tuple(JudgedSpan(s.start, s.end, FindingType(s.type)) for s in spans),
            blind=record.blind,
            labels=tuple(label.name for label in labels),
        )
        return Review(
            id=record.id,
            audit_id=record.audit_id,
            reviewer=record.reviewer,
            version=record.version,
            created_at=record.created_at,
            judgement=judgement,
            machine_score=record.machine_score,
            machine_threshold=record.machine_threshold,
            machine_verdict=Verdict(record.machine_verdict),
            machine_labels=tuple(SentenceLabel(label) for label in record.machine_labels),
        )
    except UNREADABLE as error:
        raise StorageError(
            f"The judgement of audit {record.audit_id} by {record.reviewer!r} cannot be read: its "
            f"record is damaged, or a newer version of Provenance wrote it ({reason(error)}). "
            "Update Provenance."
        ) from error


def _type(stored: str | None) -> FindingType | None:
    return None if stored is None else FindingType(stored)
