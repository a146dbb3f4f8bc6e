"""What takes a second to import, imported once the first page is drawn."""

from __future__ import annotations

import gc
import importlib
import threading

import streamlit as st


@st.cache_resource(show_spinner=False)
def import_ahead() -> threading.Thread:
    """The thread that imports what figures are computed with, started once a process."""
    thread = threading.Thread(target=_import, name="import-ahead", daemon=True)
    thread.start()
    return thread


def _import() -> None:
    importlib.import_module("sklearn.metrics")
    # Modules stay: to look through all of them for garbage would cost pages that read many rows
    # a fifth of a second, again and again.
    gc.freeze()
