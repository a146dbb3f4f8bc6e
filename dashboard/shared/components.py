"""Components of our own, each a script in a file beside the module that uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st


@st.cache_resource(show_spinner=False)
def component(module: str, name: str) -> Any:
    """The component ``name``, mounted once a process.

    Its script, style sheet and markup are ``name.js``, ``name.css`` and ``name.html`` in the folder
    of the file ``module``.
    """
    files = {kind: Path(module).with_name(f"{name}.{kind}") for kind in ("js", "css", "html")}
    parts = {kind: f.read_text(encoding="utf-8") for kind, f in files.items() if f.is_file()}
    return st.components.v2.component(name, **parts)
