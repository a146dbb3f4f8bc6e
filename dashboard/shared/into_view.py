"""What appears half below the window, in view."""

from __future__ import annotations

import streamlit as st

_INTO_VIEW = """<span class="pv-to-top"></span><script>
document.querySelector(".st-key-{key}")?.scrollIntoView({{ block: "nearest" }});
</script>"""


def bring_into_view(key: str) -> None:
    """Scroll the page as far as it takes to see all of the container ``key``. Called last in it:
    what is drawn before then has its height."""
    st.html(_INTO_VIEW.format(key=key), unsafe_allow_javascript=True)
