"""What became of the rows of a file, and those that could not be used."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard.batch.boxes import page_note
from dashboard.shared.problems import draw_notes
from dashboard.shared.text_table import text_table
from provenance_core.files.batch import rejects_jsonl
from provenance_core.files.batch.summary import FileSummary
from provenance_core.files.types import RejectedRow
from reports.tables import shortened

_SHOWN = 20


def draw_file_summary(summary: FileSummary, file_name: str) -> None:
    """What became of the rows of a file, line by line, and the warnings on the file as a whole."""
    st.text(page_note("\n".join(summary.sentences()), file_name))
    draw_notes("About this file:", [page_note(each, file_name) for each in summary.warnings])


def draw_rejected(rows: Sequence[RejectedRow], name: str) -> None:
    """A table of the first rejected rows with their reasons, and all of them as a file. ``name``:
    how the file's name begins."""
    shown = rows[:_SHOWN]
    cells = [(f"{row.line:,}", page_note(row.reason, ""), shortened(row.raw)) for row in shown]
    unit = rows[0].unit.capitalize() if rows else ""
    st.html(text_table((unit, "What is wrong and how to fix it", "Text"), cells, first_named=True))
    if len(rows) > len(shown):
        st.caption(f"The first {len(shown)} of {len(rows):,}; the file has all of them.")
    st.download_button(
        f"Download the rejected rows ({len(rows):,})",
        lambda: rejects_jsonl(rows),
        f"{name}.rejected.jsonl",
        "application/jsonl",
        icon=":material/download:",
    )
