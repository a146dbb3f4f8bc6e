"""The sidebar: preset, profile, detector, what the detector reads, threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from dashboard.shared.kept_settings import KeptSettings, keep_settings
from dashboard.shared.left_preset import forget_left_preset
from dashboard.shared.links import page_links
from dashboard.shared.own_settings import OpenedAudit
from dashboard.shared.privacy_notice import draw_sending
from dashboard.shared.profile_choice import draw_profile, ready_profiles, take_profile
from dashboard.shared.start_parameters import start_parameters
from provenance_core import DETECTORS, Audit, Parameters, default_parameters, recompute
from provenance_core.audit.assembly import SELECTION_PARAMETERS
from provenance_core.detectors import parameters_read
from provenance_core.errors import NotReadError
from provenance_core.models.catalogue.profiles import default_profile
from provenance_core.parameters import PARAMETERS, ParameterInfo, RecomputedParameters
from provenance_core.types import DEFAULT_DETECTOR, RelevanceMethod
from reports import wording
from reports.glossary import tooltip
from storage import Preset, PresetStore, StorageError

# The settings that some detectors read, each the session's key of its widget.
_OF_DETECTORS = tuple(name for name, info in PARAMETERS.items() if not info.of_every_detector)
_OPENED, _START = "opened_audit", "preset_of_start"
_SHORT = 8  # characters of a choice
_MEASURED = " A change takes effect at the next audit."


def set_settings(parameters: Parameters, profile: str) -> None:
    """Show ``parameters``, which are no preset's; called before the widgets are drawn."""
    state = st.session_state
    state.preset = None
    forget_left_preset()
    take_profile(profile)
    state.detector = parameters.detector
    state.threshold = parameters.threshold
    for name in _OF_DETECTORS:
        state[name] = getattr(parameters, name)


def choose_preset(number: int, parameters: Parameters, profile: str) -> None:
    """Show the settings of the preset ``number`` in the sidebar; called before the widgets are
    drawn."""
    set_settings(parameters, profile)
    st.session_state.preset = number
    _own_what_is_shown()


def take_preset(preset: Preset) -> None:
    """:func:`choose_preset` of a preset that was read."""
    choose_preset(preset.id, preset.parameters, preset.profile)


def start_settings() -> None:
    """The default preset, or the models' own defaults without one; once a session."""
    if "threshold" not in st.session_state:
        st.session_state.pop(_OPENED, None)
        start = start_parameters()
        set_settings(start.parameters, start.profile)
        st.session_state.preset = start.preset
        st.session_state.preset_unused = start.problem
        st.session_state[_START] = start.preset or 0


def open_settings(audit_id: int, audit: Audit) -> None:
    """Show the settings of a saved audit that was opened; the person's own wait until it is left.
    Called before the widgets are drawn."""
    leave_audit()
    own = _chosen_settings()
    set_settings(audit.parameters, audit.evidence.profile)
    st.session_state[_OPENED] = OpenedAudit(audit_id, _chosen_settings(), own)


def keep_as_own(audit_id: int | None) -> None:
    """An audit was made under the settings that are shown, and saved with the number ``audit_id``,
    or not saved: they count for the next one too."""
    state, now = st.session_state, _chosen_settings()
    opened: OpenedAudit | None = state.pop(_OPENED, None)
    if audit_id is not None:
        state[_OPENED] = OpenedAudit(audit_id, now, opened.audited(now) if opened else now)


def shows_settings_of(audit_id: int) -> bool:
    """Whether the sidebar took the settings of this audit, which is open."""
    opened: OpenedAudit | None = st.session_state.get(_OPENED)
    return opened is not None and opened.audit_id == audit_id


def leave_audit() -> None:
    """No audit is open any more: the person's own settings count again. Called before the widgets
    are drawn."""
    opened: OpenedAudit | None = st.session_state.pop(_OPENED, None)
    if opened is not None:
        _show(opened.left(_chosen_settings()))


def _own_what_is_shown() -> None:
    """A person chose all settings at once: they are the own ones, whatever audit is open."""
    state = st.session_state
    opened: OpenedAudit | None = state.get(_OPENED)
    if opened is not None:
        now = _chosen_settings()
        state[_OPENED] = OpenedAudit(opened.audit_id, now, now)


def draw_threshold(on_change: Callable[[], None] | None = None) -> None:
    """The slider of the threshold, which :func:`draw_settings` left to the page. ``on_change``:
    called when a person moved it."""
    _draw_number(PARAMETERS["threshold"], on_change)


def _reset() -> None:
    """Every setting as it is without a preset."""
    set_settings(default_parameters(default_profile()), default_profile())
    _own_what_is_shown()


