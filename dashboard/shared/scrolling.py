"""Scrolls the page to what is new: to its top, or to what appears half below the window."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_SCRIPT = '<span class="pv-to-top"></span><script>\ndocument.querySelector(%s\n</script>'
_TO_TOP = _SCRIPT % "'[data-testid=\"stMain\"]')?.scrollTo({ top: 0 });"
_INTO_VIEW = _SCRIPT % '".st-key-%s")?.scrollIntoView({ block: "nearest" });'


def scroll_to_top(place: DeltaGenerator) -> None:
    """Scroll the page up, after a button far below that shows something new. ``place``: an empty
    one that the page always draws, so that what follows is not drawn anew."""
    place.html(_TO_TOP, unsafe_allow_javascript=True)


def bring_into_view(key: str) -> None:
    """Scroll the page as far as it takes to see all of the container ``key``. Called last in it:
    what is drawn before then has its height."""
    st.html(_INTO_VIEW % key, unsafe_allow_javascript=True)
