"""Components and scripts of our own, each in a file beside the module that uses it."""

from __future__ import annotations

from functools import cache
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


def script(module: str, name: str, **values: object) -> str:
    """The script ``name.js`` in the folder of the file ``module``, as an element of HTML; each
    ``{name}`` in it stands for one of ``values``. Other values make the browser run it again."""
    found = _read(Path(module).with_name(f"{name}.js"))
    for key, value in values.items():
        found = found.replace(f"{{{key}}}", str(value))
    return f"<script>\n{found}</script>"


@cache
def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
