"""Who reviews."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.access import visitor
from provenance_core.review.checks import MOST_NAME_CHARACTERS


def draw_reviewer() -> str:
    """Draw who reviews: the name of who is signed in, or a box that is kept for the session."""
    if name := visitor().name:
        st.text(f"Reviewer: {name}")
        return name
    given: str = st.text_input(
        "Reviewer",
        key="reviewer",
        max_chars=MOST_NAME_CHARACTERS,
        placeholder="Your name",
        label_visibility="collapsed",
        persist_state="session",
    )
    return given.strip()
