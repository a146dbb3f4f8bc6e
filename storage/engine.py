"""One engine a database URL, migrated on first use; SQLite set up for several writers."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.util import CommandError
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from storage.copies import (
    TEXT_INDEX,
    copy_before_upgrade,
    known_revisions,
    migration_scripts,
    newer_database,
)
from storage.errors import DATABASE_URL_VARIABLE, StorageError, hint_for, reason
from storage.migrations.earlier import EARLIER, convert_earlier

_LOG = logging.getLogger(__name__)
_ROOT = Path(__file__).parent.parent
# How long a writer waits for its turn in this process, and then for SQLite's lock. Twice this and
# the pauses of a worker (storage/worker/rows.py) stay below the silence after which it counts as
# dead.
_BUSY_TIMEOUT_MS = 20_000
_MERGED_AT_ONCE = 500
_LOOKS_AT_EMPTY, _BETWEEN_LOOKS = 20, 0.1  # seconds
# PostgreSQL advisory locks, held while migrating, while a reviewer is given an item and while a
# program's request is looked up; any constants of our own do. The triggers have one more.
_MIGRATION_LOCK = 730_411_902
REVIEW_LOCK = 730_411_903
REQUEST_LOCK = 730_411_904

# The engine is a connection pool, shared by design; sessions are not.
_engines: dict[str, Engine] = {}
_engines_lock = threading.Lock()
_turns: WeakKeyDictionary[Engine, threading.RLock] = WeakKeyDictionary()


def database_url() -> str:
    """Name the database: PROVENANCE_DATABASE_URL, else ``provenance.db`` in :func:`data_folder`."""
    given = os.environ.get(DATABASE_URL_VARIABLE, "").strip()
    return given or f"sqlite:///{data_folder() / 'provenance.db'}"


def data_folder() -> Path:
    """Name the folder of the data, which may not exist so far: ``data`` of a checkout, else the
    user's own data folder (on Linux ``~/.local/share/provenance``)."""
    if (_ROOT / "pyproject.toml").is_file():
        return _ROOT / "data"
    return user_data_path("provenance", appauthor=False)


def sqlite_file(url: str | URL) -> Path | None:
    """The file of an SQLite database, which may not exist; None of one in memory or another."""
    parsed = make_url(url)
    named = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(str(parsed.database)) if named else None


def get_engine(url: str) -> Engine:
    """Open a database once a process, and bring its tables up to date. All stores share the engine.
    Raises StorageError where the database cannot be opened."""
    with _engines_lock:
        if url not in _engines:
            _engines[url] = _open(url)
        return _engines[url]


def _open(url: str) -> Engine:
    try:
        sqlite = make_url(url).get_backend_name() == "sqlite"
        if file := sqlite_file(url):
            file.parent.mkdir(parents=True, exist_ok=True)
            _refuse_empty(file)
        engine = create_engine(url, pool_pre_ping=not sqlite)
        if sqlite:
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        if not _is_current(engine):
            _migrate(engine)
    except (SQLAlchemyError, CommandError, OSError, ImportError) as error:
        why = reason(error)
        raise StorageError(
            f"The database {_without_password(url)} cannot be opened: {why}. {hint_for(why)} Or "
            f"set {DATABASE_URL_VARIABLE} to a database that can be written, for example "
            "sqlite:////path/to/provenance.db."
        ) from error
    _LOG.info("event=database_opened backend=%s", engine.dialect.name)
    return engine


def _refuse_empty(file: Path) -> None:
    """Raise StorageError for a file of 0 bytes, or of the one byte that SQLite takes for none: it
    may be what is left of a database. Another process that is making the database has a moment for
    it."""
    for _ in range(_LOOKS_AT_EMPTY):
        if not file.is_file() or (size := file.stat().st_size) > 1:
            return
        time.sleep(_BETWEEN_LOOKS)
    raise StorageError(
        f"The database {file} is empty: the file has {size} bytes. If it held audits, restore a "
        "copy (python -m provenance_core restore COPY). Else delete the file to begin a new one."
    )


