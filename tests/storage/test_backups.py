"""Copies while the database is used, upgrades of every version, and what cannot be opened."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from provenance_core import Parameters, assemble
from storage import AuditStore, StorageError
from storage.backups import back_up, check, restore
from storage.copies import health_of, migration_scripts
from storage.engine import dispose_engine, get_engine
from tests.commands import run_command
from tests.conftest import hand_evidence
from tests.storage.make_databases import FOLDER

AUDIT = assemble(hand_evidence([1.0, 0.0], [[0.9, 0.1], [0.2, 0.3]]), Parameters())
HEAD = migration_scripts().get_current_head()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "p.db"


@pytest.fixture
def url(file: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    address = f"sqlite:///{file}"
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", address)
    return address


def counts(file: Path) -> dict[str, int]:
    return dict(health_of(file).rows)


def test_backup_while_another_thread_writes(url: str, tmp_path: Path) -> None:
    store = AuditStore.open(url)
    store.save(AUDIT)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            store.save(AUDIT)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [tmp_path / f"copy-{number}.db" for number in range(3)]
        healths = [back_up(copy) for copy in copies]
    finally:
        stop.set()
        writer.join()
    sizes = [dict(health.rows)["audits"] for health in healths]
    assert sizes == sorted(sizes)
    assert sizes[0] >= 1
    for copy in copies:
        assert not check(copy).problems
        assert counts(copy)["context_items"] == 2 * counts(copy)["audits"]


def test_restore_under_an_open_store(url: str, file: Path, tmp_path: Path) -> None:
    store = AuditStore.open(url)
    first = store.save(AUDIT)
    back_up(tmp_path / "copy.db")
    second = store.save(AUDIT)
    before = restore(tmp_path / "copy.db")
    assert before is not None
    assert counts(before)["audits"] == 2
    assert AuditStore.open(url).load(first).audit == AUDIT
    # The store that was open before sees it too.
    with pytest.raises(StorageError):
        store.load(second)
    store.save(AUDIT)
    assert counts(file)["audits"] == 2


def test_what_is_refused_leaves_everything_as_it_was(url: str, file: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is not there"):
        back_up(tmp_path / "copy.db")
    AuditStore.open(url).save(AUDIT)
    back_up(tmp_path / "copy.db")
    with pytest.raises(StorageError, match="is there already"):
        back_up(tmp_path / "copy.db")
    damaged = tmp_path / "damaged.db"
    data = bytearray((tmp_path / "copy.db").read_bytes())
    data[8192:60_000] = os.urandom(60_000 - 8192)
    damaged.write_bytes(data)
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as made:
        made.execute("CREATE TABLE t (a)")
    wrong = tmp_path / "text.db"
    wrong.write_text("no database" * 1000, encoding="utf-8")
    newer = tmp_path / "newer.db"
    shutil.copy(tmp_path / "copy.db", newer)
    with closing(sqlite3.connect(newer)) as made:
        made.execute("UPDATE alembic_version SET version_num = '9999'")
        made.commit()
    for copy, said in (
        (damaged, "damaged|malformed"),
        (other, "no database of Provenance"),
        (wrong, "not a database"),
        (newer, "newer version"),
    ):
        with pytest.raises(StorageError, match=said):
            restore(copy)
    assert counts(file)["audits"] == 1
    assert {path.name for path in tmp_path.glob("p.*.db")} == set()


def test_the_commands(url: str, tmp_path: Path) -> None:
    AuditStore.open(url).save(AUDIT)
    copy = str(tmp_path / "copy.db")
    for arguments, status, said in (
        (["backup", copy], 0, "copied and checked, answers 1, audits 1"),
        (["backup", copy], 1, "is there already"),
        (["check"], 0, f"migration {HEAD}, answers 1, audits 1"),
        (["check", copy], 0, "whole"),
        (["restore", copy], 0, "the database as it was before"),
        (["restore", f"{copy}.absent"], 1, "is not there"),
    ):
        done = run_command(*arguments)
        assert (done.returncode, said in done.stdout + done.stderr) == (status, True), done


# SQLite takes a file of one byte for an empty one.
@pytest.mark.parametrize("left", [b"", b"x"])
def test_an_empty_file_is_not_taken_for_a_new_database(
    url: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: bytes
) -> None:
    monkeypatch.setattr("storage.engine._BETWEEN_LOOKS", 0.0)
    AuditStore.open(url).save(AUDIT)
    back_up(tmp_path / "copy.db")
    dispose_engine(url)
    file.write_bytes(left)
    said = rf"p\.db is empty: the file has {len(left)} bytes.*restore"
    with pytest.raises(StorageError, match=said):
        AuditStore.open(url)
    assert file.read_bytes() == left
    restore(tmp_path / "copy.db")
    assert AuditStore.open(url).count() == 1
    dispose_engine(url)
    file.unlink()
    for log in file.parent.glob("p.db-*"):
        log.unlink()
    assert AuditStore.open(url).count() == 0


def test_a_newer_database_is_refused_and_stays_as_it_is(url: str, file: Path) -> None:
    AuditStore.open(url).save(AUDIT)
    dispose_engine(url)
    with closing(sqlite3.connect(file)) as made:
        made.execute("UPDATE alembic_version SET version_num = '9999'")
        made.commit()
    with pytest.raises(StorageError, match=r"newer version of Provenance .*9999.*Install that"):
        AuditStore.open(url)
    assert counts(file)["audits"] == 1


def test_a_damaged_database_is_refused_before_its_upgrade(url: str, file: Path) -> None:
    script = gzip.decompress((FOLDER / "0001.sql.gz").read_bytes()).decode()
    with closing(sqlite3.connect(file)) as made:
        made.executescript(script)
        made.execute("VACUUM")
    data = bytearray(file.read_bytes())
    data[-8192:] = os.urandom(8192)
    file.write_bytes(data)
    with pytest.raises(StorageError, match=r"damaged|malformed"):
        AuditStore.open(url)
    # All but the header, which says how the journal is kept.
    assert file.read_bytes()[100:] == bytes(data[100:])
    file.write_bytes(b"not a database at all" * 500)
    with pytest.raises(StorageError, match=r"not a database.*restore"):
        AuditStore.open(url)


def test_a_locked_database_says_who_holds_it(
    url: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.engine._BUSY_TIMEOUT_MS", 50)
    store = AuditStore.open(url)
    hold = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "c.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(StorageError, match=rf"locked.*process {holder.pid}\)"):
            store.save(AUDIT)
        holder.stdin.close()
    assert store.save(AUDIT) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(url: str, file: Path) -> None:
    AuditStore.open(url).save(AUDIT)
    dispose_engine(url)
    file.chmod(0o400)
    file.parent.chmod(0o500)
    try:
        with pytest.raises(StorageError, match=r"readonly|unable to open"):
            AuditStore.open(url).save(AUDIT)
    finally:
        file.parent.chmod(0o700)
        file.chmod(0o600)


def test_a_full_disk_is_said_and_loses_nothing(url: str, file: Path) -> None:
    store = AuditStore.open(url)
    kept = store.save(AUDIT)
    with get_engine(url).connect() as connection:
        # SQLite answers as it does when the disk is full once the file may not grow.
        pages = connection.scalar(text("PRAGMA page_count"))
        connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    saved = 1
    with pytest.raises(StorageError, match=r"disk is full.*Free space"):
        for _ in range(500):
            store.save(AUDIT)
            saved += 1
    assert store.load(kept).audit == AUDIT
    assert counts(file)["audits"] == saved
    assert not check().problems
