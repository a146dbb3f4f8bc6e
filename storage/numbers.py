"""Numbers of new rows, which are never those of deleted ones: an old link opens nothing else.

PostgreSQL's sequences only grow. SQLite would give the number of a deleted newest row again. Its
AUTOINCREMENT would fix that, but no table can be given it afterwards: the table has to be made
anew, which at a million audits takes minutes, room for a second copy, and every index and trigger.
So triggers keep the highest number that was deleted (migration 0015), and a new row is numbered
after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.models import AuditRecord, LastNumberRecord, PresetRecord, RunRecord


def numbered(
    session: Session,
    record: type[AuditRecord] | type[RunRecord] | type[PresetRecord],
    rows: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Number new rows in their order where the database would give an old number again. On SQLite
    the values with an ``id``, else the values: the database numbers them."""
    if session.get_bind().dialect.name != "sqlite":
        return [dict(row) for row in rows]
    deleted = select(LastNumberRecord.number).where(LastNumberRecord.name == record.__tablename__)
    last = max(session.scalar(select(func.max(record.id))) or 0, session.scalar(deleted) or 0)
    return [{"id": number, **row} for number, row in enumerate(rows, last + 1)]
