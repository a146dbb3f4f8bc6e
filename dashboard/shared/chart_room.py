"""Room for a chart whose labels need more width than a narrow window has: it scrolls sideways."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_STYLE = """<style>
@media (max-width:640px){
 .st-key-%(key)s{overflow-x:auto}
 .st-key-%(key)s>*{min-width:46rem}
}
</style>"""


def chart_room(key: str) -> DeltaGenerator:
    """A container for one chart. ``key``: tells it from another on the page."""
    st.html(_STYLE % {"key": key})
    return st.container(key=key)
