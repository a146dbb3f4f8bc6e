"""The libraries of others, without their telemetry and without a network."""

from __future__ import annotations

import os
import socket

import pytest

from provenance_core.audit.shared_models import shared_models

# Read when the libraries are imported.
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "1"
os.environ["DEEPEVAL_DISABLE_DOTENV"] = "1"
os.environ["RAGAS_DO_NOT_TRACK"] = "true"
os.environ["LANGSMITH_TRACING"] = "false"

FACT = "The Sydney Harbour Bridge was opened on 19 March 1932."
OTHER = "Ferries cross the harbour."
QUESTION = "When was the bridge opened?"
RIGHT, WRONG = "It was opened in 1932.", "It was opened in 1923."


@pytest.fixture(autouse=True)
def models_loaded(loaded_once) -> None:
    """The integrations use the models that are loaded already."""
    shared_models.cache_clear()


@pytest.fixture(autouse=True)
def no_network(monkeypatch, tmp_path) -> list[object]:
    """Addresses outside this machine that were asked for; each is refused."""
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    asked: list[object] = []
    connect = socket.socket.connect

    def refuse(one: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if isinstance(address, tuple) and host not in ("127.0.0.1", "::1"):
            asked.append(address)
            raise OSError(f"no network in tests: {address}")
        connect(one, address)

    def unknown(host: object, *rest: object, **more: object) -> None:
        asked.append(host)
        raise socket.gaierror(f"no network in tests: {host}")

    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: (
            resolve(host, *rest, **more)
            if host in ("127.0.0.1", "localhost", None)
            else unknown(host)
        ),
    )
    monkeypatch.chdir(tmp_path)
    return asked
