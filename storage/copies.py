"""Copies and checks of SQLite files, below everything that opens a database."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from alembic.script import ScriptDirectory

from storage.errors import StorageError, hint_for, reason
from storage.migrations.earlier import EARLIER

_PAGES_AT_ONCE = 1_000
_WAIT_SECONDS = 30.0
# The index of the texts, and how the names of the tables begin that SQLite keeps it in.
TEXT_INDEX = "text_index"


@dataclass(frozen=True, slots=True)
class DatabaseHealth:
    """What a check of a database found. ``revision``: its migration. ``problems``: what SQLite
    found damaged, in its own words, and rows that refer to none. ``rows``: of each table."""

    revision: str
    problems: tuple[str, ...]
    rows: tuple[tuple[str, int], ...]


def copy_before_upgrade(source: Path, revision: str) -> Path:
    """Copy a database that is about to be migrated, next to it. Raises StorageError where the copy
    cannot be made, or the database is damaged."""
    target = free_name(source, f"before-upgrade-from-{revision}")
    with file_errors(f"{source} was not upgraded, because it cannot be copied first"):
        copy_file(source, target)
        try:
            checked(target)
        except StorageError:
            remove(target)
            raise
    return target


def free_name(file: Path, word: str) -> Path:
    """A new name next to a file, which says what the copy is and when it was made."""
    made = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    return file.with_name(f"{file.stem}.{word}.{made}{file.suffix or '.db'}")


def existing(file: Path) -> Path:
    """The same file. Raises StorageError where it is not there."""
    if not file.is_file():
        raise StorageError(f"{file} is not there: name the file of a database.")
    return file


def copy_file(source: Path, target: Path, *, alone: bool = True) -> None:
    """Copy a database as it stands while others use it."""
    with (
        closing(sqlite3.connect(source, timeout=_WAIT_SECONDS)) as old,
        closing(sqlite3.connect(target, timeout=_WAIT_SECONDS)) as new,
    ):
        old.backup(new, pages=_PAGES_AT_ONCE, sleep=0.01)
        if alone:
            new.execute("PRAGMA journal_mode = DELETE")
    with target.open("rb+") as written:
        os.fsync(written.fileno())


def checked(file: Path) -> DatabaseHealth:
    """Check a database that has to be whole. Raises StorageError where it is damaged, newer than
    this version, or no database of Provenance."""
    health = health_of(file)
    if health.problems:
        raise StorageError(
            f"{file} is damaged: {'; '.join(health.problems[:3])}. Take an earlier copy."
        )
    if health.revision not in known_revisions():
        raise StorageError(newer_database(file, health.revision))
    return health


@cache
def migration_scripts() -> ScriptDirectory:
    """The migrations of this version, read once."""
    return ScriptDirectory(str(Path(__file__).parent / "migrations"))


def known_revisions() -> frozenset[str]:
    """The migrations that a database may have which this version opens."""
    own = (str(script.revision) for script in migration_scripts().walk_revisions())
    return EARLIER.union(own)


def newer_database(name: object, revision: str) -> str:
    """Say that a later version wrote a database."""
    return (
        f"{name} was written by a newer version of Provenance (its migration is {revision}). "
        "Install that version, or name another database."
    )


def health_of(file: Path) -> DatabaseHealth:
    """Check whether a database is whole. Raises StorageError where it is no database of
    Provenance."""
    with closing(sqlite3.connect(file.absolute().as_uri() + "?mode=ro", uri=True)) as read:
        read.execute(f"PRAGMA busy_timeout = {int(_WAIT_SECONDS * 1000)}")
        found = [str(row[0]) for row in read.execute("PRAGMA integrity_check")]
        problems = [] if found == ["ok"] else found
        problems += [
            f"row {row[1]} of {row[0]} refers to a row of {row[2]} that is not there"
            for row in read.execute("PRAGMA foreign_key_check")
        ]
        tables = [
            str(row[0])
            for row in read.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not str(row[0]).startswith(("sqlite_", TEXT_INDEX))
        ]
        if "alembic_version" not in tables:
            raise StorageError(f"{file} is no database of Provenance: it has no migration.")
        (revision,) = read.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
        rows = tuple(
            (name, int(read.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]))
            for name in sorted(tables)
            if name != "alembic_version"
        )
    return DatabaseHealth(str(revision), tuple(problems), rows)


def remove(file: Path) -> None:
    """Delete a database with its journals."""
    for name in (file.name, f"{file.name}-journal", f"{file.name}-wal", f"{file.name}-shm"):
        file.with_name(name).unlink(missing_ok=True)


@contextmanager
def file_errors(what: str) -> Iterator[None]:
    """Raise StorageError, with a hint, for an error of SQLite or of a file inside the block."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        why = reason(error)
        raise StorageError(f"{what}: {why}. {hint_for(why)}") from error
