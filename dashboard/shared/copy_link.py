"""A button that copies a link to what the page shows."""

from __future__ import annotations

from typing import Any

import streamlit as st

_HTML = '<button type="button"><span>Copy link</span></button>'
_CSS = """
button{font:inherit;font-size:.875rem;color:var(--st-text-color);background:var(--st-secondary-background-color);
 border:1px solid var(--st-border-color);border-radius:var(--st-button-radius,.5rem);
 padding:.25rem .75rem;min-height:2.5rem;cursor:pointer;white-space:nowrap}
button:hover{border-color:var(--st-primary-color)}
button:focus-visible{outline:3px solid var(--st-primary-color);outline-offset:2px}
"""
# Where the page is served without TLS the browser has no clipboard: then the link is selected in
# a box to be copied by hand.
_JS = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const label = parentElement.querySelector("span");
  label.textContent = data.label;
  button.onclick = async () => {
    const link = new URL(window.location.href);
    link.search = data.query;
    try {
      await navigator.clipboard.writeText(link.href);
      label.textContent = "Link copied";
      window.setTimeout(() => { label.textContent = data.label; }, 2500);
    } catch {
      window.prompt("Copy this link:", link.href);
    }
  };
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("copy_link", html=_HTML, css=_CSS, js=_JS)


def draw_copy_link(query: str, key: str, label: str = "Copy link") -> None:
    """A button that copies the address of this page with ``query``, as ``audit=3``, in place of
    what stands behind its question mark."""
    _component()(data={"query": query, "label": label}, key=key, width="content", height="content")
