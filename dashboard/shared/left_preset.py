"""A preset is for one profile. Who chooses another profile leaves the preset: this says so beside
the choice, and offers the way back."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from reports.wording import profile_title
from storage import Preset, PresetStore, StorageError

_LEFT = "preset_left"


def note_left_preset() -> None:
    """Called when another profile is about to take the place of the chosen preset's."""
    if (number := st.session_state.get("preset")) is not None:
        st.session_state[_LEFT] = number


def forget_left_preset() -> None:
    """Called when other settings are shown as a whole: there is nothing to go back to."""
    st.session_state.pop(_LEFT, None)


def draw_left_preset(take: Callable[[Preset], None]) -> None:
    """Which preset was left, where one was, with a button that calls ``take`` with it."""
    number = st.session_state.get(_LEFT)
    if number is None:
        return
    try:
        preset = PresetStore.open().get(number)
    except StorageError:  # deleted since then, as others may: it can be chosen by nobody
        forget_left_preset()
        return
    st.info("The preset is no longer chosen: it is for another profile.")
    st.text(
        f"“{preset.name}” is for the profile {profile_title(preset.profile)}. The threshold is "
        "now that of the profile above."
    )
    st.button(
        "Back to the preset",
        key="back_to_preset",
        icon=":material/undo:",
        on_click=take,
        args=(preset,),
    )
