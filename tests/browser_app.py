"""The app in a real browser, for the tests that drive one."""

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
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def environment(folder: Path) -> dict[str, str]:
    """Of a process whose database is in ``folder``."""
    return {
        **os.environ,
        "PROVENANCE_DATABASE_URL": f"sqlite:///{folder / 'app.db'}",
        "NO_PROXY": "127.0.0.1",
    }


@contextmanager
def served(
    folder: Path,
    options: Callable[[int], Sequence[str]] = lambda port: (),
    script: str = "app.py",
) -> Iterator[str]:
    """The app, served on a free port of this machine with the database in ``folder``;
    ``options``: more of Streamlit's, by the port. ``script``: what Streamlit runs."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1", *options(port)]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment(folder), stdout=log, stderr=log
        )
        try:
            base = f"http://127.0.0.1:{port}"
            for _ in range(120):
                assert server.poll() is None, (folder / "log").read_text()
                try:
                    urlopen(f"{base}/_stcore/health", timeout=5)
                    break
                except OSError:
                    time.sleep(0.5)
            yield base
        finally:
            server.terminate()
            server.wait(timeout=30)


@contextmanager
def opened(profile: Path) -> Iterator[Page]:
    """A page of a new browser, which keeps its files in ``profile``."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            headless=True,
            args=OPTIONS,
            viewport={"width": 1400, "height": 1100},
            accept_downloads=True,
        )
        page = browser.new_page()
        page.set_default_timeout(90_000)
        yield page
        browser.close()
