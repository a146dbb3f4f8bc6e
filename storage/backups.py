"""Copies of an SQLite database while it is used, their check, and the way back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url

from storage.copies import (
    DatabaseHealth,
    checked,
    copy_file,
    existing,
    file_errors,
    free_name,
    health_of,
    remove,
)
from storage.engine import (
    database_url,
    dispose_engine,
    get_engine,
    merge_text_index,
    sqlite_file,
)
from storage.errors import StorageError


def database_file(url: str | None = None) -> Path:
    """The file of an SQLite database, which may not exist. Raises StorageError where the database
    is not SQLite, or in memory."""
    address = url or database_url()
    if (file := sqlite_file(address)) is None:
        backend = make_url(address).get_backend_name()
        raise StorageError(
            f"backup, restore, check and compact are for SQLite files, not for {backend}. Use the "
            "tools of that database, such as pg_dump, pg_restore and VACUUM."
        )
    return file


def back_up(target: Path, url: str | None = None) -> DatabaseHealth:
    """Copy the database to a new file, also while it is used, and check the copy. Raises
    StorageError where there is no database, the file is there already, or the copy cannot be
    written or is damaged; nothing is left of it then."""
    source = existing(database_file(url))
    if target.exists():
        raise StorageError(f"{target} is there already: name a new file.")
    part = target.with_name(f"{target.name}.part")
    try:
        with file_errors(f"{source} was not copied to {target}"):
            copy_file(source, part)
            health = checked(part)
            part.replace(target)
    finally:
        remove(part)
    return health


def check(file: Path | None = None, url: str | None = None) -> DatabaseHealth:
    """Check a database, also while it is used, or a copy. Raises StorageError where the file is not
    there, is no database of Provenance, or cannot be read at all."""
    found = existing(file or database_file(url))
    with file_errors(f"{found} cannot be checked"):
        return health_of(found)


def compact(url: str | None = None) -> None:
    """Take out of the database's files what was deleted from it, and give the room back. The index
    of the texts lets go of what only deleted texts had, then the database writes itself anew.
    SQLite needs as much free room as the database has, and no other process that writes. Raises
    StorageError where the database is not SQLite, or is locked, or its disk is full; or others read
    it."""
    file = existing(database_file(url))
    engine = get_engine(url or database_url())
    with (
        file_errors("The database was not compacted"),
        closing(engine.raw_connection()) as connection,
    ):
        merge_text_index(engine)
        cursor = connection.cursor()
        cursor.execute("VACUUM")
        # Until then the log beside the file has older pages.
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        checkpoint = cursor.fetchone()
    if checkpoint and checkpoint[0]:  # whether others kept it from being emptied
        raise StorageError(
            f"{file} was compacted, but others read its log, which still has what was deleted. "
            "Stop the app and its workers, and compact again."
        )


def restore(copy: Path, url: str | None = None) -> Path | None:
    """Put a copy in the place of the database, also while it is used. Returns a copy of what was
    there before, next to the database; None where there was nothing. Raises StorageError, and
    changes nothing, where the copy is damaged or newer than this version, or the database is locked
    or cannot be written."""
    target = database_file(url)
    with file_errors(f"{copy} was not restored"):
        checked(existing(copy))
    before = None
    if target.exists():
        before = free_name(target, "before-restore")
        with file_errors(f"{copy} was not restored: {target} cannot be copied first"):
            copy_file(target, before)
    with file_errors(f"{copy} was not restored"):
        target.parent.mkdir(parents=True, exist_ok=True)
        copy_file(copy, target, alone=False)
    # A copy of an earlier version is brought up to date.
    address = url or database_url()
    dispose_engine(address)
    get_engine(address)
    return before
