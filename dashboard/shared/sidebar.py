"""The sidebar: preset, profile, detector, what the detector reads, threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from dashboard.shared.detector_record import draw_record
from dashboard.shared.links import page_links
from dashboard.shared.privacy_notice import draw_sending
from dashboard.shared.problems import draw_problem
from dashboard.shared.ready_profiles import profile_problem, ready_profiles
from dashboard.shared.replaced_address import replace_in_address
from dashboard.shared.settings import (
    IN_ADDRESS,
    OF_DETECTORS,
    Settings,
    built_in_settings,
    choose_preset,
    choose_profile,
    choose_settings,
    follow_address,
    forget_left_preset,
    left_preset,
    opened_with_others,
)
from provenance_core import DETECTORS, Audit, Parameters, recompute
from provenance_core.audit.assembly import SELECTION_PARAMETERS
from provenance_core.detectors import parameters_read
from provenance_core.detectors.judge.client import judge_problem
from provenance_core.errors import NotReadError
from provenance_core.models.catalogue.profiles import default_profile, get_profile
from provenance_core.parameters import PARAMETERS, ParameterInfo, RecomputedParameters
from provenance_core.types import DEFAULT_DETECTOR, RelevanceMethod
from reports import wording
from reports.glossary import tooltip
from reports.wording import profile_title
from storage import Preset, PresetStore, StorageError

_SHORT = 8  # characters of a choice
_MEASURED = " A change takes effect at the next audit."


def draw_threshold() -> None:
    """The slider of the threshold, which :func:`draw_settings` left to the page."""
    _draw_number(PARAMETERS["threshold"])


def draw_settings(*, with_threshold: bool = True) -> Parameters:
    """Draw the sidebar; the parameters that it shows. ``with_threshold``: whether the slider of the
    threshold is there too, or the page draws it next to a verdict. What the chosen detector does
    not read is not drawn and has its default in them, so that two audits differ by what their
    scores depend on."""
    follow_address()
    state, ready = st.session_state, ready_profiles()
    with st.sidebar:
        if opened := opened_with_others():
            st.caption(
                f"These are the settings of audit {opened.audit_id}, and “Audit” uses them. “New "
                "audit” starts with yours."
            )
        preset = _draw_preset(ready)
        st.selectbox(
            "Detector",
            list(DETECTORS),
            format_func=wording.detector_title,
            key="detector",
            on_change=_use_own_threshold,
            persist_state="session",
        )
        detector = DETECTORS[state.detector]
        st.caption(f"{detector.explanation} A change takes effect at the next audit.")
        draw_record(state.detector, state.profile)
        draw_sending(_shown_parameters())
        if with_threshold:
            draw_threshold()
            st.caption(PARAMETERS["threshold"].help)
        with st.expander("Advanced", key="advanced"):
            _draw_profile(ready)
            shown = _shown_parameters()
            for name, info in PARAMETERS.items():
                if name in detector.traits.uses and info.is_read(shown):
                    _draw_parameter(info)
            st.button(
                "Reset to defaults",
                on_click=lambda: choose_settings(built_in_settings()),
                icon=":material/restart_alt:",
                help="Goes back to the defaults of the app: no preset, the detector "
                f"{wording.detector_title(DEFAULT_DETECTOR)}, the profile "
                f"{profile_title(default_profile())}, its threshold and all advanced settings. "
                "What you entered stays.",
            )
        with st.container(key="settings_room"):
            replace_in_address(*IN_ADDRESS)
        parameters = _shown_parameters()
        if preset is not None and (changed := _differences(parameters, preset.parameters)):
            st.caption("Changed since the preset was chosen: " + ", ".join(changed) + ".")
        return parameters


def draw_settings_owner() -> None:
    """Whose settings the button Audit uses, below it, where they are not the person's own: a narrow
    window hides the sidebar."""
    opened = opened_with_others()
    if opened is not None:
        st.caption(
            f"Audits with the settings of audit {opened.audit_id}: detector "
            f"{wording.detector_title(st.session_state.detector)}. “New audit” above starts with "
            "yours."
        )


def draw_left_preset() -> None:
    """Which preset another profile left, where one did, with the way back."""
    number = left_preset()
    if number is None:
        return
    try:
        preset = PresetStore.open().get(number)
    except StorageError:  # deleted since then, as others may: nobody can choose it
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
        on_click=choose_settings,
        args=(Settings(preset.parameters, preset.profile, preset.id),),
    )


def under_settings(audit: Audit, shown: Parameters) -> Audit:
    """``audit`` under the sidebar's parameters ``shown``, from its stored scores. The audit stays
    as it is where the sidebar shows another detector. A setting stays that the detector does not
    read, that the sidebar does not show, or that needs the models; and so does the selection where
    it keeps chunks that were not read (:func:`selection_problem`)."""
    if shown.detector != audit.parameters.detector:
        return audit
    changes = _recomputed(audit, shown)
    try:
        return recompute(audit, **changes)
    except NotReadError:
        kept = {name: v for name, v in changes.items() if name not in SELECTION_PARAMETERS}
        return recompute(audit, **cast(RecomputedParameters, kept))


def selection_problem(audit: Audit, shown: Parameters) -> str:
    """Why ``audit`` cannot be shown under the selection of the sidebar's parameters ``shown``, and
    what to do; "" where it can."""
    if audit.evidence.read.all() or shown.detector != audit.parameters.detector:
        return ""
    try:
        recompute(audit, **_recomputed(audit, shown))
    except NotReadError as error:
        return str(error)
    return ""


def _recomputed(audit: Audit, shown: Parameters) -> RecomputedParameters:
    """What :func:`under_settings` changes."""
    # With another relevance, the sidebar has no aggregation to show.
    unshown = {"aggregation"} - set(parameters_read(shown))
    names = [
        name
        for name in parameters_read(audit.parameters)
        if PARAMETERS[name].recomputed and name not in unshown
    ]
    if audit.parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER:
        names = [name for name in names if name not in SELECTION_PARAMETERS]
    elif "selection" in names:
        names = list(dict.fromkeys([*names, "top_p", "top_k"]))
    found = {"threshold": shown.threshold, **{name: getattr(shown, name) for name in names}}
    return cast(RecomputedParameters, found)


def _use_own_threshold() -> None:
    """Put the slider at the threshold of the detector that was just chosen."""
    state = st.session_state
    state.threshold = DETECTORS[state.detector].threshold(state.profile)


def _shown_parameters() -> Parameters:
    """What the widgets say. What does not count because of a setting that needs the models has its
    default."""
    state = st.session_state
    names = ["threshold", *DETECTORS[state.detector].traits.uses]
    shown = Parameters(
        detector=state.detector, **{name: state[name] for name in names if name in state}
    )
    unread = [
        name
        for name in OF_DETECTORS
        if (condition := PARAMETERS[name].condition) is not None
        and not PARAMETERS[condition.name].recomputed
        and not condition.holds(shown)
    ]
    standard = Parameters()
    return replace(shown, **{name: getattr(standard, name) for name in unread})


def _draw_parameter(info: ParameterInfo) -> None:
    """The widget of a parameter, and what its value means."""
    note = "" if info.recomputed else _MEASURED
    if info.choices:
        _draw_choice(info)
        chosen = st.session_state[info.name]
        st.caption(next(each.help for each in info.choices if each.value == chosen) + note)
    elif info.bounds is not None:
        _draw_number(info)
    else:
        missing = judge_problem() if info.name == "third_reader" else ""
        off = bool(missing) and not st.session_state.get(info.name)
        st.toggle(info.label, key=info.name, persist_state="session", disabled=off)
        st.caption(info.help + note)
        if off:
            st.caption(missing)


def _draw_choice(info: ParameterInfo) -> None:
    values = [choice.value for choice in info.choices]
    # Two short words stand in one row.
    if max(len(choice.label) for choice in info.choices) <= _SHORT and len(values) == 2:
        st.radio(
            info.label,
            values,
            format_func=info.text,
            key=info.name,
            persist_state="session",
            horizontal=True,
        )
    else:
        st.selectbox(
            info.label, values, format_func=info.text, key=info.name, persist_state="session"
        )


def _draw_number(info: ParameterInfo) -> None:
    if info.bounds is None:
        return
    kind = type(getattr(Parameters(), info.name))
    low, high, step = (kind(x) for x in (info.bounds.low, info.bounds.high, info.bounds.step))
    # A preset or a run may have a value from the command line that is beyond the slider's ends.
    given = st.session_state.get(info.name, low)
    st.slider(
        info.label,
        min(low, given),
        max(high, given),
        step=step,
        format="%.3f" if step == 0.001 else None,
        key=info.name,
        persist_state="session",
    )


def _draw_preset(ready: Sequence[str]) -> Preset | None:
    """The choice of a preset for one of the profiles ``ready``, where there are any; the one that
    is chosen."""
    state = st.session_state
    if state.get("preset_problem"):
        draw_problem("The preset was not used.", state.preset_problem, st.warning)
        page_links("thresholds")
    try:
        presets = PresetStore.open().listed()
    except StorageError as error:
        draw_problem("The presets cannot be read.", error, st.warning)
        return None
    usable = {preset.id: preset for preset in presets.readable if preset.profile in ready}
    if unreadable := len(presets.unreadable):
        st.caption(f"Presets that cannot be read: {unreadable}. The Thresholds page says why.")
    if others := len(presets.readable) - len(usable):
        st.caption(f"Presets of profiles whose models are not here: {others}.")
    if state.get("preset") not in usable:
        state.preset = None
    if not usable:
        if unreadable or others:
            page_links("thresholds")
        return None
    st.selectbox(
        "Preset",
        [None, *usable],
        format_func=lambda number: "none" if number is None else usable[number].name,
        key="preset",
        on_change=lambda: choose_preset(state.preset),
        persist_state="session",
        placeholder="none",
        required=True,
        help=tooltip("preset"),
    )
    page_links("thresholds")
    return None if state.preset is None else usable[state.preset]


def _draw_profile(ready: Sequence[str]) -> None:
    """The choice among the profiles that are ``ready``, and the way to the others."""
    state = st.session_state
    if state.profile not in ready:
        state.profile_problem = profile_problem(state.profile)
        state.profile = state.profile_in_use = default_profile()
    st.selectbox(
        "Profile",
        ready,
        format_func=profile_title,
        key="profile",
        on_change=lambda: choose_profile(state.profile),
        persist_state="session",
    )
    if problem := state.get("profile_problem"):
        still = f"The profile is still {profile_title(state.profile)}.\n{problem}"
        draw_problem("The profile was not changed.", still)
    draw_left_preset()
    st.caption(get_profile(state.profile).good_for)
    st.page_link("pages/models.py", label="More profiles", icon=":material/deployed_code:")


def _differences(shown: Parameters, saved: Parameters) -> list[str]:
    """What differs, in the words of the sidebar; only what the shown detector reads counts."""
    names = ["detector", *parameters_read(shown), "threshold"]
    return [
        wording.setting_name(name) for name in names if getattr(shown, name) != getattr(saved, name)
    ]
