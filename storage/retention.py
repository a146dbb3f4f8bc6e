"""Audits and runs that are older than a number of days, deleted by age: once, or each day."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from provenance_core.environment import Setting
from storage.actions import record_action
from storage.audits import AuditStore
from storage.database import DatabaseAccess, time_text
from storage.days import days_of
from storage.engine import merge_text_index, truncate_wal
from storage.errors import AuditNotFound, StorageError
from storage.models import AuditRecord, RunRecord
from storage.runs import RunStatus, RunStore

RETENTION_DAYS = Setting(
    "PROVENANCE_RETENTION_DAYS",
    "days that audits and runs are kept: the app and the workers delete older ones at their start "
    "and each day; 0 keeps them until someone deletes them",
    "0",
)
WHO = "retention"
_LOG = logging.getLogger(__name__)
_DAY_SECONDS = 86_400.0
# What a worker may be about to write to, or waits for one.
_IN_WORK = (str(RunStatus.RUNNING), str(RunStatus.QUEUED))


@dataclass(frozen=True, slots=True)
class Expired:
    """Numbers of audits and of runs that are older than a number of days, the oldest first."""

    audits: tuple[int, ...]
    runs: tuple[int, ...]


class RetentionStore(DatabaseAccess):
    """Deletes by age in one database. Cheap to create; safe to use from several threads."""

    def expired(self, days: int) -> Expired:
        """Find what is older than ``days``; a run that waits or is in work does not count. Raises
        StorageError where it cannot be read."""
        before = time_text(datetime.now(UTC) - timedelta(days=days))
        audits = select(AuditRecord.id).where(AuditRecord.created_at < before)
        runs = select(RunRecord.id).where(
            RunRecord.created_at < before, RunRecord.status.not_in(_IN_WORK)
        )
        with self._reading("The old audits cannot be listed") as session:
            return Expired(
                tuple(session.scalars(audits.order_by(AuditRecord.created_at, AuditRecord.id))),
                tuple(session.scalars(runs.order_by(RunRecord.created_at, RunRecord.id))),
            )

    def delete_expired(self, days: int) -> Expired:
        """Delete what is older than ``days``, and record the numbers among the actions. Raises
        StorageError where something cannot be deleted; what was deleted before is recorded."""
        found = self.expired(days)
        audits: list[int] = []
        runs: list[int] = []
        try:
            for number in found.runs:
                RunStore(self._engine).delete(number)
                runs.append(number)
            store = AuditStore(self._engine)
            for number in found.audits:
                try:
                    store.delete(number)
                except AuditNotFound:  # another process keeps to the same age
                    continue
                audits.append(number)
        finally:
            for what, numbers in (("runs", runs), ("audits", audits)):
                if numbers:
                    action = f"delete {what} older than {days} days"
                    record_action(WHO, "", action, numbers)
                    _LOG.info("event=expired_deleted what=%s count=%d", what, len(numbers))
            if audits:
                merge_text_index(self._engine)
            truncate_wal(self._engine)
        return Expired(tuple(audits), tuple(runs))


def retention_days(environment: Mapping[str, str] = os.environ) -> int:
    """Read for how many days audits are kept; 0 keeps them for ever. Raises StorageError where the
    setting is no whole number."""
    return days_of(RETENTION_DAYS, environment, "Nothing is deleted by age until it is.")


def keep_to_retention(
    deleted: Callable[[], None] = lambda: None,
    every: float = _DAY_SECONDS,
    ended: threading.Event | None = None,
) -> threading.Thread | None:
    """Delete what is older than the setting says, now and each day, in a thread; None where nothing
    is deleted by age."""
    try:
        days = retention_days()
    except StorageError:
        _LOG.error("event=retention_not_set variable=%s", RETENTION_DAYS.variable)
        return None
    if not days:
        return None

    pause = ended or threading.Event()

    def run() -> None:
        while not pause.is_set():
            try:
                found = RetentionStore.open().delete_expired(days)
                if found.audits or found.runs:
                    deleted()
            except StorageError as error:
                # A database that is busy now is asked again tomorrow.
                _LOG.warning("event=retention_failed error=%s", type(error).__name__)
            pause.wait(every)

    thread = threading.Thread(target=run, name="retention", daemon=True)
    thread.start()
    return thread
