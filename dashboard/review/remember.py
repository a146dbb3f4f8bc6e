"""The reviewer's name, which the browser keeps in a cookie from one visit to the next."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import streamlit as st

from provenance_core.review.checks import MOST_NAME_CHARACTERS

_COOKIE = "provenance_reviewer"
_JS = """
export default function ({ data }) {
  document.cookie = data.cookie + "=" + encodeURIComponent(data.name) +
    "; path=/; max-age=31536000; SameSite=Strict";
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("remember_reviewer", js=_JS)


def remembered_name() -> str:
    """The name of the last visit; "" where there was none."""
    kept: object = st.context.cookies.to_dict().get(_COOKIE)
    return unquote(kept)[:MOST_NAME_CHARACTERS] if isinstance(kept, str) else ""


def remember(name: str) -> None:
    """Have the browser keep ``name``."""
    _component()(data={"cookie": _COOKIE, "name": name}, key="remember_reviewer", height=1)
