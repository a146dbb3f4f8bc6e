"""Batch runs: their rows, what became of each, and who works on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from provenance_core import Audit, InputError, Parameters, Verdict
from provenance_core.audit.serialization import from_plain, to_plain
from provenance_core.files.batch.summary import FileSummary
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, FieldMapping, RejectedRow, Unit
from provenance_core.statistics.thresholds.types import LabelledScores
from provenance_core.types import ContextItem
from storage.audits import insert_audit, read_audit
from storage.database import DatabaseAccess, in_parts, now_text, time_text
from storage.engine import truncate_wal
from storage.errors import UNREADABLE, RunNotFound, StorageError
from storage.filters import check_search
from storage.models import (
    AuditRecord,
    FormerRunNameRecord,
    RunRecord,
    RunRejectRecord,
    RunRowRecord,
)
from storage.numbers import numbered
from storage.text_search import contains

_INSERT_AT_ONCE = 500
LONGEST_NAME = 200
# Longer than the slowest audit: a worker says that it is alive after each row.
SILENCE = timedelta(minutes=5)


class RunStatus(StrEnum):
    """QUEUED waits for a worker; CANCELLED was stopped by a person, STOPPED by an error that the
    run's message names. Both can be taken up again."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    STOPPED = "stopped"

    @property
    def active(self) -> bool:
        """Whether a worker has the run, or is to have it."""
        return self in (RunStatus.QUEUED, RunStatus.RUNNING)


