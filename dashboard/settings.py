"""The sidebar: profile, selection, aggregation, threshold."""

from __future__ import annotations

import streamlit as st

from provenance_core import PROFILES, Parameters, default_parameters
from provenance_core.types import Aggregation, ClaimAggregation, ClaimForm, SelectionStrategy

from . import wording


def set_settings(parameters: Parameters, profile: str) -> None:
    """Show ``parameters``; called before the widgets are drawn."""
    state = st.session_state
    state.profile = profile
    state.selection = parameters.selection
    state.top_p = parameters.top_p
    state.top_k = parameters.top_k
    state.aggregation = parameters.aggregation
    state.claim_aggregation = parameters.claim_aggregation
    state.claim_form = parameters.claim_form
    state.threshold = parameters.threshold


def start_settings() -> None:
    """The defaults, once a session."""
    if "threshold" not in st.session_state:
        set_settings(default_parameters(), "embedded")


def draw_settings() -> Parameters:
    """Draw the sidebar; the parameters that it shows."""
    state = st.session_state
    with st.sidebar:
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
        st.slider("Threshold", 0.0, 1.0, step=0.01, key="threshold", persist_state="session")
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
        return Parameters(
            selection=state.selection,
            top_p=state.get("top_p", 0.9),
            top_k=state.get("top_k", 5),
            aggregation=state.aggregation,
            claim_aggregation=state.claim_aggregation,
            claim_form=state.claim_form,
            threshold=state.threshold,
        )
