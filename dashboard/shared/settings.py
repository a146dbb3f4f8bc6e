"""The settings of the sidebar. The address is their state.

It names what differs from where the page starts: the default preset or the built-in settings, or
those of the audit that it opens. A reload, Back and a copied link keep every setting. An opened
audit shows its own settings; the person's own come back, with what the person changed meanwhile,
when the audit is left. A threshold that the audit was only looked at under does not count as such a
change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

import streamlit as st

from dashboard.shared.ready_profiles import profile_problem
from provenance_core import DETECTORS, Audit, ModelError, Parameters, default_parameters
from provenance_core.audit.shared_models import shared_models
from provenance_core.models.catalogue.profiles import default_profile
from provenance_core.parameters import PARAMETERS
from provenance_core.types import current_detector
from storage import PresetStore, StorageError

# The settings that some detectors read, each the session's key of its widget.
OF_DETECTORS = tuple(name for name, info in PARAMETERS.items() if not info.of_every_detector)
_NUMBERED = ("detector", "threshold", *OF_DETECTORS)
# What the address may name, each the session's key of its widget.
IN_ADDRESS = ("preset", "profile", *_NUMBERED)
_NO_PRESET = "none"
_OPENED, _START, _FOLLOWED, _LEFT = "opened_audit", "start", "followed_address", "preset_left"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the sidebar shows. ``preset``: the number of the chosen preset; None without one."""

    parameters: Parameters
    profile: str
    preset: int | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """What a session starts with. ``problem``: why the default preset was not used; "" if it
    was."""

    settings: Settings
    problem: str = ""


@dataclass(frozen=True, slots=True)
class OpenedAudit:
    """The audit whose settings the sidebar took. ``audited``: those. ``shown``: what later changes
    are told from. ``own``: the settings that the person had."""

    audit_id: int
    audited: Settings
    shown: Settings
    own: Settings

    def left(self, now: Settings) -> Settings:
        """The settings of a new audit, where the sidebar has ``now``."""
        return self._merged(now, with_threshold=False)

    def adopted(self, now: Settings) -> Settings:
        """As :meth:`left`, where an audit was made under ``now``: its threshold counts too."""
        return self._merged(now, with_threshold=True)

    def _merged(self, now: Settings, *, with_threshold: bool) -> Settings:
        was, given = self.shown.parameters, now.parameters
        other_profile = now.profile != self.shown.profile
        names = (field.name for field in fields(Parameters))
        changed = {name for name in names if getattr(given, name) != getattr(was, name)}
        if other_profile or given.detector != was.detector:
            # The slider was set to the threshold of what was chosen.
            changed.add("threshold")
        elif not with_threshold:
            changed.discard("threshold")
        if other_profile:
            changed.add("detector")
        return Settings(
            replace(self.own.parameters, **{name: getattr(given, name) for name in changed}),
            now.profile if other_profile else self.own.profile,
            None if other_profile else self.own.preset,
        )


@dataclass(frozen=True, slots=True)
class _Followed:
    """What sidebar and address had when a page was drawn last."""

    settings: Settings
    words: Mapping[str, str]


def built_in_settings() -> Settings:
    """The default profile and its own settings, without a preset."""
    return Settings(default_parameters(), default_profile())


def default_settings() -> Start:
    """The default preset; without one, or when it cannot be used, the built-in settings."""
    problem = ""
    try:
        preset = PresetStore.open().default()
    except StorageError as error:
        preset, problem = None, str(error)
    if preset is not None and (unusable := profile_problem(preset.profile)):
        problem = f"The default preset {preset.name!r} is for another profile. {unusable}"
        preset = None
    if preset is None:
        return Start(built_in_settings(), problem)
    return Start(Settings(preset.parameters, preset.profile, preset.id))


def start_settings() -> None:
    """Show :func:`default_settings`, once a session."""
    state = st.session_state
    if "threshold" not in state:
        start = default_settings()
        state.pop(_OPENED, None)
        state[_START], state.preset_problem = start.settings, start.problem
        show_settings(start.settings)