class RowStatus(StrEnum):
    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class NewRun:
    """What a run is started with. ``mapping``: which key of the file stands for what.
    ``summary``: what became of the rows of the file, where the run is of a file."""

    name: str
    file_name: str
    format: str
    mapping: tuple[tuple[str, str], ...]
    profile: str
    parameters: Parameters
    summary: FileSummary | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many rows of a run are in each state."""

    total: int
    done: int
    failed: int
    rejected: int

    @property
    def left(self) -> int:
        """Rows that no worker has finished."""
        return self.total - self.done - self.failed


@dataclass(frozen=True, slots=True)
class RunName:
    """What a list to choose from needs of a run."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run as kept. ``verdicts_of``: the number of the run whose rows this one has under another
    threshold; None where it is of a file alone."""

    id: int
    name: str
    created_at: str
    file_name: str
    format: str
    mapping: tuple[tuple[str, str], ...]
    profile: str
    parameters: Parameters
    status: RunStatus
    started_at: str | None
    finished_at: str | None
    worker: str | None
    heartbeat_at: str | None
    message: str
    progress: Progress
    verdicts_of: int | None = None


@dataclass(frozen=True, slots=True)
class PendingRow:
    """What a worker audits next."""

    id: int
    line: int
    query: str
    answer: str
    context: tuple[ContextItem, ...]


@dataclass(frozen=True, slots=True)
class RunPage:
    """Some of the runs, and how many there are in all."""

    runs: tuple[Run, ...]
    total: int


@dataclass(frozen=True, slots=True)
class RunRow:
    """A row of a run that has no audit. ``reason``: why it failed; '' unless it did."""

    line: int
    row_id: str
    query: str
    answer: str
    label: int | None
    status: RowStatus
    reason: str


@dataclass(frozen=True, slots=True)
class RunRowPage:
    """Some rows, and how many pass the filter."""

    rows: tuple[RunRow, ...]
    total: int


class RunStore(DatabaseAccess):
    """Batch runs in one database. Cheap to create; safe to use from several threads."""

    def create(self, run: NewRun, rows: Iterable[BatchRow], rejects: Iterable[RejectedRow]) -> int:
        """Keep a run with all of its rows, or nothing of it. Raises StorageError if there is a run
        of that name."""
        values = {
            "name": run.name,
            "created_at": now_text(),
            "file_name": run.file_name,
            "format": run.format,
            "mapping": dict(run.mapping),
            "profile": run.profile,
            "parameters": to_plain(run.parameters),
            "status": str(RunStatus.QUEUED),
            "total": 0,
            "message": "",
            "file_summary": to_plain(run.summary) if run.summary else None,
        }
        with self._writing("The run was not created") as session:
            record = RunRecord(**numbered(session, RunRecord, [values])[0])
            session.add(record)
            try:
                session.flush()
            except IntegrityError as error:
                raise StorageError(
                    f"There is a run called {run.name!r} already. Choose another name."
                ) from error
            for part in in_parts(rows, _INSERT_AT_ONCE):
                session.execute(insert(RunRowRecord), [_row_values(record.id, row) for row in part])
                record.total += len(part)
            for refused in in_parts(rejects, _INSERT_AT_ONCE):
                columns = ("line", "reason", "raw")
                session.execute(
                    insert(RunRejectRecord),
                    [
                        {"run_id": record.id, **{name: getattr(row, name) for name in columns}}
                        for row in refused
                    ],
                )
            return record.id

    def under_threshold(self, run_id: int, threshold: float) -> int:
        """Make a run of the rows of another under another threshold, to be worked on. The other run
        and its verdicts stay. Its worker puts the scores that are there together anew: no model
        reads a text again. ``threshold``: in [0, 1]. Returns the number of the new run. Its name
        says the threshold. Raises InputError if the threshold is that of the run, or its name is
        taken or too long, and RunNotFound if there is no run of that number."""
        run = self.get(run_id)
        if run.parameters.threshold == threshold:
            raise InputError(f"The run has the threshold {threshold:g} already. Choose another.")
        name = self.free_name(f"{run.name}, threshold {threshold:g}")
        row = RunRowRecord
        other = ("id", "run_id", "status", "reason", "audit_id")
        kept = [column for column in row.__table__.c if column.name not in other]
        with self._writing("The run was not created") as session:
            given = session.get_one(RunRecord, run_id)
            values = {
                each: getattr(given, each)
                for each in ("file_name", "format", "mapping", "profile", "total")
            }
            values |= {
                "name": name,
                "created_at": now_text(),
                "parameters": to_plain(replace(run.parameters, threshold=threshold)),
                "status": str(RunStatus.QUEUED),
                "message": "",
                "verdicts_of": run_id,
            }
            record = RunRecord(**numbered(session, RunRecord, [values])[0])
            session.add(record)
            session.flush()
            rows = select(
                literal(record.id), literal(str(RowStatus.PENDING)), literal(""), *kept
            ).where(row.run_id == run_id)
            names = ["run_id", "status", "reason", *(column.name for column in kept)]
            session.execute(insert(row).from_select(names, rows.order_by(row.id)))
            return record.id

    def names(self) -> tuple[RunName, ...]:
        """List number and name of every run, newest first. No row is counted."""
        wanted = select(RunRecord.id, RunRecord.name).order_by(RunRecord.id.desc())
        with self._reading("The runs cannot be listed") as session:
            return tuple(RunName(*row) for row in session.execute(wanted))

    def newest_labelled(self) -> Run | None:
        """Read the newest run that has an audited row with a label."""
        labelled = (
            select(RunRowRecord.id)
            .where(RunRowRecord.run_id == RunRecord.id, RunRowRecord.label.is_not(None))
            .where(RunRowRecord.audit_id.is_not(None))
            .exists()
        )
        wanted = select(RunRecord).where(labelled).order_by(RunRecord.id.desc()).limit(1)
        with self._reading("The runs cannot be read") as session:
            found = session.scalars(wanted).first()
            return None if found is None else _run(session, found)

    def page(self, offset: int = 0, limit: int = 20) -> RunPage:
        """List the runs, newest first."""
        newest = select(RunRecord).order_by(RunRecord.id.desc()).offset(offset).limit(limit)
        with self._reading("The runs cannot be listed") as session:
            total = session.scalar(select(func.count(RunRecord.id))) or 0
            records = session.scalars(newest).all()
            return RunPage(tuple(_run(session, record) for record in records), total)

    def get(self, run_id: int) -> Run:
        """Read one run. Raises RunNotFound if there is no run of that number."""
        return self._one(RunRecord.id == run_id, f"There is no run {run_id}.")

    def named(self, name: str) -> Run:
        """Read the run of a name; where none has it, the newest run that had it before. Raises
        RunNotFound if there is no run of that name."""
        had = select(FormerRunNameRecord.run_id).where(FormerRunNameRecord.name == name)
        missing = f"There is no run called {name!r}."
        return self._one((RunRecord.name == name) | RunRecord.id.in_(had), missing, called=name)

    def free_name(self, given: str) -> str:
        """Check the name for a new run. Raises InputError if the name is empty, too long or
        taken."""
        name = _proper_name(given)
        taken = select(RunRecord.status, RunRecord.file_name).where(RunRecord.name == name)
        with self._reading("The run cannot be read") as session:
            found = session.execute(taken).first()
        if found is None:
            return name
        hint = "" if found.status == RunStatus.DONE else ", or resume that run"
        raise InputError(
            f"There is a run called {name!r} already ({found.status}, of {found.file_name}). "
            f"Choose another name{hint}."
        )

    def rename(self, run_id: int, given: str) -> None:
        """Give a run another name. Its number, rows and audits stay, and so do links to it.
        :meth:`named` and labels of files that were exported before still find it by the old name.
        Raises InputError if the name is empty, too long or that of another run, and RunNotFound if
        there is no run of that number."""
        name = _proper_name(given)
        with self._writing("The run was not renamed") as session:
            record = session.get(RunRecord, run_id)
            if record is None:
                raise RunNotFound(f"There is no run {run_id}. It may have been deleted.")
            if record.name == name:
                return
            session.merge(FormerRunNameRecord(run_id=run_id, name=record.name))
            record.name = name
            try:
                session.flush()
            except IntegrityError as error:
                raise InputError(
                    f"There is a run called {name!r} already. Choose another name."
                ) from error

    def _one(self, wanted: ColumnElement[bool], missing: str, called: str = "") -> Run:
        first = case((RunRecord.name == called, 0), else_=1)
        with self._reading("The run cannot be read") as session:
            found = select(RunRecord).where(wanted).order_by(first, RunRecord.id.desc()).limit(1)
            record = session.scalar(found)
            if record is None:
                raise RunNotFound(f"{missing} It may have been deleted.")
            return _run(session, record)

    def take(self, run_id: int, worker: str, instead_of: str | None = None) -> bool:
        """Take a run for a worker. ``instead_of``: a worker that is known to be dead, so that the
        call does not wait for its silence. Returns False when the run is done, cancelled or
        stopped, or a living worker has it."""
        silent = time_text(datetime.now(UTC) - SILENCE)
        free = or_(
            RunRecord.status == str(RunStatus.QUEUED),
            (RunRecord.status == str(RunStatus.RUNNING))
            & or_(RunRecord.heartbeat_at < silent, RunRecord.worker.in_((worker, instead_of))),
        )
        with self._writing("The run was not started") as session:
            now = now_text()
            taken = session.execute(
                update(RunRecord)
                .where(RunRecord.id == run_id, free)
                .values(
                    status=str(RunStatus.RUNNING),
                    worker=worker,
                    heartbeat_at=now,
                    message="",
                    started_at=func.coalesce(RunRecord.started_at, now),
                )
            )
            return _changed(taken) == 1

    def beat(self, run_id: int, worker: str) -> bool:
        """Say that a worker is alive. Returns False when the run is no longer its own."""
        with self._writing("The run was not changed") as session:
            return _beat(session, RunRecord.id == run_id, worker)

    def next_row(self, run_id: int) -> PendingRow | None:
        """Read the first row that is not finished."""
        return next(iter(self.pending(run_id, 1)), None)

    def pending(self, run_id: int, limit: int) -> tuple[PendingRow, ...]:
        """Read the first rows that are not finished. Returns the rows in the order of the file;
        none when all are finished."""
        columns = (
            RunRowRecord.id,
            RunRowRecord.line,
            RunRowRecord.query,
            RunRowRecord.answer,
            RunRowRecord.context,
        )
        wanted = (
            select(*columns)
            .where(RunRowRecord.run_id == run_id, RunRowRecord.status == str(RowStatus.PENDING))
            .order_by(RunRowRecord.id)
            .limit(limit)
        )
        with self._reading("The next rows cannot be read") as session:
            return tuple(
                PendingRow(row.id, row.line, row.query, row.answer, _context(row.context))
                for row in session.execute(wanted)
            )

    def audit_of(
        self,
        digest: str,
        parameters: Parameters | None = None,
        context: Sequence[ContextItem] = (),
    ) -> int | None:
        """Find the newest audit of the same texts by the same models, measured in the same way.
        ``parameters``: given, only an audit counts whose score and verdict came about under just
        these, and whose items have the titles of ``context``."""
        wanted = (
            select(AuditRecord.id)
            .where(AuditRecord.digest == digest)
            .order_by(AuditRecord.id.desc())
        )
        with self._reading("The audits cannot be read") as session:
            found = session.scalars(wanted).all()
            return next((n for n in found if _same(session, n, parameters, context)), None)

    def finish(self, row_id: int, worker: str, audit: Audit) -> bool:
        """Keep an audit and mark its row as done, both or neither. No row is done twice. Returns
        False, and nothing is kept, when the run is no longer this worker's or the row is done."""
        with self._writing("The row was not saved") as session:
            if not _still_mine(session, row_id, worker):
                return False
            number = insert_audit(session, audit)
            _close(session, row_id, RowStatus.DONE, audit_id=number)
            return True

    def share(self, row_id: int, worker: str, audit_id: int) -> bool:
        """Mark a row as done with an audit that exists already. Returns False as :meth:`finish`,
        and when the audit has been deleted."""
        with self._writing("The row was not saved") as session:
            there = select(AuditRecord.id).where(AuditRecord.id == audit_id)
            if not _still_mine(session, row_id, worker) or session.scalar(there) is None:
                return False
            _close(session, row_id, RowStatus.DONE, audit_id=audit_id)
            return True

    def fail(self, row_id: int, worker: str, reason: str) -> bool:
        """Mark a row as one that could not be audited. Returns False as :meth:`finish`."""
        with self._writing("The row was not saved") as session:
            if not _still_mine(session, row_id, worker):
                return False
            _close(session, row_id, RowStatus.FAILED, reason=reason)
            return True

    def end(self, run_id: int, worker: str) -> None:
        """Mark a run as done, unless it is no longer this worker's."""
        mine = (RunRecord.id == run_id) & (RunRecord.worker == worker)
        now = now_text()
        self._change(mine, RunStatus.RUNNING, RunStatus.DONE, finished_at=now, worker=None)

    def stop(self, run_id: int, worker: str, status: RunStatus, message: str) -> None:
        """Give a run up, unless it is no longer this worker's."""
        mine = (RunRecord.id == run_id) & (RunRecord.worker == worker)
        self._change(mine, RunStatus.RUNNING, status, message=message, worker=None)

    def cancel(self, run_id: int) -> None:
        """Stop a run after the row that is being audited. What is done stays."""
        for status in (RunStatus.QUEUED, RunStatus.RUNNING):
            self._change(RunRecord.id == run_id, status, RunStatus.CANCELLED, worker=None)

    def resume(self, run_id: int, dead: str | None = None) -> None:
        """Queue a cancelled or stopped run again, or one whose worker is dead."""
        if dead is not None:
            of_dead = (RunRecord.id == run_id) & (RunRecord.worker == dead)
            self._change(of_dead, RunStatus.RUNNING, RunStatus.QUEUED, worker=None)
        for status in (RunStatus.CANCELLED, RunStatus.STOPPED):
            self._change(RunRecord.id == run_id, status, RunStatus.QUEUED)

    def retry_failed(self, run_id: int) -> bool:
        """Queue a run again whose failed rows are to be audited once more. Returns False, and
        nothing changes, when no row failed or a worker has the run."""
        ended = (RunStatus.DONE, RunStatus.CANCELLED, RunStatus.STOPPED)
        failed = (RunRowRecord.run_id == run_id) & (RunRowRecord.status == str(RowStatus.FAILED))
        with self._writing("The run was not changed") as session:
            queued = session.execute(
                update(RunRecord)
                .where(
                    RunRecord.id == run_id,
                    RunRecord.status.in_([str(status) for status in ended]),
                    select(RunRowRecord.id).where(failed).exists(),
                )
                .values(status=str(RunStatus.QUEUED), finished_at=None)
            )
            if not _changed(queued):
                return False
            session.execute(
                update(RunRowRecord).where(failed).values(status=str(RowStatus.PENDING), reason="")
            )
            return True

    def delete(self, run_id: int) -> None:
        """Delete a run with its rows; its audits stay in the history."""
        with self._writing("The run was not deleted") as session:
            session.execute(delete(RunRecord).where(RunRecord.id == run_id))
        truncate_wal(self._engine)

    def rows_without_audit(
        self, run_id: int, status: RowStatus, text: str = "", offset: int = 0, limit: int = 20
    ) -> RunRowPage:
        """List the rows of a status, in the order of the file. A row that is done has no audit once
        that was deleted. ``text``: searched in query, answer and reason, whatever its case; empty
        finds all. Raises StorageError if the searched text is too long."""
        check_search(text)
        columns: list[Any] = [getattr(RunRowRecord, name) for name in RunRow.__slots__]
        chosen: Select[Any] = select(*columns).where(
            RunRowRecord.run_id == run_id,
            RunRowRecord.status == str(status),
            RunRowRecord.audit_id.is_(None),
        )
        if wanted := text.strip():
            searched = (RunRowRecord.query, RunRowRecord.answer, RunRowRecord.reason)
            chosen = chosen.where(or_(*(contains(c, wanted, self._engine) for c in searched)))
        with self._reading("The rows cannot be listed") as session:
            counted = chosen.with_only_columns(func.count(), maintain_column_froms=True)
            total = session.scalar(counted) or 0
            listed = chosen.order_by(RunRowRecord.id).offset(offset).limit(limit)
            rows = tuple(
                RunRow(**{**row._asdict(), "status": RowStatus(row.status)})
                for row in session.execute(listed)
            )
        return RunRowPage(rows, total)

    def labelled_scores(self, run_id: int) -> LabelledScores:
        """Read label, score and source of every row that has a label and an audit, without the rows
        that have nothing to check: no score speaks of them."""
        wanted = (
            select(RunRowRecord.label, AuditRecord.score, RunRowRecord.group)
            .join(AuditRecord, AuditRecord.id == RunRowRecord.audit_id)
            .where(RunRowRecord.run_id == run_id, RunRowRecord.label.is_not(None))
            .where(AuditRecord.verdict != str(Verdict.NOTHING_TO_CHECK))
            .order_by(RunRowRecord.id)
        )
        with self._reading("The scores cannot be read") as session:
            found = [tuple(row) for row in session.execute(wanted)]
        labels, scores, groups = zip(*found, strict=True) if found else ((), (), ())
        return LabelledScores(scores, labels, groups)

    def rejects(self, run_id: int) -> tuple[RejectedRow, ...]:
        """List the rows of the file that could not be used, in its order."""
        wanted = (
            select(RunRejectRecord.line, RunRejectRecord.reason, RunRejectRecord.raw)
            .where(RunRejectRecord.run_id == run_id)
            .order_by(RunRejectRecord.line, RunRejectRecord.id)
        )
        with self._reading("The rejects cannot be read") as session:
            # A run keeps the number of a row, not what it counts.
            return tuple(RejectedRow(*row, Unit.UNKNOWN) for row in session.execute(wanted))

    def file_summary(self, run_id: int) -> FileSummary | None:
        """Read what became of the rows of the file of a run; None for a run that was started
        without one, under another threshold, or by an earlier version. Raises RunNotFound if there
        is no run of that number."""
        wanted = select(RunRecord.file_summary).where(RunRecord.id == run_id)
        with self._reading("The summary of the file cannot be read") as session:
            found = session.execute(wanted).one_or_none()
        if found is None:
            raise RunNotFound(f"There is no run {run_id}. It may have been deleted.")
        return None if found[0] is None else from_plain(FileSummary, found[0])

    def _change(
        self, wanted: ColumnElement[bool], was: RunStatus, status: RunStatus, **values: Any
    ) -> None:
        changed = update(RunRecord).where(wanted, RunRecord.status == str(was))
        with self._writing("The run was not changed") as session:
            session.execute(changed.values(status=str(status), **values))


