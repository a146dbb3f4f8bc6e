"""What a filter bar shows goes along to other pages, and is there again on the way back.

Streamlit empties the URL when another page is opened, and with it every widget that is bound to
a query parameter.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

_KEPT, _PAGE, _ENTERED = "kept_filter", "kept_filter_page", "kept_filter_entered"


def note_page(page: str) -> None:
    """Called before a page is drawn: notes whether it was entered from another one."""
    state = st.session_state
    if state.get(_PAGE, page) != page:
        state[_ENTERED] = True
    state[_PAGE] = page


def bring_along(names: tuple[str, ...]) -> None:
    """Before the widgets with these keys are drawn: show what they showed last, when the page was
    entered from another one by a link that says nothing of them."""
    state = st.session_state
    if not state.pop(_ENTERED, False) or any(name in st.query_params for name in names):
        return
    kept: dict[str, Any] = state.get(_KEPT, {})
    found = {name: kept[name] for name in names if name in kept}
    if found:
        state.update(found)
        # On the way back by the browser's button, the (empty) URL rules over what was just set.
        st.rerun()


def keep(names: tuple[str, ...]) -> None:
    """After the widgets were drawn: remember what they show."""
    state = st.session_state
    state[_KEPT] = {
        **state.get(_KEPT, {}),
        **{name: state[name] for name in names if name in state},
    }
