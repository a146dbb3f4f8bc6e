"""The app, served on a free port of this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from storage.errors import DATABASE_URL_VARIABLE

ROOT = Path(__file__).parents[1]
_SECONDS_TO_START = 120


@dataclass(frozen=True, slots=True)
class ServedApp:
    """``base``: its address. ``log``: what the server prints."""

    base: str
    log: Path


def app_environment(url: str) -> dict[str, str]:
    """Of a process of the app with the database ``url``."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    ours = {DATABASE_URL_VARIABLE: url, "PYTHONPATH": path, "NO_PROXY": "127.0.0.1"}
    return {**os.environ, **ours}


@contextmanager
def served_app(
    url: str,
    folder: Path,
    *,
    script: str = "app.py",
    options: Callable[[int], Sequence[str]] = lambda port: (),
    settings: Mapping[str, str] | None = None,
) -> Iterator[ServedApp]:
    """The app on 127.0.0.1 with the database ``url``; its log is in ``folder``. ``script``: what
    Streamlit runs. ``options``: more of Streamlit's, by the port. ``settings``: more of the
    environment. RuntimeError, with the log, when it does not start."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true"]
    command += ["--server.address=127.0.0.1", f"--server.port={port}", *options(port)]
    environment = {**app_environment(url), **(settings or {})}
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as out:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        try:
            base = f"http://127.0.0.1:{port}"
            _await_answer(server, f"{base}/_stcore/health", log)
            yield ServedApp(base, log)
        finally:
            server.terminate()
            try:
                server.wait(timeout=30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _await_answer(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    opener = build_opener(ProxyHandler({}))
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            opener.open(address, timeout=5).close()
        except OSError:
            time.sleep(0.25)
        else:
            return
    said = log.read_text(encoding="utf-8")[-2_000:]
    raise RuntimeError(f"The app did not start on {address}:\n{said}")
