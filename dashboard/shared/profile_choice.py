"""Which profiles can be used, and the choice of one. Where its models cannot be loaded, the session
keeps the profile that it had."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dashboard.shared.left_preset import draw_left_preset, note_left_preset
from provenance_core import DETECTORS, ModelError
from provenance_core.audit.shared_models import shared_models
from provenance_core.models.catalogue.profiles import (
    PROFILES,
    Profile,
    default_profile,
    get_profile,
    profile_names,
)
from provenance_core.models.checkpoints.class_labels import needs_entailment_label
from provenance_core.models.hub.cache import model_folder, require_models
from reports.wording import profile_title
from storage import Preset

# Their models are files of this repository.
SHIPPED = tuple(name for name, profile in PROFILES.items() if not profile.public_models)


def profile_problem(name: str) -> str:
    """Why the profile of that name cannot be used, and what to do, in sentences; "" if it can."""
    try:
        profile = get_profile(name)
        require_models(profile)
        if classes := unnamed_classes(profile):
            return (
                f"Which of the {classes} classes of {profile.nli.name_and_revision} means "
                "supported is not known. Say it on the Models page."
            )
    except ModelError as error:
        return str(error)
    return ""


def unnamed_classes(profile: Profile) -> int:
    """The number of classes of a downloaded NLI model, if a person has to say which of them means
    "supported"; else 0. ModelError when it cannot be read."""
    nli = profile.nli
    if nli.is_embedded or nli.entailment_label is not None:
        return 0
    return needs_entailment_label(model_folder(nli))


def ready_profiles() -> list[str]:
    """The names of the profiles whose models are here; those that are shipped in any case."""
    try:
        names = profile_names()
    except ModelError:
        names = SHIPPED
    return [name for name in names if name in SHIPPED or not profile_problem(name)]


def choose_profile(name: str) -> None:
    """Load the models of a profile and use it; else keep the one that the session has, with the
    reason in the state. Called before the sidebar's widgets are drawn, or by a callback."""
    state = st.session_state
    before = state.get("profile_in_use", default_profile())
    state.profile_problem = _load(name)
    if state.profile_problem:
        state.profile_refused = name
        state.profile = before
        return
    state.profile_refused = ""
    state.profile = state.profile_in_use = name
    note_left_preset()
    state.preset = None
    state.threshold = DETECTORS[state.detector].threshold(name)


def take_profile(name: str) -> None:
    """Show a profile that comes with a preset or an audit; its models are loaded when they are
    needed. One that cannot be used leaves the present one, with the reason in the state."""
    state = st.session_state
    state.profile_problem = profile_problem(name)
    if state.profile_problem:
        name = state.get("profile_in_use", default_profile())
    state.profile = state.profile_in_use = name


def draw_profile(ready: Sequence[str], take: Callable[[Preset], None]) -> None:
    """The sidebar's choice among the profiles that are here, ``ready``, and the way to the
    others. ``take``: shows the settings of a preset, which the choice left."""
    state = st.session_state
    if state.profile not in ready:
        state.profile_problem = profile_problem(state.profile)
        state.profile = state.profile_in_use = default_profile()
    st.selectbox(
        "Profile",
        ready,
        format_func=profile_title,
        key="profile",
        on_change=_choose_shown,
        persist_state="session",
    )
    if problem := state.get("profile_problem"):
        st.error("The profile was not changed.")
        st.text(f"The profile is still {profile_title(state.profile)}.\n{problem}")
    draw_left_preset(take)
    st.caption(get_profile(state.profile).good_for)
    st.page_link("pages/models.py", label="More profiles", icon=":material/deployed_code:")


def _choose_shown() -> None:
    choose_profile(st.session_state.profile)


def _load(name: str) -> str:
    """Why the models cannot be loaded, "" when they are."""
    if problem := profile_problem(name):
        return problem
    models = shared_models()
    try:
        if name not in models.names:
            with st.spinner("Loading the models…"), models.use(name):
                pass
    except ModelError as error:
        return str(error)
    return ""
