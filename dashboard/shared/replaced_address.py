"""A change of the settings is no step of the browser's history: Back leads to the page before.

Streamlit adds an entry for each change of the address by the server. One that changes nothing but
settings takes the place of the entry before it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

_JS = """
export default function ({ data }) {
  const names = (window.provenanceReplaced ??= new Set());
  data.names.forEach((name) => names.add(name));
  if (names.wrapped) return;
  names.wrapped = true;
  const push = window.history.pushState.bind(window.history);
  const without = (address) => {
    const url = new URL(address, window.location.href);
    names.forEach((name) => url.searchParams.delete(name));
    url.searchParams.sort();
    return url.href;
  };
  window.history.pushState = (state, title, address) => {
    const same = address != null && without(address) === without(window.location.href);
    if (same) window.history.replaceState(state, title, address);
    else push(state, title, address);
  };
}
"""


def replace_in_address(*names: str) -> None:
    """Have a change of these query parameters alone replace the address. The same wherever it is
    drawn on a page."""
    _component()(data={"names": list(names)}, key="replaced_address", height=1)


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("replaced_address", js=_JS)
