"""Writes the databases of every version that the tests upgrade: their rows, by the migrations.

``python -m tests.storage.make_databases`` writes those that are not there yet. A file that is
there stays: it is what that version's users have.
"""

from __future__ import annotations

import gzip
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from storage.copies import migration_scripts
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
        text = "\n".join(database.iterdump())
    target.write_bytes(gzip.compress(text.encode(), mtime=0))
    return target


def main() -> None:
    """Write what is not there."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for script in migration_scripts().walk_revisions():
            if not (FOLDER / f"{script.revision}.sql.gz").exists():
                print(write(script.revision, Path(folder)))


if __name__ == "__main__":
    main()
