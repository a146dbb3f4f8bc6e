"""The rows of a file that could not be used."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from provenance_core.files.batch import rejects_jsonl
from provenance_core.files.types import RejectedRow
from reports.tables import shortened

_SHOWN = 100


def draw_rejected(rows: Sequence[RejectedRow], name: str) -> None:
    """A table of the first rejected rows with their reasons, and all of them as a file.

    ``name``: how the file's name begins.
    """
    shown = rows[:_SHOWN]
    st.dataframe(
        pd.DataFrame(
            {
                "line": [row.line for row in shown],
                "reason": [row.reason for row in shown],
                "text": [shortened(row.raw) for row in shown],
            }
        ),
        hide_index=True,
        alt="Rejected rows",
        column_config={"reason": st.column_config.TextColumn(width=480)},
        key=f"rejected {name}",
    )
    if len(rows) > len(shown):
        st.caption(f"The first {len(shown)} of {len(rows):,}; the file has all of them.")
    st.download_button(
        f"Download the rejected rows ({len(rows):,})",
        lambda: rejects_jsonl(rows),
        f"{name}.rejected.jsonl",
        "application/jsonl",
        icon=":material/download:",
    )
