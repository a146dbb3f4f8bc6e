"""Keys of the review page that come faster than it is drawn wait in the browser for their turn.

A press means the answer that is in view once everything before it was done. So a key is held until
the server has drawn what the last one led to, and then presses its button. Where a save was
refused, what was typed after it for the next answer does not count, and the page says so. A key
whose button is disabled has the button's help said. The keys of the comment and of a span wait,
too, and so do the letters typed after them: a comment that begins before the next answer is drawn
is that answer's.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.shared.components import component
from reports.review_wording import Key

_KEY = "review_keys"


def queue_keys(keys: Mapping[str, str], *, refused: bool) -> None:
    """Have the browser press the buttons by their keys, one after the other. Called where
    everything else of the page is drawn. ``keys``: key of the button of each shortcut. ``refused``:
    whether the last action was, so that what was typed after it does not count."""
    state = st.session_state
    state.review_run = state.get("review_run", 0) + 1
    with st.container(key="review_keys_room"):
        component(__file__, "review_keys")(
            data={
                "keys": dict(keys),
                "leads": [Key.COMMENT.value, Key.SPAN.value],
                "run": state.review_run,
                "refused": refused,
            },
            key=_KEY,
            on_lost_change=_say_lost,
            on_unavailable_change=_say_unavailable,
            height=1,
        )


def _say_lost() -> None:
    lost = st.session_state[_KEY].lost
    if isinstance(lost, int) and lost > 0:
        st.session_state.review_warning = (
            "One keypress was ignored because the previous action was still running. Press it "
            "again."
            if lost == 1
            else f"{lost} keypresses were ignored because the previous action was still running. "
            "Press them again."
        )


def _say_unavailable() -> None:
    state = st.session_state
    state.review_note = state.review_unavailable.get(state[_KEY].unavailable, "")
