"""The app in a real browser, for the tests that drive one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page

from benchmarks.chromium import CHROMIUM as CHROMIUM
from benchmarks.chromium import opened as opened
from benchmarks.served_app import ROOT as ROOT
from benchmarks.served_app import app_environment, served_app


def environment(folder: Path) -> dict[str, str]:
    """Of a process whose database is in ``folder``."""
    return app_environment(_database(folder))


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
    with served_app(_database(folder), folder, options=options, script=script) as app:
        yield app.base


def settings_kept(page: Page, audit: str = "", **parameters: object) -> None:
    """Wait until the browser has kept the sidebar's settings: those beside ``audit`` (its id in
    the address; none for a new one), with these ``parameters``. What leaves the page before that
    leaves them behind."""
    page.wait_for_function(
        """([audit, parameters]) => {
          const kept = JSON.parse(window.sessionStorage.getItem("provenance-settings"));
          return kept !== null && kept.audit === audit && Object.entries(parameters)
            .every(([name, value]) => kept.settings.parameters[name] === value);
        }""",
        arg=[audit, parameters],
        timeout=60_000,
    )


def _database(folder: Path) -> str:
    return f"sqlite:///{folder / 'app.db'}"
