"""What the Compare page shows where nobody has chosen: the last two runs of one file."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.filter_state import choose_at_first
from storage import RunStore

_NEWEST = 50  # runs among which two of one file are looked for


def choose_two_runs() -> None:
    """Choose the newest finished run that another finished one of a file of the same name comes
    before, and that one, for a visit whose address says nothing. Called before the filter bar is
    drawn. StorageError when the runs cannot be read."""
    if st.query_params:
        return
    later: dict[str, str] = {}  # the newest run of each file
    for run in RunStore.open().page(limit=_NEWEST).runs:
        if run.progress.left:
            continue
        if run.file_name in later:
            names = [run.name, later[run.file_name]]
            choose_at_first({"runs": names}, {"runs": names})
            return
        later[run.file_name] = run.name
