"""Whether the database and its disk can be used, and how much is in them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select, text

from storage.database import DatabaseAccess
from storage.models import AuditRecord, ReviewRecord, RunRecord

LEAST_FREE_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class StorageState:
    """``audits``, ``reviews`` and ``runs`` (by status) that are kept; ``database_bytes``: size of
    an SQLite file, else 0; ``free_bytes``: of its disk, else of the working folder's."""

    audits: int
    reviews: int
    runs: tuple[tuple[str, int], ...]
    database_bytes: int
    free_bytes: int

    @property
    def problem(self) -> str:
        """Why nothing more can be saved, "" where it can."""
        if self.free_bytes < LEAST_FREE_BYTES:
            return f"the disk has {self.free_bytes // 1_000_000} MB left"
        return ""


class ReadinessStore(DatabaseAccess):
    """Reads the state of one database. Cheap to create; safe to use from several threads."""

    def state(self) -> StorageState:
        """Count what is kept and what is free. Raises StorageError where the database cannot be
        read or written."""
        with self._writing("The database cannot be written") as session:
            # A transaction that writes takes the lock; nothing is changed.
            session.execute(text("SELECT 1"))
            audits = session.scalar(select(func.count()).select_from(AuditRecord)) or 0
            reviews = session.scalar(select(func.count()).select_from(ReviewRecord)) or 0
            runs = session.execute(
                select(RunRecord.status, func.count()).group_by(RunRecord.status)
            ).all()
        file = Path(self._file) if self._file not in ("", ":memory:") else None
        return StorageState(
            audits=audits,
            reviews=reviews,
            runs=tuple((str(status), int(count)) for status, count in runs),
            database_bytes=file.stat().st_size if file else 0,
            free_bytes=shutil.disk_usage(file.parent if file else Path.cwd()).free,
        )
