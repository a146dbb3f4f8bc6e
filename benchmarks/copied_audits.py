"""Fills a database quickly: audits that ask other questions about contexts that are there.

As where one set of documents is asked about again and again. Texts, scores and sizes are those of
the audits copied; query, date and digests are their own, but in the document, which is copied as it
is. Rows are copied by SQL, a table at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, insert, select
from sqlalchemy.orm import Session

from provenance_core import Parameters
from provenance_core.audit.digest import measurement_digest, source_digest, text_digest
from provenance_core.types import ModelInfo
from storage.models import AuditRecord, ContextItemRecord, SupportRecord
from storage.text_search import index_texts

_AT_ONCE = 5_000
_CACHE_KIB = 400_000
_MEASURED_BY = 1  # as generated evidence says
_PARTS = (ContextItemRecord, SupportRecord)


@dataclass(frozen=True, slots=True)
class CopiedAudit:
    """What a copy of an audit has of its own, and the texts that it shares."""

    query: str
    answer: str
    context: tuple[str, ...]
    created: datetime


def copy_audits(
    engine: Engine,
    originals: range,
    first: int,
    last: int,
    own: Callable[[int, int], CopiedAudit],
    models: Sequence[ModelInfo],
) -> None:
    """Add the audits ``first`` to ``last``, copies of ``originals`` in turn, and say how many.
    ``originals``: numbers of audits in the database; what is added is numbered on. ``own``: of the
    number of an original and of its copy, from 1 on. ``models``: those of every audit."""
    with engine.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA cache_size = -{_CACHE_KIB}")
    for start, end in _steps(originals, first, last):
        with Session(engine.execution_options(provenance_write=True)) as session, session.begin():
            _copy(session.connection(), originals, start, end, own, models)
            index_texts(session, range(start, end + 1))
        if end % 50_000 < _AT_ONCE:
            print(f"{end:,} of {last:,} audits", file=sys.stderr, flush=True)


def _steps(originals: range, first: int, last: int) -> Iterator[tuple[int, int]]:
    """From and to, of parts whose originals are in a row."""
    base = originals.stop
    while first <= last:
        left_of_round = len(originals) - (first - base) % len(originals)
        end = min(last, first + min(_AT_ONCE, left_of_round) - 1)
        yield first, end
        first = end + 1


def _copy(
    connection: Connection,
    originals: range,
    start: int,
    end: int,
    own: Callable[[int, int], CopiedAudit],
    models: Sequence[ModelInfo],
) -> None:
    copy, at = divmod(start - originals.stop, len(originals))
    shift = start - originals[at]
    rows = [
        {"original": number - shift, **_own_values(number, own(number - shift, copy + 1), models)}
        for number in range(start, end + 1)
    ]
    connection.execute(_audit_copies(rows[0]), rows)
    for table in _PARTS:
        key, *columns = table.__table__.columns
        of_originals = select(key + shift, *columns).where(key.between(start - shift, end - shift))
        names = [column.name for column in (key, *columns)]
        connection.execute(insert(table).from_select(names, of_originals))


def _audit_copies(values: Mapping[str, Any]) -> Any:
    columns = AuditRecord.__table__.columns
    read = [
        bindparam(f"own_{c.name}", type_=c.type) if f"own_{c.name}" in values else c
        for c in columns
    ]
    original = select(*read).where(columns.id == bindparam("original"))
    return insert(AuditRecord).from_select([c.name for c in columns], original)


def _own_values(number: int, audit: CopiedAudit, models: Sequence[ModelInfo]) -> dict[str, Any]:
    texts = (audit.query, audit.answer, audit.context)
    return {
        "own_id": number,
        "own_created_at": audit.created.isoformat(timespec="milliseconds"),
        "own_query": audit.query,
        "own_digest": measurement_digest(*texts, Parameters(), models, measured_by=_MEASURED_BY),
        "own_source_digest": source_digest(audit.query, audit.context),
        "own_text_digest": text_digest(audit.query, audit.answer),
    }