def chosen_settings() -> Settings:
    """What is chosen, also where the detector that is shown does not read it."""
    state, standard = st.session_state, Parameters()
    chosen = {name: state.get(name, getattr(standard, name)) for name in _NUMBERED}
    return Settings(replace(standard, **chosen), state.profile, state.preset)


def show_settings(settings: Settings) -> None:
    """Show ``settings``; called before the widgets are drawn. A profile that cannot be used leaves
    the present one, with the reason in the state; its models are loaded when they are needed."""
    state = st.session_state
    state.pop(_LEFT, None)
    profile = settings.profile
    state.profile_problem = profile_problem(profile)
    if state.profile_problem:
        profile = state.get("profile_in_use", default_profile())
    state.profile = state.profile_in_use = profile
    state.preset = settings.preset
    for name in _NUMBERED:
        state[name] = getattr(settings.parameters, name)


def choose_settings(settings: Settings) -> None:
    """Show ``settings``, which a person chose as a whole: they are the own ones, whatever audit is
    open."""
    show_settings(settings)
    state = st.session_state
    opened: OpenedAudit | None = state.get(_OPENED)
    if opened is not None:
        now = chosen_settings()
        state[_OPENED] = replace(opened, shown=now, own=now)


def choose_preset(number: int | None) -> None:
    """Show the settings of a preset. None: without a preset, under the detector's own threshold."""
    state = st.session_state
    if number is None:
        state.preset, state.threshold = None, _own_threshold(state.detector, state.profile)
        return
    try:
        preset = PresetStore.open().get(number)
    except StorageError as error:
        state.preset, state.preset_problem = None, str(error)
        return
    state.preset_problem = ""
    choose_settings(Settings(preset.parameters, preset.profile, preset.id))


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
    if state.get("preset") is not None:
        state[_LEFT] = state.preset  # a preset is for one profile
    state.preset, state.threshold = None, _own_threshold(state.detector, name)


def left_preset() -> int | None:
    """The number of the preset that the choice of another profile left; None without one."""
    number: int | None = st.session_state.get(_LEFT)
    return number


def forget_left_preset() -> None:
    """There is nothing to go back to."""
    st.session_state.pop(_LEFT, None)


def show_audit_settings(audit_id: int, audit: Audit) -> None:
    """Show the settings of a saved audit that was opened; the person's own wait until it is left.
    Called before the widgets are drawn."""
    leave_audit()
    own = chosen_settings()
    show_settings(Settings(audit.parameters, audit.evidence.profile))
    now = chosen_settings()
    st.session_state[_OPENED] = OpenedAudit(audit_id, now, now, own)
    forget_address()


def adopt_settings(audit_id: int | None) -> None:
    """Keep the settings that are shown for the next audit: one was made under them, and saved with
    the number ``audit_id``, or not saved."""
    state, now = st.session_state, chosen_settings()
    opened: OpenedAudit | None = state.pop(_OPENED, None)
    if audit_id is not None:
        state[_OPENED] = OpenedAudit(audit_id, now, now, opened.adopted(now) if opened else now)


def shows_settings_of(audit_id: int) -> bool:
    """Whether the sidebar took the settings of this audit, which is open."""
    opened: OpenedAudit | None = st.session_state.get(_OPENED)
    return opened is not None and opened.audit_id == audit_id


def opened_with_others() -> OpenedAudit | None:
    """The open audit, where its settings are not the person's own."""
    opened: OpenedAudit | None = st.session_state.get(_OPENED)
    if opened is None:
        return None
    own, shown = opened.own, opened.shown
    same = (own.parameters, own.profile) == (shown.parameters, shown.profile)
    return None if same else opened


def leave_audit() -> None:
    """No audit is open any more: the person's own settings count again. Called before the widgets
    are drawn."""
    opened: OpenedAudit | None = st.session_state.pop(_OPENED, None)
    if opened is not None:
        show_settings(opened.left(chosen_settings()))
        forget_address()


def forget_address() -> None:
    """What the address names from now on is new; where it names nothing, the settings stay."""
    st.session_state.pop(_FOLLOWED, None)


