"""Who reviews."""

from __future__ import annotations

import streamlit as st

from provenance_core.review.checks import MOST_NAME_CHARACTERS


def signed_in_name() -> str:
    """The e-mail address, or else the name, of who is signed in; '' where nobody is."""
    user = st.user.to_dict()
    if not user.get("is_logged_in"):
        return ""
    return str(user.get("email") or user.get("name") or user.get("sub") or "")


def draw_reviewer() -> str:
    """Draw who reviews: the name of who is signed in, or a box that is kept for the session."""
    if name := signed_in_name():
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
