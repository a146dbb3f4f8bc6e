"""What every store has: an engine, and sessions whose errors say what was not done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Self, TypeVar

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from provenance_core.errors import InputError
from storage.engine import database_url, get_engine, write_turn
from storage.errors import database_errors

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Moment:
    """A session that reads one state of the database of ``engine``."""

    engine: Engine
    session: Session


_moment: ContextVar[_Moment | None] = ContextVar("moment", default=None)


@contextmanager
def snapshot(url: str | None = None) -> Iterator[None]:
    """Let every store read the same state of a database while the block runs, whatever others
    write meanwhile."""
    engine = get_engine(url or database_url())
    # A transaction of SQLite sees one state anyway.
    of_one_state = (
        engine
        if engine.dialect.name == "sqlite"
        else engine.execution_options(isolation_level="REPEATABLE READ")
    )
    with Session(of_one_state) as session:
        token = _moment.set(_Moment(engine, session))
        try:
            yield
        finally:
            _moment.reset(token)


class DatabaseAccess:
    """Reads and writes one database. Cheap to create; safe to use from several threads. Whatever
    reads or writes raises StorageError where the database refuses."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # The file of an SQLite database, else "".
        self._file = engine.url.database or "" if engine.dialect.name == "sqlite" else ""

    @classmethod
    def open(cls, url: str | None = None) -> Self:
        """Open the database, :func:`storage.database_url` by default, and bring its tables up to
        date. ``url``: of SQLAlchemy. Raises StorageError if it cannot be opened."""
        return cls(get_engine(url or database_url()))

    @contextmanager
    def _reading(self, failure: str) -> Iterator[Session]:
        """A session to read with. StorageError that begins with ``failure`` when that fails."""
        moment = _moment.get()
        with database_errors(failure, self._file):
            if moment is not None and moment.engine is self._engine:
                yield moment.session
                return
            with Session(self._engine) as session:
                yield session

    @contextmanager
    def _writing(self, failure: str) -> Iterator[Session]:
        """A session with a transaction that writes: kept at the end, nothing of it on any error.
        StorageError that begins with ``failure`` when the database refuses."""
        engine = self._engine.execution_options(provenance_write=True)
        with (
            database_errors(failure, self._file),
            write_turn(self._engine),
            Session(engine) as session,
            session.begin(),
        ):
            yield session


def in_parts(values: Iterable[T], most: int) -> Iterator[list[T]]:
    """``values`` in lists of ``most``, which the database takes at once."""
    given = iter(values)
    while part := list(islice(given, most)):
        yield part


def time_text(moment: datetime) -> str:
    """A time in UTC as the database keeps it, sortable as text:
    ``2026-01-02T03:04:05.678+00:00``."""
    return moment.isoformat(timespec="milliseconds")


def now_text() -> str:
    """The time now, as :func:`time_text`."""
    return time_text(datetime.now(UTC))


def check_time(where: str, text: str, most: int) -> None:
    """Raises InputError where a file gives no time in ISO 8601 and UTC, or one that is too long."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    utc = moment is not None and moment.utcoffset() == timedelta(0)
    if not utc or len(text) > most:
        raise InputError(f"{where}: {text[:60]!r} is not a time in ISO 8601 and UTC.")