def follow_address() -> None:
    """Take what the address names, where that is new, and have it name what differs now. Called
    before the widgets are drawn. Keys move a slider faster than the browser takes the address of
    the last move: where a setting was changed since the page was drawn, an older address says
    nothing. An address without words stands for the settings of the open audit. Where none is open
    it says nothing: an example or a new audit leaves it."""
    state, base = st.session_state, _base()
    named = {name: st.query_params[name] for name in IN_ADDRESS if name in st.query_params}
    last: _Followed | None = state.get(_FOLLOWED)
    changed = last is not None and chosen_settings() != last.settings
    says = bool(named) or _OPENED in state
    if says and not changed and named != (last.words if last else {}):
        show_settings(_read_words(named, base))
    elif last is None:
        for name in IN_ADDRESS:  # the widgets of another page show their own start otherwise
            if name in state:
                state[name] = state[name]
    now = chosen_settings()
    words = _words(now, base)
    for name in named.keys() - words.keys():
        del st.query_params[name]
    for name, word in words.items():
        if named.get(name) != word:
            st.query_params[name] = word
    state[_FOLLOWED] = _Followed(now, words)


def address_words() -> Mapping[str, str]:
    """What the address names of the settings."""
    followed: _Followed | None = st.session_state.get(_FOLLOWED)
    return followed.words if followed else {}


def _base() -> Settings:
    """The settings of an address that names none."""
    opened: OpenedAudit | None = st.session_state.get(_OPENED)
    base: Settings = opened.audited if opened else st.session_state[_START]
    return base


def _words(now: Settings, base: Settings) -> dict[str, str]:
    """What an address names for ``now``, where it starts from ``base``."""
    words: dict[str, str] = {}
    if now.preset != base.preset:
        words["preset"] = _NO_PRESET if now.preset is None else str(now.preset)
    if now.profile != (base := _read_words(words, base)).profile:
        words["profile"] = now.profile
    if now.parameters.detector != (base := _read_words(words, base)).parameters.detector:
        words["detector"] = now.parameters.detector
    base = _read_words(words, base)
    for name in ("threshold", *OF_DETECTORS):
        value = getattr(now.parameters, name)
        if value != getattr(base.parameters, name):
            words[name] = _word(value)
    return words


def _read_words(words: Mapping[str, str], base: Settings) -> Settings:
    """The settings that an address with these ``words`` names; a word that is none is left out."""
    found = base
    if "preset" in words:
        found = _with_preset(words["preset"], found)
    profile = words.get("profile", found.profile)
    if profile != found.profile and not profile_problem(profile):
        found = _under_own_threshold(Settings(found.parameters, profile))
    detector = current_detector(words.get("detector", found.parameters.detector))
    if detector != found.parameters.detector and detector in DETECTORS:
        given = replace(found.parameters, detector=detector)
        found = _under_own_threshold(replace(found, parameters=given))
    for name in ("threshold", *OF_DETECTORS):
        if name in words:
            found = replace(found, parameters=_with_value(found.parameters, name, words[name]))
    return found


def _with_preset(word: str, settings: Settings) -> Settings:
    if word == _NO_PRESET:
        return _under_own_threshold(replace(settings, preset=None))
    try:
        preset = PresetStore.open().get(int(word))
    except (ValueError, StorageError):
        return settings
    return Settings(preset.parameters, preset.profile, preset.id)


def _under_own_threshold(settings: Settings) -> Settings:
    own = _own_threshold(settings.parameters.detector, settings.profile)
    return replace(settings, parameters=replace(settings.parameters, threshold=own))


def _own_threshold(detector: str, profile: str) -> float:
    return DETECTORS[detector].threshold(profile)


def _with_value(given: Parameters, name: str, word: str) -> Parameters:
    kind = type(getattr(given, name))
    try:
        value: Any = word == "yes" if kind is bool else kind(word)
        return replace(given, **{name: value})
    except ValueError:
        return given


def _word(value: bool | float | StrEnum) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and float(f"{value:.3f}") == value:
        return f"{value:.3f}"
    return str(value)


def _load(name: str) -> str:
    """Why the models of a profile cannot be loaded; "" when they are."""
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
