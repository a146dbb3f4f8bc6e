"""Who reviews; the browser keeps the name from one visit to the next."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.access import visitor
from dashboard.shared.components import component
from dashboard.shared.remembered_name import COOKIE, remembered_name
from provenance_core.review.checks import MOST_NAME_CHARACTERS


def draw_reviewer() -> str:
    """Draw who reviews: the name of who is signed in, or a box, which the browser
    remembers."""
    if name := visitor().name:
        st.text(f"Reviewer: {name}")
        return name
    st.session_state.setdefault("reviewer", remembered_name())
    given: str = st.text_input(
        "Reviewer",
        key="reviewer",
        max_chars=MOST_NAME_CHARACTERS,
        placeholder="Your name",
        label_visibility="collapsed",
        persist_state="session",
    )
    name = given.strip()
    # Also the name that the browser had at first: another one may have come between.
    if name:
        component(__file__, "remember_reviewer")(
            data={"cookie": COOKIE, "name": name}, key="remember_reviewer", height=1
        )
    return name
