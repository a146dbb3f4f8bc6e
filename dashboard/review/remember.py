"""The reviewer's name, which the browser keeps in a cookie from one visit to the next."""

from __future__ import annotations

from urllib.parse import unquote

import streamlit as st

from dashboard.shared.components import component
from provenance_core.review.checks import MOST_NAME_CHARACTERS

_COOKIE = "provenance_reviewer"


def remembered_name() -> str:
    """The name of the last visit; "" where there was none."""
    kept: object = st.context.cookies.to_dict().get(_COOKIE)
    return unquote(kept)[:MOST_NAME_CHARACTERS] if isinstance(kept, str) else ""


def remember(name: str) -> None:
    """Have the browser keep ``name``, and leave the box where it was typed."""
    component(__file__, "remember_reviewer")(
        data={"cookie": _COOKIE, "name": name}, key="remember_reviewer", height=1
    )