def draw_settings(*, with_threshold: bool = True) -> Parameters:
    """Draw the sidebar; the parameters that it shows. ``with_threshold``: whether the slider of
    the threshold is there too, or the page draws it beside a verdict.

    What the chosen detector does not read is not drawn and has its default in them, so that two
    audits differ by what their scores depend on.
    """
    state = st.session_state
    ready = ready_profiles()
    with st.sidebar:
        _draw_whose()
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
        draw_sending(state.detector)
        if with_threshold:
            draw_threshold()
            st.caption(PARAMETERS["threshold"].help)
        with st.expander("Advanced", key="advanced"):
            draw_profile(ready, take_preset)
            shown = _shown_parameters()
            for name in _in_order(detector.traits.uses):
                if PARAMETERS[name].is_read(shown):
                    _draw_parameter(PARAMETERS[name])
            st.button(
                "Reset to built-in",
                on_click=_reset,
                icon=":material/restart_alt:",
                help="Sets everything here to what comes with the app: no preset, the detector "
                f"{wording.detector_title(DEFAULT_DETECTOR)}, the profile "
                f"{wording.profile_title(default_profile())}, its threshold and all advanced "
                "settings. What is entered stays.",
            )
        chosen = _chosen_settings()
        keep_settings(chosen, _without_audit(chosen), state.get(_START, 0), _take_kept)
        parameters = _shown_parameters()
        if preset is not None and (changed := _differences(parameters, preset.parameters)):
            st.caption("Changed since the preset was chosen: " + ", ".join(changed) + ".")
        return parameters


def draw_of_opened() -> None:
    """Say beside the button Audit under which settings it audits, where the person's own are
    others: a narrow window hides the sidebar."""
    opened = _opened_with_others()
    if opened is not None:
        st.caption(
            f"Audits with the settings of audit {opened.audit_id}: detector "
            f"{wording.detector_title(st.session_state.detector)}. “New audit” above starts with "
            "yours."
        )


def _draw_whose() -> None:
    """Say that the settings are those of the open audit, where the person's own are others."""
    opened = _opened_with_others()
    if opened is not None:
        st.caption(
            f"These are the settings of audit {opened.audit_id}, and “Audit” uses them. “New "
            "audit” starts with yours."
        )


def _opened_with_others() -> OpenedAudit | None:
    """The open audit, where its settings are not the person's own."""
    opened: OpenedAudit | None = st.session_state.get(_OPENED)
    if opened is None:
        return None
    own, shown = opened.own, opened.shown
    same = (own.parameters, own.profile) == (shown.parameters, shown.profile)
    return None if same else opened


def _chosen_settings() -> KeptSettings:
    """What is chosen, also where the detector that is shown does not read it."""
    state, standard = st.session_state, Parameters()
    names = ("detector", "threshold", *_OF_DETECTORS)
    chosen = {name: state.get(name, getattr(standard, name)) for name in names}
    return KeptSettings(replace(standard, **chosen), state.profile, state.preset)


def _without_audit(chosen: KeptSettings) -> KeptSettings:
    """``chosen`` as :func:`leave_audit` leaves them."""
    opened: OpenedAudit | None = st.session_state.get(_OPENED)
    return chosen if opened is None else opened.left(chosen)


def _take_kept(kept: KeptSettings, left: KeptSettings) -> None:
    """Show what was chosen before the page was loaded again; ``left`` counts when the open audit
    is left."""
    state = st.session_state
    _show(kept)
    opened: OpenedAudit | None = state.get(_OPENED)
    if opened is not None:
        state[_OPENED] = replace(opened, own=left)


def _show(settings: KeptSettings) -> None:
    set_settings(settings.parameters, settings.profile)
    st.session_state.preset = settings.preset


def under_settings(audit: Audit, shown: Parameters) -> Audit:
    """``audit`` under the sidebar's parameters ``shown``, from its stored scores.

    The audit stays as it is where the sidebar shows another detector. A setting stays that the
    detector does not read, that the sidebar does not show, or that needs the models; and so does
    the selection where it keeps chunks that were not read (:func:`selection_problem`).
    """
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
        for name in _OF_DETECTORS
        if (condition := PARAMETERS[name].condition) is not None
        and not PARAMETERS[condition.name].recomputed
        and not condition.holds(shown)
    ]
    standard = Parameters()
    return replace(shown, **{name: getattr(standard, name) for name in unread})


def _in_order(uses: tuple[str, ...]) -> list[str]:
    return [name for name in PARAMETERS if name in uses]


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
        st.toggle(info.label, key=info.name, persist_state="session")
        st.caption(info.help + note)


def _draw_choice(info: ParameterInfo) -> None:
    values = [choice.value for choice in info.choices]
    # Two short words stand beside each other.
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


def _draw_number(info: ParameterInfo, on_change: Callable[[], None] | None = None) -> None:
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
        on_change=on_change,
        persist_state="session",
    )


def _draw_preset(ready: Sequence[str]) -> Preset | None:
    """The choice of a preset for one of the profiles ``ready``, where there are any; the one that
    is chosen."""
    state = st.session_state
    if state.get("preset_unused"):
        st.warning("The app did not use the default preset.")
        st.text(state.preset_unused)
        page_links("thresholds")
    try:
        presets = PresetStore.open().listed()
    except StorageError as error:
        st.warning("The presets cannot be read.")
        st.text(str(error))
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
        on_change=_use_preset,
        persist_state="session",
        placeholder="none",
        required=True,
        help=tooltip("preset"),
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
    take_preset(preset)


def _differences(shown: Parameters, saved: Parameters) -> list[str]:
    """What differs, in the words of the sidebar; only what the shown detector reads counts."""
    names = ["detector", *parameters_read(shown), "threshold"]
    return [
        wording.setting_name(name) for name in names if getattr(shown, name) != getattr(saved, name)
    ]
