"""Components of our own, each a script in a file beside the module that uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st


@st.cache_resource(show_spinner=False)
def component(module: str, name: str) -> Any:
    """The component ``name``, mounted once a process. Its script, style sheet and markup are
    ``name.js``, ``name.css`` and ``name.html`` in the folder of the file ``module``."""

    def part(kind: str) -> str | None:
        file = Path(module).with_name(f"{name}.{kind}")
        return file.read_text(encoding="utf-8") if file.is_file() else None

    return st.components.v2.component(name, html=part("html"), css=part("css"), js=part("js"))
