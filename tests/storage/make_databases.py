"""Writes the databases of every version that the tests upgrade: their rows, by the migrations.

``python -m tests.storage.make_databases`` writes those that are not there yet. A file that is
there stays: it is what that version's users have.
"""

from __future__ import annotations

import gzip
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from storage.copies import TEXT_INDEX, migration_scripts
from storage.engine import get_engine
from tests.storage.test_migrations import fill, migrate

FOLDER = Path(__file__).parent / "databases"


def write(revision: str, folder: Path) -> Path:
    """A database of that migration as SQL, gzipped."""
    file = folder / f"{revision}.db"
    url = f"sqlite:///{file}"
    fill(url)
    get_engine(url).dispose()
    migrate(url, revision, down=True)
    target = FOLDER / f"{revision}.sql.gz"
    with closing(sqlite3.connect(file)) as database:
        text = "\n".join(statements(database))
    target.write_bytes(gzip.compress(text.encode(), mtime=0))
    return target


def statements(database: sqlite3.Connection) -> Iterator[str]:
    """What makes the database anew. A virtual table is made by its own statement, not by the rows
    that it keeps itself in, and filled before the triggers that write to it are there."""
    for statement in database.iterdump():
        if TEXT_INDEX not in statement and "writable_schema" not in statement:
            yield statement
    made = "SELECT sql FROM sqlite_master WHERE type = ? AND sql LIKE ?"
    for (virtual,) in database.execute(made, ("table", f"%VIRTUAL TABLE {TEXT_INDEX}%")):
        yield f"{virtual};\nINSERT INTO {TEXT_INDEX} ({TEXT_INDEX}) VALUES ('rebuild');"
    for (trigger,) in database.execute(made, ("trigger", f"%{TEXT_INDEX}%")):
        yield f"{trigger};"


def main() -> None:
    """Write what is not there."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for script in migration_scripts().walk_revisions():
            if not (FOLDER / f"{script.revision}.sql.gz").exists():
                print(write(script.revision, Path(folder)))


if __name__ == "__main__":
    main()