def _without_password(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return "named by the URL"


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # Our own BEGIN (below) instead of the driver's, so that migrations are transactional too.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    # What is deleted is overwritten in the file, not only marked as free.
    cursor.execute("PRAGMA secure_delete = ON")
    cursor.close()
    # SQLite's own lower() and LIKE know the case of ASCII letters alone.
    connection.create_function("casefold", 1, str.casefold, deterministic=True)


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that will write takes the lock at once: a later upgrade from a read lock
    # fails without waiting for busy_timeout.
    write = connection.get_execution_options().get("provenance_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


@contextmanager
def write_turn(engine: Engine) -> Iterator[None]:
    """Let one writer of this process at a time into an SQLite database while the block runs. SQLite
    lets writers try again and again, and of many at once one may never be let in: here they wait in
    line. After a while a writer waits no longer, and SQLite decides."""
    if engine.dialect.name != "sqlite":
        yield
        return
    with _engines_lock:
        turn = _turns.setdefault(engine, threading.RLock())
    mine = turn.acquire(timeout=_BUSY_TIMEOUT_MS / 1000)
    try:
        yield
    finally:
        if mine:
            turn.release()


def take_lock(connection: Connection, key: int) -> None:
    """Wait until no other transaction holds the lock ``key``, and hold it until this one ends.
    SQLite needs none: a transaction that writes is alone from its beginning."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def truncate_wal(engine: Engine) -> None:
    """Empty SQLite's write-ahead log into the database, so that it holds no deleted text. Where
    another connection still reads from it, a later checkpoint does so."""
    if engine.dialect.name != "sqlite":
        return
    with suppress(SQLAlchemyError), engine.connect() as connection:
        cursor = connection.connection.cursor()
        try:
            cursor.execute("PRAGMA busy_timeout = 0")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
            cursor.close()


def merge_text_index(engine: Engine) -> None:
    """Merge SQLite's index of the texts, so that nothing of a deleted text is left in it. It goes
    step by step, so that others write in between."""
    if engine.dialect.name != "sqlite":
        return
    step = f"INSERT INTO {TEXT_INDEX} ({TEXT_INDEX}, rank) VALUES ('merge', ?)"
    with closing(engine.raw_connection()) as connection:
        cursor, pages = connection.cursor(), -_MERGED_AT_ONCE  # below 0: a merge of all begins
        while True:
            before = cursor.execute("SELECT total_changes()").fetchone()[0]
            cursor.execute(step, (pages,))
            # A step that has nothing left to do counts as one change at most.
            if cursor.execute("SELECT total_changes()").fetchone()[0] - before < 2:
                return
            pages = _MERGED_AT_ONCE


def alembic_config(connection: Connection) -> Config:
    """Make Alembic's settings for an open connection; no ini file is needed."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def dispose_engine(url: str) -> None:
    """Close the connections to ``url``; the next use opens and migrates it anew."""
    with _engines_lock:
        engine = _engines.pop(url, None)
    if engine is not None:
        engine.dispose()


def _is_current(engine: Engine) -> bool:
    """Whether the database has this version's tables. An SQLite database that a migration will
    change is copied beside itself. StorageError for a database of a newer version, and for one that
    is damaged or cannot be copied; it is as it was then."""
    with engine.connect() as connection:
        revision = _revision(connection)
    if revision == migration_scripts().get_current_head():
        return True
    if revision is None:
        return False
    if revision not in known_revisions():
        raise StorageError(newer_database("The database", revision))
    if file := sqlite_file(engine.url):
        copy = copy_before_upgrade(file, revision)
        _LOG.warning("event=database_copied_before_upgrade file=%s", copy.name)
    return False


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _migrate(engine: Engine) -> None:
    with engine.execution_options(provenance_write=True).begin() as connection:
        take_lock(connection, _MIGRATION_LOCK)
        revision = _revision(connection)
        if revision in EARLIER:
            convert_earlier(connection, revision)
        command.upgrade(alembic_config(connection), "head")
