"""The storage on a PostgreSQL server that these tests start and stop; skipped where none is."""

# ruff: noqa: F401, F811 - pytest finds imported tests and fixtures by their names

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from sqlalchemy import (
    MetaData,
    NullPool,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from storage import AuditFilter, AuditNotFound, AuditStore, PresetStore, StorageError
from storage import engine as database_engine
from storage.audits import insert_audits
from storage.copies import TEXT_INDEX
from storage.migrations.triggers import create_triggers
from storage.models import AuditRecord
from tests.statistics import test_comparison
from tests.storage import (
    test_answers,
    test_changed_mind,
    test_items,
    test_migrations,
    test_opinions,
    test_pair_scores,
    test_presets,
    test_reviews,
    test_runs,
    test_storage,
    test_stored_scores,
)
from tests.storage.test_query_plans import LISTS, SMALL, a_run
from tests.storage.test_storage import an_audit, store

# The same tests as on SQLite, on the database of ``url`` below.
SAME = (
    test_answers,
    test_changed_mind,
    test_comparison,
    test_items,
    test_opinions,
    test_pair_scores,
    test_presets,
    test_reviews,
    test_runs,
    test_storage,
    test_stored_scores,
)
OF_SQLITE = {
    # Damage that is done by SQLite's own functions, files and locks.
    "test_a_damaged_document_is_said_and_its_audit_can_be_deleted",
    "test_damaged_bytes_are_said_and_their_audit_can_be_deleted",
    "test_a_database_of_a_newer_version_is_said",
    "test_a_failed_save_leaves_nothing",
    "test_a_judgement_that_cannot_be_written_leaves_the_one_before_in_force",
    "test_a_locked_database_says_to_try_again",
    "test_a_preset_of_another_version_is_named_and_hides_no_other",
    "test_a_read_only_database_says_what_to_do_and_not_what_was_in_the_audit",
    "test_a_record_of_a_newer_version_is_a_message",
    "test_a_verdict_of_another_version_is_said",
    "test_deleting_an_audit_deletes_its_judgements_and_reservations",
    "test_sqlite_is_set_up_on_every_connection",
    "test_tables_that_are_gone_are_said",
    # Arithmetic on what was read, tried many times over.
    "test_real_scores_are_those_of_the_audits",
    "test_scores_are_those_of_recompute",
    # PostgreSQL compares lower case and keeps no NUL; tests of its own are below.
    "test_the_text_filter_ignores_the_case_of_every_alphabet",
}
for module in SAME:
    for name, value in vars(module).items():
        is_test = name.startswith("test_") and getattr(value, "__module__", "") == module.__name__
        is_fixture = type(value).__name__ == "FixtureFunctionDefinition"
        if is_test and name not in OF_SQLITE:
            # Two of the modules may have a test of one name.
            globals()[f"{name}_of_{module.__name__.rpartition('.test_')[2]}"] = value
        if is_fixture:
            assert globals().get(name, value) is value, f"two fixtures {name}"
            globals()[name] = value

SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
# PostgreSQL refuses to run as root.
OTHER_USER = "postgres"


def program(name: str) -> str | None:
    """The path of a program of the server, the newest of those that are there."""
    return shutil.which(name) or (str(SERVERS[-1] / name) if SERVERS else None)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def server():
    """The URL of an empty server, without a database's name."""
    initdb, server = program("initdb"), program("postgres")
    if not initdb or not server:
        pytest.skip("no PostgreSQL server here")
    pytest.importorskip("pg8000", reason="no driver for PostgreSQL")
    user = OTHER_USER if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if user:
            try:
                shutil.chown(folder, user)
            except LookupError:
                pytest.skip(f"PostgreSQL does not run as root, and there is no user {user}")
        data = f"{folder}/data"
        subprocess.run(
            [initdb, "-D", data, "-U", "provenance", "-A", "trust", "-E", "UTF8",
             "--locale=C.UTF-8", "--no-sync"],
            check=True, capture_output=True, user=user, cwd=folder,
        )  # fmt: skip
        port = free_port()
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(port),
            "unix_socket_directories": folder,
            "fsync": "off",
            "max_connections": "60",
        }
        options = [word for pair in settings.items() for word in ("-c", "=".join(pair))]
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(
                [server, "-D", data, *options], stdout=log, stderr=log, user=user, cwd=folder
            )
        try:
            yield wait_for(f"postgresql+pg8000://provenance@127.0.0.1:{port}", process)
        finally:
            # At once, with the processes of its sessions: nothing is kept.
            sessions = psutil.Process(process.pid).children()
            process.kill()
            for each in sessions:
                with suppress(psutil.NoSuchProcess):  # ended by itself meanwhile
                    each.kill()
            process.wait(timeout=30)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> str:
    """``url``, once the server there answers."""
    engine = create_engine(f"{url}/postgres", poolclass=NullPool)
    deadline = time.monotonic() + 60
    while True:
        try:
            with engine.connect():
                return url
        except (DBAPIError, OSError):
            assert process.poll() is None, "the server ended by itself"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.1)


