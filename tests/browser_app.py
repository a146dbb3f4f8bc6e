"""The app in a real browser, for the tests that drive one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

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


def _database(folder: Path) -> str:
    return f"sqlite:///{folder / 'app.db'}"
