"""The team's own set of labels: what each says, and the key that gives it."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.problems import draw_outcome, kept_problems
from provenance_core.review.checks import LABEL_KEYS, MOST_LABEL_CHARACTERS
from storage import OwnLabelStore

_NAME, _KEY, _OUTCOME = "own_label_name", "own_label_key", "own_label"


def draw_label_set() -> None:
    """The set, with a form that adds to it. StorageError when it cannot be read."""
    draw_outcome(_OUTCOME, "The labels were not changed.")
    labels = OwnLabelStore.open().all()
    st.markdown("**Labels of your team**")
    st.caption(
        "Labels of your team for whole answers, such as “outdated” or “off topic”. A judgement "
        "keeps its labels, also when one leaves the set."
    )
    for label in labels:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.text(f"{label.key}  {label.name}")
            st.button(
                "Remove", key=f"own_label_remove_{label.key}", on_click=_remove, args=(label.name,)
            )
    used = {label.key for label in labels}
    free = [key for key in LABEL_KEYS if key not in used]
    if not free:
        st.caption("Every free key has a label. Remove one to add another.")
        return
    with st.form("own_label", border=False, clear_on_submit=False):
        name, key = st.columns([3, 1], vertical_alignment="bottom")
        name.text_input("New label", key=_NAME, max_chars=MOST_LABEL_CHARACTERS)
        key.selectbox("Key", free, key=_KEY)
        st.form_submit_button("Add the label", on_click=_add)


@allowed(Role.REVIEWER, "add a label")
def _add() -> None:
    state = st.session_state
    with kept_problems(_OUTCOME):
        OwnLabelStore.open().add(state[_NAME], state[_KEY])
        state[_NAME] = ""


@allowed(Role.REVIEWER, "remove a label")
def _remove(name: str) -> None:
    with kept_problems(_OUTCOME):
        OwnLabelStore.open().remove(name)