def mapping_pairs(mapping: FieldMapping | None) -> tuple[tuple[str, str], ...]:
    """Name the fields that a key stands for, with their keys, as a run keeps them."""
    pairs = [] if mapping is None else to_plain(mapping).items()
    return tuple((name, key) for name, key in pairs if key)


def _proper_name(given: str) -> str:
    """The name without blanks around it. InputError when it is empty or too long."""
    name = given.strip()
    if not name:
        raise InputError("The run has no name. Give it one, for example the file's.")
    if len(name) > LONGEST_NAME:
        raise InputError(
            f"The run's name has {len(name):,} characters; the most is {LONGEST_NAME}. Shorten it."
        )
    return name


def _changed(result: Any) -> int:
    return int(result.rowcount)


def _context(stored: Sequence[Any]) -> tuple[ContextItem, ...]:
    """The context of a row; an item without a title is kept as its text."""
    return tuple(
        ContextItem(index, item) if isinstance(item, str) else from_plain(ContextItem, item)
        for index, item in enumerate(stored)
    )


def _same(
    session: Session,
    number: int,
    parameters: Parameters | None,
    context: Sequence[ContextItem],
) -> bool:
    """Whether an audit was made under just these parameters, of items with these titles; None
    stands for any."""
    if parameters is None:
        return True
    try:
        audit = read_audit(session, number)
    except UNREADABLE:
        return False
    names = [item.name for item in audit.evidence.context]
    return audit.parameters == parameters and names == [item.name for item in context]


