"""Room for a chart whose labels need more width than a narrow window has: it scrolls sideways."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_STYLE = """<style>
.pv-sideways{display:none;margin:0;font-size:.85rem}
@media (max-width:640px){
 .pv-sideways{display:block}
 .st-key-%(key)s{overflow-x:auto}
 .st-key-%(key)s>*{min-width:46rem}
}
</style>"""
# Keys reach what scrolls by something in it that takes the focus.
_HINT = '<p class="pv-sideways" tabindex="0">Scroll sideways to see every column.</p>'


def chart_room(key: str) -> DeltaGenerator:
    """A container for one chart. ``key``: tells it from another on the page."""
    st.html(_STYLE % {"key": key})
    room = st.container(key=key)
    room.html(_HINT)
    return room


def is_dark() -> bool:
    """Whether the page is drawn in its dark theme."""
    return st.context.theme.type == "dark"
