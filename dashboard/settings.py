"""The sidebar: preset, profile, selection, aggregation, threshold."""

from __future__ import annotations

import streamlit as st

from provenance_core import PROFILES, Parameters
from provenance_core.types import Aggregation, ClaimAggregation, ClaimForm, SelectionStrategy
from storage import Preset, PresetStore, StorageError

from . import wording
from .links import page_links
from .start_parameters import start_parameters


def set_settings(parameters: Parameters, profile: str) -> None:
    """Show ``parameters``, which are no preset's; called before the widgets are drawn."""
    state = st.session_state
    state.preset = None
    state.profile = profile
    state.selection = parameters.selection
    state.top_p = parameters.top_p
    state.top_k = parameters.top_k
    state.aggregation = parameters.aggregation
    state.claim_aggregation = parameters.claim_aggregation
    state.claim_form = parameters.claim_form
    state.threshold = parameters.threshold


def start_settings() -> None:
    """The default preset, or the models' own defaults without one; once a session."""
    if "threshold" not in st.session_state:
        start = start_parameters()
        set_settings(start.parameters, start.profile)
        st.session_state.preset = start.preset
        st.session_state.preset_unused = start.problem


def draw_settings() -> Parameters:
    """Draw the sidebar; the parameters that it shows."""
    state = st.session_state
    with st.sidebar:
        preset = _draw_preset()
        st.selectbox("Profile", list(PROFILES), key="profile", persist_state="session")
        st.caption(PROFILES[state.profile].description)
        st.radio(
            "Selection of sources",
            list(SelectionStrategy),
            format_func=wording.SELECTIONS.__getitem__,
            key="selection",
            persist_state="session",
            horizontal=True,
        )
        if state.selection == SelectionStrategy.TOP_P:
            st.slider("top_p", 0.05, 1.0, step=0.05, key="top_p", persist_state="session")
            st.caption(
                "Keeps the fewest chunks, the most relevant first, whose probabilities reach top_p."
            )
        else:
            st.slider("top_k", 1, 20, key="top_k", persist_state="session")
            st.caption("Keeps the top_k most relevant chunks.")
        st.selectbox(
            "Aggregation",
            list(Aggregation),
            format_func=wording.AGGREGATIONS.__getitem__,
            key="aggregation",
            persist_state="session",
        )
        st.caption(wording.AGGREGATION_HELP[state.aggregation])
        st.selectbox(
            "Answer with several claims",
            list(ClaimAggregation),
            format_func=wording.CLAIM_AGGREGATIONS.__getitem__,
            key="claim_aggregation",
            persist_state="session",
        )
        st.caption(wording.CLAIM_AGGREGATION_HELP[state.claim_aggregation])
        st.slider(
            "Threshold",
            0.0,
            1.0,
            step=0.001,
            format="%.3f",
            key="threshold",
            persist_state="session",
        )
        st.caption("The verdict is “supported” when the score reaches the threshold.")
        st.selectbox(
            "Claim form",
            list(ClaimForm),
            format_func=wording.CLAIM_FORMS.__getitem__,
            key="claim_form",
            persist_state="session",
        )
        st.caption(
            wording.CLAIM_FORM_HELP[state.claim_form] + " A change takes effect at the next audit."
        )
        parameters = Parameters(
            selection=state.selection,
            top_p=state.get("top_p", 0.9),
            top_k=state.get("top_k", 5),
            aggregation=state.aggregation,
            claim_aggregation=state.claim_aggregation,
            claim_form=state.claim_form,
            threshold=state.threshold,
        )
        if preset is not None and (changed := _differences(parameters, preset.parameters)):
            st.caption("Changed since the preset was chosen: " + ", ".join(changed) + ".")
        return parameters


def _draw_preset() -> Preset | None:
    """The choice of a preset, where there are any; the one that is chosen."""
    state = st.session_state
    if state.get("preset_unused"):
        st.warning("The default preset was not used.")
        st.text(state.preset_unused)
        page_links("thresholds")
    try:
        presets = PresetStore.open().listed()
    except StorageError as error:
        st.warning("The presets cannot be read.")
        st.text(str(error))
        return None
    usable = {preset.id: preset for preset in presets.readable if preset.profile in PROFILES}
    if unreadable := len(presets.unreadable):
        st.caption(f"Presets that cannot be read: {unreadable}. The Thresholds page says why.")
    if state.get("preset") not in usable:
        state.preset = None
    if not usable:
        if unreadable:
            page_links("thresholds")
        return None
    st.selectbox(
        "Preset",
        [None, *usable],
        format_func=lambda number: "none" if number is None else usable[number].name,
        key="preset",
        on_change=_use_preset,
        persist_state="session",
        placeholder="none",
        help="Settings that were saved on the Thresholds page with the evidence for them.",
    )
    page_links("thresholds")
    return None if state.preset is None else usable[state.preset]


def _use_preset() -> None:
    """Show the settings of the preset that was just chosen; without one they stay."""
    number = st.session_state.preset
    if number is None:
        return
    try:
        preset = PresetStore.open().get(number)
    except StorageError as error:
        st.session_state.preset = None
        st.session_state.preset_unused = str(error)
        return
    st.session_state.preset_unused = ""
    set_settings(preset.parameters, preset.profile)
    st.session_state.preset = number


def _differences(shown: Parameters, saved: Parameters) -> list[str]:
    """What differs, in the words of the sidebar; of TopP and TopK only the one in use counts."""
    names = {
        "selection": "selection",
        "aggregation": "aggregation",
        "claim_aggregation": "answer with several claims",
        "claim_form": "claim form",
        "threshold": "threshold",
        str(shown.selection): str(shown.selection),
    }
    return [text for name, text in names.items() if getattr(shown, name) != getattr(saved, name)]
