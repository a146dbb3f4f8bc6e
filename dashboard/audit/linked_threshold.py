"""The threshold that an audit is looked at under, in its address: a reload, Back and a copied link
keep it. The saved audit stays as it is."""

from __future__ import annotations

import streamlit as st

from storage import SavedAudit

THRESHOLD = "threshold"
# What the address said of it when the page was drawn last.
_SAID = "threshold_of_link"
_MOVED = "threshold_moved"


def take_threshold(saved: SavedAudit, *, opened: bool) -> None:
    """Set the slider to the address's threshold, where that is new, and have the address name the
    slider's. ``opened``: whether the slider was just set to the audit's.

    Called before the slider is drawn. Keys move the slider faster than the browser takes the
    address of the last move: where the slider itself was moved, an older address says nothing.
    """
    state, given = st.session_state, st.query_params.get(THRESHOLD, "")
    moved = state.pop(_MOVED, False)
    if opened or (not moved and given != state.get(_SAID, "")):
        wanted = _number(given)
        if wanted is not None:
            state.threshold = wanted
        elif not opened:
            state.threshold = saved.audit.parameters.threshold
    state[_SAID] = moved_threshold(saved)
    if not state[_SAID]:
        st.query_params.pop(THRESHOLD, None)
    elif state[_SAID] != given:
        st.query_params[THRESHOLD] = state[_SAID]


def note_move() -> None:
    """A person moved the slider: its value counts, whatever the address says still."""
    st.session_state[_MOVED] = True


def moved_threshold(saved: SavedAudit) -> str:
    """The slider's threshold as the address names it; "" where it is the audit's own, or that of
    another detector."""
    state, own = st.session_state, saved.audit.parameters
    if state.detector != own.detector or state.threshold == own.threshold:
        return ""
    return f"{state.threshold:.3f}"


def link_of(saved: SavedAudit) -> str:
    """What stands behind the question mark of the address of the audit as it is shown."""
    moved = moved_threshold(saved)
    return f"audit={saved.id}" + (f"&{THRESHOLD}={moved}" if moved else "")


def _number(text: str) -> float | None:
    """A threshold in [0, 1]; None of anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None
