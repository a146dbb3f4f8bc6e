"""The clients of the documents run as they are written, against a server of this process."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from provenance_core.cli.main import main
from storage import AuditStore, RunStore

ROOT = Path(__file__).parents[2]
CLIENTS = re.findall(
    r"<!-- rest-client -->\n```(\w+)\n(.*?)```",
    (ROOT / "docs/how-to/rest.md").read_text(encoding="utf-8"),
    re.DOTALL,
)


@pytest.fixture
def port(client) -> Iterator[int]:
    """Where the interface is served over HTTP."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(client.app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


def test_the_documents_have_clients_of_both_kinds():
    assert [language for language, _ in CLIENTS] == ["bash", "python", "python"]


@pytest.mark.parametrize(("language", "code"), CLIENTS)
def test_a_client_runs_as_written(language, code, port, url, capfd):
    here = code.replace("127.0.0.1:8600", f"127.0.0.1:{port}")
    assert here != code
    if language == "bash":
        if shutil.which("curl") is None:
            pytest.skip("no curl on this machine")
        subprocess.run(["bash", "-euc", here], check=True, timeout=60)
    else:
        exec(compile(here, "rest.md", "exec"), {})
    said = capfd.readouterr().out
    assert "1923" in said
    if "/runs" in code:
        assert RunStore.open(url).named("years").progress.done == 2
        assert "('It was opened in 1932.', 'supported')" in said
    else:
        assert "contradicted" in said
        assert AuditStore.open(url).count() == 1


def test_serve_refuses_an_open_address_and_a_taken_port(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PROVENANCE_OPEN_TO_NETWORK", raising=False)
    assert main(["serve", "--host", "0.0.0.0"]) == 2
    assert "--host 127.0.0.1" in capsys.readouterr().err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert "Choose another by --port." in capsys.readouterr().err


@pytest.mark.parametrize("command", ["app", "serve"])
@pytest.mark.parametrize("host", ["\x1b[31m", "no such name", "\u202e", ""])
def test_a_host_that_is_none_is_refused(command, host, capsys):
    assert main([command, "--host", host]) == 2
    said = capsys.readouterr().err
    assert "--host" in said and "\x1b" not in said


def test_a_limit_that_is_no_number_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROVENANCE_API_ROWS", "many")
    assert main(["serve", "--port", "0"]) == 2
    assert "PROVENANCE_API_ROWS is 'many'" in capsys.readouterr().err
