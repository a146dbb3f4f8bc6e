"""The reviewer's name as the browser keeps it in a cookie, which every page can read."""

from __future__ import annotations

from urllib.parse import unquote

import streamlit as st

from provenance_core.review.checks import MOST_NAME_CHARACTERS

COOKIE = "provenance_reviewer"


def remembered_name() -> str:
    """The name of the last visit; "" where there was none."""
    kept: object = st.context.cookies.to_dict().get(COOKIE)
    return unquote(kept)[:MOST_NAME_CHARACTERS] if isinstance(kept, str) else ""
