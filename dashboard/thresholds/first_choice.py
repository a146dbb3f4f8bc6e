"""What the Thresholds page shows where nobody has chosen: one run and its detector."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.filter_state import choose_at_first
from provenance_core.explain.names import detector_title
from storage import RunStore


def choose_one_run() -> None:
    """Choose the newest run that has labels, and its detector, for a visit whose address says
    nothing: one threshold means something for one detector, and a row of two runs counts twice.
    Called before the filter bar is drawn. StorageError when the runs cannot be read."""
    if st.query_params:
        return
    run = RunStore.open().newest_labelled()
    if run is not None:
        detector = run.parameters.detector
        choose_at_first(
            {"runs": [run.name], "detector_is": detector},
            {"runs": [run.name], "detector_is": detector_title(detector)},
        )
