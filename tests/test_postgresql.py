"""The storage on a PostgreSQL server that these tests start and stop; skipped where none is."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from storage import _engine
from storage.models import Base

pytest.importorskip("pg8000", reason="no driver for PostgreSQL")

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
    user = OTHER_USER if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if user:
            try:
                shutil.chown(folder, user)
            except LookupError:
                pytest.skip(f"PostgreSQL does not run as root, and there is no user {user}")
        data = f"{folder}/data"
        subprocess.run(
            [initdb, "-D", data, "-U", "provenance", "-A", "trust", "-E", "UTF8", "--locale=C",
             "--no-sync"],
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
            process.terminate()
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


@pytest.fixture
def url(server):
    """The URL of a database of the test's own."""
    name = f"p{secrets.token_hex(8)}"
    engine = create_engine(f"{server}/postgres", poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield f"{server}/{name}"
    if opened := _engine._engines.pop(f"{server}/{name}", None):
        opened.dispose()


def test_migrations_make_exactly_the_models(url):
    with _engine.get_engine(url).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
