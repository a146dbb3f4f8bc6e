"""The storage on a PostgreSQL server that these tests start and stop; skipped where none is."""

# ruff: noqa: F401, F811 - pytest finds imported tests and fixtures by their names

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from storage import AuditFilter, AuditStore, PresetStore, StorageError
from storage import engine as database_engine

# The same tests as on SQLite, on the database of ``url`` below.
from tests.statistics.test_comparison import (
    test_candidates_are_grouped_by_source_and_counted_once,
    test_labels_that_contradict_each_other_are_none,
    test_migrating_keeps_audits_and_gives_older_ones_their_digests,
    test_runs_of_the_same_file_match_by_text,
)
from tests.storage.test_items import (
    items,
    test_a_run_lists_its_rows_and_no_run_lists_audits,
    test_another_seed_is_another_order_not_another_beginning,
    test_filters,
    test_orders,
    test_pages_and_each_agree,
    test_rows_of_one_line_come_in_the_order_of_the_file,
    test_values_to_filter_by_are_those_of_the_audited_rows_of_the_runs,
)
from tests.storage.test_presets import test_one_default_at_most
from tests.storage.test_reviews import (
    audits,
    reviews,
    test_a_judgement_comes_back_as_given_beside_what_the_machine_said,
    test_each_is_the_judgements_in_force_of_a_filter,
    test_every_version_stays_and_the_last_is_in_force,
    test_progress_counts_what_has_opinions_enough,
    test_several_reviewers_at_once_are_never_given_the_same_item,
)
from tests.storage.test_runs import (
    runs,
    test_a_cancelled_run_keeps_what_is_done_and_can_go_on,
    test_a_deleted_audit_leaves_its_row_and_a_deleted_run_its_audits,
    test_names_are_unique_and_a_refused_run_leaves_nothing,
    test_one_worker_at_a_time_until_it_falls_silent,
)
from tests.storage.test_storage import (
    an_audit,
    store,
    test_a_number_that_no_database_holds_is_an_unknown_audit,
    test_concurrent_writers_lose_nothing,
    test_migrations_make_exactly_the_models,
    test_round_trip_is_exact,
    test_the_text_filter_takes_its_characters_literally,
)

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
            process.send_signal(signal.SIGQUIT)  # at once: nothing is kept
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


@pytest.fixture
def presets(url) -> PresetStore:
    return PresetStore.open(url)


def test_the_text_filter_ignores_the_case(store):
    saved = store.save(an_audit(answer="Over the Øresund to МОСКВА."))
    store.save(an_audit(answer="Over the Oresund."))
    for wanted in ("øresund", "ØRESUND", "москва"):
        assert [row.id for row in store.page(AuditFilter(wanted)).rows] == [saved], wanted


def test_a_nul_character_is_named(store):
    with pytest.raises(StorageError, match="holds a NUL character"):
        store.save(an_audit(answer="before\0after"))
    assert store.count() == 0


def test_a_refusal_is_given_in_the_servers_words(url):
    AuditStore.open(url)
    with database_engine.get_engine(url).begin() as connection:
        connection.execute(text("DROP TABLE audits CASCADE"))
    with pytest.raises(StorageError, match=r'listed: relation "audits" does not exist[.] Check'):
        AuditStore.open(url).page(AuditFilter())