def _still_mine(session: Session, row_id: int, worker: str) -> bool:
    """Whether ``worker`` still has the run of the row and the row is open; says it is alive."""
    run_id = (
        select(RunRowRecord.run_id)
        .where(RunRowRecord.id == row_id, RunRowRecord.status == str(RowStatus.PENDING))
        .scalar_subquery()
    )
    return _beat(session, RunRecord.id == run_id, worker)


def _beat(session: Session, wanted: ColumnElement[bool], worker: str) -> bool:
    mine = session.execute(
        update(RunRecord)
        .where(wanted, RunRecord.status == str(RunStatus.RUNNING), RunRecord.worker == worker)
        .values(heartbeat_at=now_text())
    )
    return _changed(mine) == 1


def _close(
    session: Session,
    row_id: int,
    status: RowStatus,
    *,
    audit_id: int | None = None,
    reason: str = "",
) -> None:
    session.execute(
        update(RunRowRecord)
        .where(RunRowRecord.id == row_id)
        .values(status=str(status), audit_id=audit_id, reason=reason)
    )


def _row_values(run_id: int, row: BatchRow) -> dict[str, Any]:
    values = to_plain(row)
    values["row_id"] = values.pop("id")
    # Named for every row, so that intervals can be drawn over source documents.
    values["group"] = row.group or text_group(*row.texts)
    return {"run_id": run_id, **values, "status": str(RowStatus.PENDING), "reason": ""}


def _run(session: Session, record: RunRecord) -> Run:
    counted = select(RunRowRecord.status, func.count()).where(RunRowRecord.run_id == record.id)
    counts = dict(iter(session.execute(counted.group_by(RunRowRecord.status))))
    rejected = select(func.count(RunRejectRecord.id)).where(RunRejectRecord.run_id == record.id)
    return Run(
        id=record.id,
        name=record.name,
        created_at=record.created_at,
        file_name=record.file_name,
        format=record.format,
        mapping=tuple(record.mapping.items()),
        profile=record.profile,
        parameters=from_plain(Parameters, record.parameters),
        status=RunStatus(record.status),
        started_at=record.started_at,
        finished_at=record.finished_at,
        worker=record.worker,
        heartbeat_at=record.heartbeat_at,
        message=record.message,
        verdicts_of=record.verdicts_of,
        progress=Progress(
            total=record.total,
            done=counts.get(str(RowStatus.DONE), 0),
            failed=counts.get(str(RowStatus.FAILED), 0),
            rejected=session.scalar(rejected) or 0,
        ),
    )
