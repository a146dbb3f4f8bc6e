"""The app, served on a free port of this machine, and in a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest
from playwright.sync_api import Page, sync_playwright

from storage.errors import DATABASE_URL_VARIABLE

ROOT = Path(__file__).parents[1]
_SECONDS_TO_START = 120
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def environment(folder: Path) -> dict[str, str]:
    """Of a process of the app whose database is in ``folder``."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    url = f"sqlite:///{folder / 'app.db'}"
    ours = {DATABASE_URL_VARIABLE: url, "PYTHONPATH": path, "NO_PROXY": "127.0.0.1"}
    return {**os.environ, **ours}


@contextmanager
def served(
    folder: Path,
    options: Callable[[int], Sequence[str]] = lambda port: (),
    script: str = "app.py",
) -> Iterator[str]:
    """The address of the app, served on a free port of this machine; its database and its log are
    in ``folder``. ``options``: more of Streamlit's, by the port. ``script``: what Streamlit runs.
    RuntimeError, with the log, when it does not start."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true"]
    command += ["--server.address=127.0.0.1", f"--server.port={port}", *options(port)]
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as out:
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment(folder), stdout=out, stderr=out
        )
        try:
            base = f"http://127.0.0.1:{port}"
            _await_answer(server, f"{base}/_stcore/health", log)
            yield base
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


@contextmanager
def opened(profile: Path, width: int = 1400, height: int = 1100) -> Iterator[Page]:
    """A page of a new browser, which keeps its files in ``profile``; its window in pixels."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            headless=True,
            args=list(OPTIONS),
            viewport={"width": width, "height": height},
            accept_downloads=True,
        )
        page = browser.new_page()
        page.set_default_timeout(90_000)
        yield page
        browser.close()
