"""The boxes that say how a file is read, and the notes on a file that name them."""

from __future__ import annotations

from pathlib import PurePath

import streamlit as st

from provenance_core import DETECTORS
from provenance_core.files.batch.entries import WORKBOOK
from provenance_core.files.options_named import SHEET, with_boxes

_FIELDS = {
    "query": "Query",
    "context": "Context",
    "answer": "Answer",
    "label": "Label (1 = supported)",
    "id": "Id",
    "group": "Source document",
    "subset": "Subset",
    "task": "Task",
    "source_model": "Source model",
    "passed": "Verdict of the tool itself",
}


def box_title(option: str, file_name: str) -> str:
    """The title of the box of an option or of a field."""
    if option == SHEET:
        return "Sheet" if PurePath(file_name).suffix.lower() == WORKBOOK else "List"
    detector = DETECTORS.get(st.session_state.get("detector", ""))
    title = _FIELDS.get(option, option)
    if option == "context" and detector is not None:
        title = detector.traits.context
    return title[:1].upper() + title[1:]


def page_note(note: str, file_name: str) -> str:
    """A note on a file in the words of the page."""
    return with_boxes(note, lambda option: box_title(option, file_name))
