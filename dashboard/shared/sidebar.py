"""The sidebar: preset, profile, detector, what the detector reads, threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dashboard.shared.links import page_links
from dashboard.shared.privacy_notice import draw_sending
from dashboard.shared.profile_choice import draw_profile, ready_profiles, take_profile
from dashboard.shared.start_parameters import start_parameters
from provenance_core import DETECTORS, Audit, Parameters, recompute
from provenance_core.audit.assembly import SELECTION_PARAMETERS
from provenance_core.models.dense_encoder import DEFAULT_ENCODER
from provenance_core.types import RelevanceMethod, SelectionStrategy
from reports import wording
from storage import Preset, PresetStore, StorageError

# The settings that are parameters of some detectors, each the session's key of its widget.
_OF_DETECTORS = (
    "selection",
    "top_p",
    "top_k",
    "aggregation",
    "claim_aggregation",
    "claim_form",
    "granularity",
    "contradiction_rule",
    "relevance_method",
    "encoder",
    "count_set_aside",
)
# Those of them that are arithmetic on what was measured (:func:`provenance_core.recompute`).
_RECOMPUTED = (
    "selection",
    "top_p",
    "top_k",
    "aggregation",
    "claim_aggregation",
    "contradiction_rule",
    "count_set_aside",
)


def set_settings(parameters: Parameters, profile: str) -> None:
    """Show ``parameters``, which are no preset's; called before the widgets are drawn."""
    state = st.session_state
    state.preset = None
    take_profile(profile)
    state.detector = parameters.detector
    state.threshold = parameters.threshold
    for name in _OF_DETECTORS:
        state[name] = getattr(parameters, name)


def start_settings() -> None:
    """The default preset, or the models' own defaults without one; once a session."""
    if "threshold" not in st.session_state:
        start = start_parameters()
        set_settings(start.parameters, start.profile)
        st.session_state.preset = start.preset
        st.session_state.preset_unused = start.problem


def draw_settings() -> Parameters:
    """Draw the sidebar; the parameters that it shows.

    What the chosen detector does not read is not drawn and has its default in them, so that two
    audits differ by what their scores depend on.
    """
    state = st.session_state
    with st.sidebar:
        preset = _draw_preset()
        draw_profile()
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
        uses = detector.traits.uses
        for needed, draw in _CONTROLS:
            if needed in uses:
                draw()
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
        parameters = Parameters(
            detector=state.detector,
            threshold=state.threshold,
            **{name: state[name] for name in _OF_DETECTORS if name in uses and name in state},
        )
        read = wording.settings_of(parameters)
        unread = [name for name in ("aggregation", "encoder") if name not in read]
        standard = Parameters()
        parameters = replace(parameters, **{name: getattr(standard, name) for name in unread})
        if preset is not None and (changed := _differences(parameters, preset.parameters)):
            st.caption("Changed since the preset was chosen: " + ", ".join(changed) + ".")
        return parameters


def under_settings(audit: Audit, shown: Parameters) -> Audit:
    """``audit`` under the sidebar's parameters ``shown``, from its stored scores.

    As it is where the sidebar shows another detector, whose settings say nothing of it; what its
    detector does not read, what the sidebar does not show, and what needs the models, stays in any
    case.
    """
    if shown.detector is not audit.parameters.detector:
        return audit
    reads = wording.settings_of(audit.parameters)
    # With another relevance, the sidebar has no aggregation to show.
    unshown = {"aggregation"} - set(wording.settings_of(shown))
    names = [name for name in _RECOMPUTED if name in reads and name not in unshown]
    if audit.parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER:
        names = [name for name in names if name not in SELECTION_PARAMETERS]
    elif "selection" in names:
        names = list(dict.fromkeys([*names, "top_p", "top_k"]))
    return recompute(
        audit, threshold=shown.threshold, **{name: getattr(shown, name) for name in names}
    )


def _use_own_threshold() -> None:
    """Put the slider at the threshold of the detector that was just chosen."""
    state = st.session_state
    state.threshold = DETECTORS[state.detector].threshold(state.profile)


def _draw_selection() -> None:
    state = st.session_state
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


def _draw_count_set_aside() -> None:
    st.toggle("Count what was set aside", key="count_set_aside", persist_state="session")
    st.caption(
        "What states nothing to check (a title, a greeting, a question) is set aside. Unless it is "
        "counted, it does not enter the score."
    )


def _draw_choice(
    title: str,
    key: str,
    values: Mapping[Any, str],
    explained: Mapping[Any, str],
    note: str = "",
) -> None:
    """A box for a parameter that has one of several values, and what the chosen one means."""
    st.selectbox(
        title, list(values), format_func=values.__getitem__, key=key, persist_state="session"
    )
    st.caption(explained[st.session_state[key]] + note)


_MEASURED = " A change takes effect at the next audit."


def _draw_relevance_method() -> None:
    _draw_choice(
        "Relevance",
        "relevance_method",
        wording.RELEVANCE_METHODS,
        wording.RELEVANCE_METHOD_HELP,
        _MEASURED,
    )
    if st.session_state.relevance_method is not RelevanceMethod.CROSS_ENCODER:
        st.text_input(
            "Encoder",
            key="encoder",
            placeholder=DEFAULT_ENCODER,
            persist_state="session",
            help="Any sentence-transformers model, by its name or the folder that holds it.",
        )


# What is drawn for which parameter, in this order.
_CONTROLS: tuple[tuple[str, Callable[[], None]], ...] = (
    ("relevance_method", _draw_relevance_method),
    ("selection", _draw_selection),
    (
        "aggregation",
        partial(
            _draw_choice,
            "Aggregation",
            "aggregation",
            wording.AGGREGATIONS,
            wording.AGGREGATION_HELP,
        ),
    ),
    (
        "claim_aggregation",
        partial(
            _draw_choice,
            "Answer with several claims",
            "claim_aggregation",
            wording.CLAIM_AGGREGATIONS,
            wording.CLAIM_AGGREGATION_HELP,
        ),
    ),
    (
        "claim_form",
        partial(
            _draw_choice,
            "Claim form",
            "claim_form",
            wording.CLAIM_FORMS,
            wording.CLAIM_FORM_HELP,
            _MEASURED,
        ),
    ),
    (
        "granularity",
        partial(
            _draw_choice,
            "Granularity",
            "granularity",
            wording.GRANULARITIES,
            wording.GRANULARITY_HELP,
            _MEASURED,
        ),
    ),
    (
        "contradiction_rule",
        partial(
            _draw_choice,
            "Contradictions that count",
            "contradiction_rule",
            wording.CONTRADICTION_RULES,
            wording.CONTRADICTION_RULE_HELP,
        ),
    ),
    ("count_set_aside", _draw_count_set_aside),
)


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
    ready = ready_profiles()
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
    """What differs, in the words of the sidebar; only what the shown detector reads counts."""
    names = ["detector", *wording.settings_of(shown), "threshold"]
    return [
        wording.SETTING_NAMES.get(name, name)
        for name in names
        if getattr(shown, name) != getattr(saved, name)
    ]
