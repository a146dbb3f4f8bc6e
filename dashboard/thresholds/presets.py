"""Saving the slider's threshold as a preset, and the list of presets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.shared.access import Role, allowed, visitor
from dashboard.shared.problems import draw_outcome, keep_outcome, kept_problems
from dashboard.shared.settings import choose_preset
from dashboard.shared.text_table import frame_table
from dashboard.thresholds.data import LABEL_SOURCES, LabelledItems, ScoredBy, View, curves
from dashboard.thresholds.view import THRESHOLD
from dashboard.thresholds.wording import (
    FIGURES,
    evidence_frame,
    objective_words,
    preset_figure,
    threshold_text,
)
from provenance_core import InputError, Parameters
from provenance_core.files.encoding import decode
from provenance_core.statistics.thresholds.types import (
    BestThreshold,
    LabelledScores,
    ThresholdFigures,
)
from reports.directions import without_turns
from reports.glossary import tooltip
from reports.listed_audits import filter_lines
from reports.wording import parameters_text
from storage import Preset, PresetEvidence, PresetStore, StorageError, UnreadablePreset

_OUTCOME, _SAME = "presets", "preset_same"
_NAME, _AUTHOR, _DEFAULT = "preset_name", "preset_author", "preset_default"
_NOW = "preset_now"
_MENU = "preset_menu"
_FILE, _OTHER_NAME = "preset_file", "preset_other_name"


def evidence_of(
    view: View,
    found: LabelledItems,
    sample: LabelledScores,
    there: ThresholdFigures,
    best: tuple[BestThreshold, ...],
) -> PresetEvidence:
    """What the page shows now, as a preset keeps it. ``sample`` holds an answer."""
    runs = sorted({each.item.run for each in found.items}) if view.chosen.runs else []
    areas = curves(view)
    return PresetEvidence(
        filter="; ".join(filter_lines(view.chosen, runs)),
        url=_query(there.threshold),
        labels_from=LABEL_SOURCES[view.labels_from],
        n=sample.n,
        base_rate=sample.supported / sample.n,
        objective=objective_words(there.threshold, best),
        figures=(
            *(preset_figure(FIGURES[e.figure][0], e.estimate) for e in there.figures),
            preset_figure("ROC AUC", areas.auc),
            preset_figure("Calibration error", areas.ece),
        ),
    )


def draw_save_menu(
    view: View,
    scored: ScoredBy,
    found: LabelledItems,
    sample: LabelledScores,
    there: ThresholdFigures,
    best: tuple[BestThreshold, ...],
) -> None:
    """A button behind which a form saves the slider's threshold with the settings of the score and
    the evidence."""
    with st.popover("Save as a preset", icon=":material/save:", key=_MENU, on_change="rerun"):
        _draw_save(view, scored, found, sample, there, best)


def _draw_save(
    view: View,
    scored: ScoredBy,
    found: LabelledItems,
    sample: LabelledScores,
    there: ThresholdFigures,
    best: tuple[BestThreshold, ...],
) -> None:
    profiles = sorted({each.item.profile for each in found.items})
    if len(profiles) != 1:
        st.info(
            "A preset is for one profile, but these answers were audited with "
            f"{len(profiles)}. Choose runs of one profile above."
        )
        return
    if len(scored.detectors) > 1:
        st.info(
            "A preset is for one detector, but these answers were scored by "
            f"{len(scored.detectors)}. Choose one under “Detector” in the filter."
        )
        return
    if scored.mixes_relevance:
        st.info(
            "A preset is for one kind of relevance, but some of these answers were scored with "
            "relevance by the cross-encoder and some by dense retrieval. Choose runs of one kind."
        )
        return
    if scored.as_stored and len(scored.settings) > 1:
        st.info(
            "A preset is for one set of settings, but these answers were scored with "
            f"{len(scored.settings)} of the same detector. Choose runs with the same settings."
        )
        return
    parameters = replace(view.parameters, threshold=there.threshold)
    evidence = evidence_of(view, found, sample, there, best)
    # Not the button's own help, which would lie over the form.
    st.caption(tooltip("preset"))
    with st.form("save_preset", border=False):
        st.text_input("Name of the preset", key=_NAME, max_chars=200)
        st.text_input("Your name (optional)", key=_AUTHOR, max_chars=80)
        st.checkbox(
            "Audit and Batch use it from now on",
            value=True,
            key=_NOW,
            help="In this browser tab. The sidebar lists it under Preset.",
        )
        st.checkbox(
            "Make it the default", key=_DEFAULT, help="Everybody's Audit and Batch start with it."
        )
        st.form_submit_button(
            f"Save threshold {threshold_text(there.threshold)}",
            type="primary",
            on_click=_save,
            args=(profiles[0], parameters, evidence),
        )


def draw_preset_outcome() -> None:
    """What became of the last save or change; what was refused says why."""
    draw_outcome(_OUTCOME, "The presets could not be changed.", "The presets were changed.")
    if same := st.session_state.pop(_SAME, ""):
        st.info("The presets are unchanged.")
        st.text(same)


def draw_presets() -> None:
    """Every preset with its evidence. StorageError when they cannot be read."""
    presets = PresetStore.open().listed()
    if not (presets.readable or presets.unreadable):
        st.caption("No preset yet.")
    for preset in presets.readable:
        _draw_preset(preset)
    for unreadable in presets.unreadable:
        with st.container(border=True):
            text, delete = st.columns([9, 1], vertical_alignment="center")
            text.text(unreadable.problem)
            _draw_delete(delete, unreadable)
    with st.expander("Import a preset"), st.form("import_preset", border=False):
        st.file_uploader("Exported preset (JSON)", type=["json"], key=_FILE)
        st.text_input("New name (optional)", key=_OTHER_NAME, max_chars=200)
        st.form_submit_button("Import the preset", key="import_preset_file", on_click=_import)


def _draw_preset(preset: Preset) -> None:
    evidence = preset.evidence
    with st.container(border=True):
        text, link, default, delete = st.columns([6, 1, 2, 1], vertical_alignment="center")
        text.text(preset.name + (" (the default)" if preset.is_default else ""))
        text.text(parameters_text(preset.parameters))
        link.page_link("pages/thresholds.py", label="Show", query_params=_params(evidence.url))
        if preset.is_default:
            default.button(
                "Remove as the default",
                key=f"clear_{preset.id}",
                on_click=_change,
                args=(_clear_default, preset.id, preset.name),
            )
        else:
            default.button(
                "Make it the default",
                key=f"default_{preset.id}",
                on_click=_change,
                args=(_set_default, preset.id, preset.name),
            )
        _draw_delete(delete, preset)
        with st.expander("Evidence and export"):
            st.text(
                without_turns(
                    f"n = {evidence.n:,}, {100 * evidence.base_rate:.1f} % supported; labels: "
                    f"{evidence.labels_from}; threshold: {evidence.objective}.\nFilter: "
                    f"{evidence.filter}.\nSaved {preset.created_at[:16].replace('T', ' ')} UTC"
                    + (f" by {preset.created_by}." if preset.created_by else ".")
                )
            )
            st.html(frame_table(evidence_frame(evidence.figures), decimals=3))
            st.download_button(
                "Export",
                partial(PresetStore.open().export, preset.id),
                f"preset-{preset.id}.json",
                "application/json",
                key=f"export_preset_{preset.id}",
                on_click="ignore",
                help="A file that another Provenance can import.",
            )


def _draw_delete(place: DeltaGenerator, preset: Preset | UnreadablePreset) -> None:
    place.button(
        "",
        icon=":material/delete:",
        key=f"delete_preset_{preset.id}",
        help="Deletes this preset; audits made with it do not change.",
        on_click=_change,
        args=(_delete, preset.id, preset.name),
    )


@allowed(Role.ADMIN, "save a preset")
@kept_problems(_OUTCOME)
def _save(profile: str, parameters: Parameters, evidence: PresetEvidence) -> None:
    state, store = st.session_state, PresetStore.open()
    author = visitor().name or state[_AUTHOR]
    number = store.save(state[_NAME], profile, parameters, evidence, author)
    use = "To use it, choose it under Preset in the sidebar of Audit or Batch."
    if state[_DEFAULT]:
        store.set_default(number)
        _start_again()
        use = "Audit and Batch start with it."
    elif state[_NOW]:
        choose_preset(number)
        use = "Audit and Batch use it from now on in this tab; the sidebar lists it under Preset."
    keep_outcome(_OUTCOME, f"“{state[_NAME].strip()}” was saved. {use}")
    state[_NAME] = ""
    state[_MENU] = False  # else it would hide what is said beside it


@allowed(Role.ADMIN, "import a preset")
@kept_problems(_OUTCOME)
def _import() -> None:
    state = st.session_state
    file = state[_FILE]
    if file is None:
        raise InputError("Choose a file first.")
    text, _ = decode(file.name, file.getvalue(), "Upload the exported file unchanged.")
    try:
        kept = PresetStore.open().import_text(text, state[_OTHER_NAME])
    except (InputError, StorageError) as error:
        raise InputError(f"{file.name}: {error}") from error
    state[_OTHER_NAME] = ""
    name = without_turns(kept.name)
    if kept.new:
        keep_outcome(_OUTCOME, f"“{name}” was imported. It is not the default.")
    else:
        state[_SAME] = (
            f"“{name}” of {file.name} already exists, with the same settings and evidence."
        )


@allowed(Role.ADMIN, "change a preset")
@kept_problems(_OUTCOME)
def _change(how: Callable[[int, str], str], number: int, name: str) -> None:
    keep_outcome(_OUTCOME, how(number, name))


def _set_default(number: int, name: str) -> str:
    PresetStore.open().set_default(number)
    _start_again()
    return f"Audit and Batch start with “{without_turns(name)}”."


def _clear_default(_number: int, _name: str) -> str:
    PresetStore.open().clear_default()
    _start_again()
    return "Audit and Batch start with the models' own defaults."


def _start_again() -> None:
    """Have this session's Audit and Batch start as those of a new one do."""
    st.session_state.pop("threshold", None)


def _delete(number: int, name: str) -> str:
    PresetStore.open().delete(number)
    return f"“{name}” was deleted."


def _query(threshold: float) -> str:
    """The page's query string with ``threshold`` in it."""
    shown = {name: st.query_params.get_all(name) for name in st.query_params}
    return urlencode({**shown, THRESHOLD: [threshold_text(threshold)]}, doseq=True)


def _params(url: str) -> dict[str, str | list[str]]:
    found = parse_qs(url)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}
