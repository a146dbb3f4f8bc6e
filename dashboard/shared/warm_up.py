"""What the process does once its first page is drawn: imports that take a second, and the daily
look for audits that are too old."""

from __future__ import annotations

import gc
import importlib
import threading

import streamlit as st

from dashboard.shared.cache import forget_texts
from storage.retention import keep_to_retention


@st.cache_resource(show_spinner=False)
def import_ahead() -> threading.Thread:
    """The thread that imports what figures are computed with, started once a process."""
    thread = threading.Thread(target=_import, name="import-ahead", daemon=True)
    thread.start()
    return thread


@st.cache_resource(show_spinner=False)
def delete_by_age() -> threading.Thread | None:
    """The thread that deletes what is too old, started once a process."""
    return keep_to_retention(forget_texts)


def _import() -> None:
    importlib.import_module("sklearn.metrics")
    # Modules stay: to look through all of them for garbage would cost pages that read many rows
    # a fifth of a second, again and again.
    gc.freeze()
