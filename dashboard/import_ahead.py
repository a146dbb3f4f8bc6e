"""What takes a second to import, imported while the first page is drawn."""

from __future__ import annotations

import importlib
import threading

import streamlit as st


@st.cache_resource(show_spinner=False)
def import_ahead() -> threading.Thread:
    """The thread that imports what figures are computed with, started once a process."""
    thread = threading.Thread(
        target=importlib.import_module, args=("sklearn.metrics",), name="import-ahead", daemon=True
    )
    thread.start()
    return thread
