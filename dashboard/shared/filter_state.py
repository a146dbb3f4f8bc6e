"""What a person sets in a filter bar goes along to other pages, and is there again on the way back.
What a page set by its link or for its own start stays on that page.

Streamlit empties the URL when another page is opened, and with it every widget that is bound to
a query parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

_KEPT, _PAGE, _ENTERED = "kept_filter", "kept_filter_page", "kept_filter_entered"
# What a page chose itself, by its name; the page for which it did so last.
_OWN, _CHOSEN_FOR, _LINKED = "own_filter", "own_filter_page", "linked_filter"


def note_page(page: str) -> bool:
    """Called before a page is drawn: notes whether it was entered from another one, and returns
    it."""
    state = st.session_state
    entered: bool = state.get(_PAGE, page) != page
    if entered:
        state[_ENTERED] = True
        state.pop(_CHOSEN_FOR, None)
        for name in state.pop(_OWN, {}):
            state.pop(name, None)
    state[_PAGE] = page
    return entered


def choose_at_first(values: Mapping[str, Any], words: Mapping[str, Any]) -> None:
    """Before the widgets are drawn: have them show ``values`` once a visit of the page, where
    nothing was chosen on another page. The address names them by ``words``, those of the boxes.
    What nobody changes does not go along to other pages."""
    state = st.session_state
    page = state.get(_PAGE, "")
    kept: dict[str, Any] = state.get(_KEPT, {})
    if state.get(_CHOSEN_FOR) == page or any(kept.get(name) for name in values):
        return
    state[_CHOSEN_FOR], state[_OWN] = page, dict(values)
    state.update({name: value for name, value in kept.items() if name not in values})
    for name, value in words.items():
        st.query_params[name] = value
    st.rerun()


def bring_along(names: tuple[str, ...]) -> None:
    """Before the widgets with these keys are drawn: show what they showed last, when the page was
    entered from another one by a link that says nothing of them."""
    state = st.session_state
    if not state.pop(_ENTERED, False):
        return
    if linked := [name for name in names if name in st.query_params]:
        state[_LINKED] = linked
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
    shown = {name: state[name] for name in names if name in state}
    if linked := state.pop(_LINKED, []):
        state[_OWN] = {**state.get(_OWN, {}), **{n: shown[n] for n in linked if n in shown}}
    own: Mapping[str, Any] = state.get(_OWN, {})
    if own and any(shown.get(name) != value for name, value in own.items()):
        state[_OWN] = own = {}
    kept = {**state.get(_KEPT, {}), **shown}
    state[_KEPT] = {name: value for name, value in kept.items() if name not in own}
