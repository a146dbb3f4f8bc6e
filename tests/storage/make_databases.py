"""Writes the database of this version that the tests of later ones upgrade, with its rows.

``python -m tests.storage.make_databases`` writes it where it is not there yet. A file that is there
stays: it is what that version's users have. Delete one that no release had, where its migration
still changes. Those of 0001 to 0017 were made by the versions themselves, ``0017-detectors`` with
an audit by each detector.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from storage.copies import TEXT_INDEX, migration_scripts
from storage.engine import get_engine
from tests.storage.test_migrations import document_digests, fill

FOLDER = Path(__file__).parent / "databases"


def write(folder: Path, target: Path) -> list[str]:
    """A database of this version as SQL, gzipped. The digests of its audits' documents."""
    file = folder / "made.db"
    url = f"sqlite:///{file}"
    fill(url)
    digests = document_digests(url)
    get_engine(url).dispose()
    with closing(sqlite3.connect(file)) as database:
        text = "\n".join(statements(database))
    target.write_bytes(gzip.compress(text.encode(), mtime=0))
    return digests


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
    head = migration_scripts().get_current_head()
    target, listed = FOLDER / f"{head}.sql.gz", FOLDER / "documents.json"
    if not target.exists():
        digests = json.loads(listed.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            digests[head] = write(Path(folder), target)
        listed.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
        print(target)


if __name__ == "__main__":
    main()
