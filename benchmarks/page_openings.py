"""How long the pages of the app take to open, over a database that is there.

Each is opened without a browser (``streamlit.testing.v1.AppTest``): what the server does, without
what the browser draws. No model is loaded: nothing is audited.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import streamlit as st
from sqlalchemy import event
from streamlit.logger import set_log_level
from streamlit.testing.v1 import AppTest

from dashboard.shared.warm_up import import_ahead
from storage import DATABASE_URL_VARIABLE
from storage.engine import get_engine

APP = Path(__file__).parents[1] / "app.py"
_TIMEOUT_SECONDS = 600


class PageFailed(Exception):
    """A page showed an error instead of what it is for."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page as it is opened: its file, its query parameters, and the name of who reviews."""

    name: str
    path: str
    query: tuple[tuple[str, str | list[str]], ...] = ()
    reviewer: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """Seconds that a page took to open: ``first`` with nothing cached, ``median`` of the times
    after it. ``statements`` and ``rows``: sent to and read from the database the first time."""

    name: str
    first: float
    median: float
    statements: int
    rows: int


class _Traffic:
    """Statements sent to a SQLite database and rows read from it."""

    def __init__(self, url: str) -> None:
        self.statements = self.rows = 0
        engine = get_engine(url)
        event.listen(engine, "connect", self._watch)
        engine.dispose()  # Older connections are not watched.

    def _watch(self, connection: Any, _record: Any) -> None:
        connection.row_factory = self._count_row
        connection.set_trace_callback(self._count_statement)

    def _count_row(self, _cursor: Any, row: tuple[Any, ...]) -> tuple[Any, ...]:
        self.rows += 1
        return row

    def _count_statement(self, _statement: str) -> None:
        self.statements += 1


def page_views(audit: int, runs: Sequence[str], word: str) -> tuple[PageView, ...]:
    """Every page, with what a visitor looks at there: ``audit``, ``runs``, ``word``."""
    every_run: tuple[tuple[str, str | list[str]], ...] = (("runs", list(runs)),)
    one_run: tuple[tuple[str, str | list[str]], ...] = (("runs", [runs[0]]),)
    candidates = ("tab", "Candidate answers")
    return (
        PageView("Audit", "audit"),
        PageView("Audit, a saved one", "audit", (("audit", str(audit)),)),
        PageView("History", "history"),
        PageView("History, a word", "history", (("text", word),)),
        PageView("Batch", "batch"),
        PageView("Batch, a run", "batch", (("run", "1"),)),
        PageView("Review", "review"),
        PageView("Review, the next answer", "review", reviewer="benchmark"),
        PageView("Review, agreement", "review", (("section", "Agreement"),)),
        PageView("Thresholds, all runs", "thresholds"),
        PageView("Thresholds, one run", "thresholds", one_run),
        PageView("Compare", "compare"),
        PageView("Compare, two runs", "compare", every_run),
        PageView("Compare, candidate answers", "compare", (candidates,)),
        PageView("Compare, candidate answers of one run", "compare", (candidates, *one_run)),
        PageView("Benchmarks", "benchmarks"),
    )


def openings(url: str, views: Sequence[PageView], times: int) -> list[Opening]:
    """Each of ``views``, opened once with nothing cached and then ``times`` times. PageFailed when
    one shows an exception or an error."""
    with patch.dict(os.environ, {DATABASE_URL_VARIABLE: url}):
        traffic = _Traffic(url)
        open_page(PageView("Audit", "audit"))
        import_ahead().join()  # What the app imports while its first page is drawn.
        set_log_level("error")  # Streamlit warns of every call outside a server.
        found = []
        for view in views:
            st.cache_data.clear()
            st.cache_resource.clear()
            traffic.statements = traffic.rows = 0
            first = open_page(view)
            statements, rows = traffic.statements, traffic.rows
            later = [open_page(view) for _ in range(times)]
            found.append(Opening(view.name, first, statistics.median(later), statements, rows))
        return found


def open_page(view: PageView) -> float:
    """Seconds until a new visitor sees the page."""
    app = AppTest.from_file(APP, default_timeout=_TIMEOUT_SECONDS)
    if view.reviewer:
        app.session_state.reviewer = view.reviewer
    for name, value in view.query:
        app.query_params[name] = value
    app.switch_page(f"pages/{view.path}.py")
    start = time.perf_counter()
    app.run()
    taken = time.perf_counter() - start
    failures = [element.value for element in (*app.exception, *app.error)]
    if failures:
        texts = [element.value for element in app.text]
        raise PageFailed("\n".join([f"{view.name} cannot be opened:", *failures, *texts]))
    return taken
