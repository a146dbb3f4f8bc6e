"""The reviewer's name, which the browser keeps in a cookie from one visit to the next."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import streamlit as st

from provenance_core.review.checks import MOST_NAME_CHARACTERS

_COOKIE = "provenance_reviewer"
_JS = """
// Enter leaves the box, also where the name is as before: the next key is a mark, not a letter.
const entered = (event) => {
  const box = event.target.closest?.(".st-key-reviewer input");
  if (box && event.key === "Enter" && !event.isComposing) box.blur();
};

export default function ({ data }) {
  if (!window.provenanceReviewer) {
    window.provenanceReviewer = true;
    document.addEventListener("keydown", entered);
  }
  const kept = data.cookie + "=" + encodeURIComponent(data.name);
  if (document.cookie.split("; ").includes(kept)) return;
  document.cookie = kept + "; path=/; max-age=31536000; SameSite=Strict";
  const box = document.activeElement;
  if (box && box.closest(".st-key-reviewer")) box.blur();
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
    """Have the browser keep ``name``, and leave the box where it was typed."""
    _component()(data={"cookie": _COOKIE, "name": name}, key="remember_reviewer", height=1)