def create_database(server: str, name: str, template: str) -> str:
    engine = create_engine(f"{server}/postgres", poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    return f"{server}/{name}"


def close(url: str) -> None:
    if opened := database_engine._engines.pop(url, None):
        opened.dispose()


@pytest.fixture(scope="module")
def migrated(server) -> str:
    """The server with a database ``migrated``, to be copied."""
    url = create_database(server, "migrated", "template0")
    database_engine.get_engine(url)
    close(url)
    return server


@pytest.fixture
def url(migrated):
    """The URL of a database of the test's own."""
    url = create_database(migrated, f"p{secrets.token_hex(8)}", "migrated")
    yield url
    close(url)


def test_the_text_filter_ignores_the_case(store):
    saved = store.save(an_audit(answer="Over the Øresund to МОСКВА."))
    store.save(an_audit(answer="Over the Oresund."))
    for wanted in ("øresund", "ØRESUND", "москва"):
        assert [row.id for row in store.page(AuditFilter(wanted)).rows] == [saved], wanted


def test_a_nul_character_is_named(store):
    with pytest.raises(StorageError, match="holds a NUL character"):
        store.save(an_audit(answer="before\0after"))
    assert store.count() == 0


def wait_until(waits: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not waits():
        assert time.monotonic() < deadline, "the second does not wait"
        time.sleep(0.02)


def test_who_ends_second_counts_the_answer_of_who_ends_first(url):
    """Two answers to one new source: neither writer sees the other's until that one has ended."""
    engine = database_engine.get_engine(url)
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    second = threading.Thread(target=lambda: AuditStore.open(url).save(test_answers.an_audit(0, 1)))
    with Session(engine) as first, engine.connect() as watching:
        insert_audits(first, [test_answers.an_audit(0, 0)])
        first.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
        second.start()
        wait_until(lambda: bool(watching.scalar(waiting)))
        first.commit()
    second.join()
    assert test_answers.kept(url) == test_answers.recounted(url)
    assert [several for *_, several in test_answers.kept(url)[1]] == [True]


def test_who_deletes_an_audit_second_is_told_that_it_is_gone(url):
    store, said = AuditStore.open(url), []
    number = store.save(an_audit())

    def delete_too() -> None:
        with pytest.raises(AuditNotFound) as refused:
            store.delete(number)
        said.append(str(refused.value))

    second = threading.Thread(target=delete_too)
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    engine = database_engine.get_engine(url)
    with Session(engine) as first, engine.connect() as watching:
        first.execute(delete(AuditRecord).where(AuditRecord.id == number))
        second.start()
        wait_until(lambda: bool(watching.scalar(waiting)))
        first.commit()
    second.join()
    assert said == [f"There is no audit {number}. It may have been deleted."]


def test_a_refusal_is_given_in_the_servers_words(url):
    AuditStore.open(url)
    with database_engine.get_engine(url).begin() as connection:
        connection.execute(text("DROP TABLE audits CASCADE"))
    with pytest.raises(StorageError, match=r'listed: relation "audits" does not exist[.] Check'):
        AuditStore.open(url).page(AuditFilter())


@pytest.fixture
def plans(url):
    """A line for each step of every query from now on, of a planner that reads a whole table only
    where no index serves: these tables are so small that it would read all of them."""
    a_run(url)
    engine, found = database_engine.get_engine(url), []

    def explain(connection, cursor, statement, values, *_):
        if statement.startswith(("SELECT", "WITH")):
            own = connection.connection.cursor()
            own.execute("SET LOCAL enable_seqscan = off")
            own.execute(f"EXPLAIN {statement}", values)
            found.extend(row[0] for row in own.fetchall())

    event.listen(engine, "before_cursor_execute", explain)
    yield found
    event.remove(engine, "before_cursor_execute", explain)


def whole_tables(plans: list[str]) -> set[str]:
    read = (re.search(r"Seq Scan on (\w+)", step) for step in plans)
    return {step[1] for step in read if step} - SMALL


@pytest.mark.parametrize("name", LISTS)
def test_every_list_can_go_through_an_index(url, plans, name):
    LISTS[name](url)
    assert not whole_tables(plans), "\n".join(plans)
    assert plans or name == "thresholds"


def test_a_query_without_an_index_is_seen(url, plans):
    with database_engine.get_engine(url).connect() as connection:
        connection.execute(text("SELECT aggregation FROM audits WHERE aggregation = 'max'"))
    assert whole_tables(plans) == {"audits"}


def test_the_orders_of_the_queue_have_their_indexes(url):
    AuditStore.open(url)
    with database_engine.get_engine(url).connect() as connection:
        made = connection.scalars(
            text("SELECT indexdef FROM pg_indexes WHERE tablename = 'audits'")
        ).all()
    for name in ("ix_audits_closest", "ix_audits_uncertain", "ix_audits_answers"):
        assert any(name in each for each in made), name


def copied_to_postgresql(name: str, folder: Path, server: str) -> str:
    """The database that an earlier version left, with its rows, on the server."""
    file = folder / f"{name}.db"
    test_migrations.put(name, file)
    old = create_engine(f"sqlite:///{file}")
    url = create_database(server, f"old{secrets.token_hex(8)}", "template0")
    new = create_engine(url, poolclass=NullPool)
    tables = MetaData()
    with old.connect() as read, new.begin() as write:
        own = inspect(read).get_table_names()
        tables.reflect(read, only=[each for each in own if not each.startswith(TEXT_INDEX)])
        for table in tables.tables.values():
            # Of SQLite's own options nothing is known there.
            table.dialect_options["sqlite"].clear()
            for column in table.columns:
                column.type = column.type.as_generic()
                for key in column.foreign_keys:
                    # Not read of SQLite where the column itself says so.
                    assert key.constraint is not None
                    key.constraint.ondelete = "CASCADE" if not column.nullable else "SET NULL"
        tables.create_all(write)
        for table in tables.sorted_tables:
            if rows := [dict(row) for row in read.execute(select(table)).mappings()]:
                write.execute(insert(table), rows)
            if "id" in table.columns:
                sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
                write.execute(text(f"SELECT setval({sequence}, {len(rows) + 1}, false)"))
        if "answers" in tables.tables:
            # As 0016 and 0017 had them there.
            write.execute(text("DELETE FROM answers"))
            create_triggers(write)
    old.dispose()
    return url


@pytest.mark.parametrize("name", ["0001", "0005", "0008", "0015", "0017", "0017-detectors"])
def test_earlier_databases_are_upgraded_there_too(migrated, tmp_path, name):
    url = copied_to_postgresql(name, tmp_path, migrated)
    store = AuditStore.open(url)
    expected = json.loads((test_migrations.FOLDER / "documents.json").read_text(encoding="utf-8"))
    assert test_migrations.document_digests(url) == expected[name]
    rows = store.page(AuditFilter()).rows
    assert len(rows) == len(expected[name])
    for row in rows:
        assert store.load(row.id).audit.score == pytest.approx(row.score, abs=1e-9)
    test_storage.test_migrations_make_exactly_the_models(url, store)
    again = store.save(store.load(1).audit)
    assert again > max(row.id for row in rows)
    assert len(test_migrations.answers_of(url, 1, again)) == 1
    assert test_answers.kept(url) == test_answers.recounted(url)
    assert [row.id for row in store.page(AuditFilter(rows[0].answer[:9])).rows]
    close(url)
