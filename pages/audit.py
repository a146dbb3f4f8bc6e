"""Audit one answer, or look at a saved audit (``?audit=ID``)."""

import streamlit as st

from dashboard.audit.corrections import draw_correction_links, draw_corrections
from dashboard.audit.form import current_context, draw_form, fill_from_audit, start_form
from dashboard.audit.judgements import draw_judgements
from dashboard.audit.methods import draw_methods
from dashboard.audit.result import draw_findings, draw_measurements
from dashboard.audit.save_audit import UnsavedAudit, keep_audit
from dashboard.shared.links import linked_audit, page_links
from dashboard.shared.navigation import require_app
from dashboard.shared.resources import shared_models
from dashboard.shared.sidebar import draw_settings, set_settings, start_settings, under_settings
from provenance_core import DETECTORS, Audit, InputError, ModelError, Parameters
from provenance_core.text.structured_context import given_context
from reports.wording import detector_title
from storage import SavedAudit, StorageError


def draw_unsaved(unsaved: UnsavedAudit, parameters: Parameters) -> None:
    """A finished audit that could not be saved."""
    st.divider()
    st.error(
        "The audit below could not be saved. It is not in the History, and lost when this browser "
        "tab is closed or reloaded."
    )
    st.text(unsaved.reason)
    st.button(
        "Save it again",
        on_click=keep_audit,
        args=(unsaved.audit, unsaved.corrected_from),
        icon=":material/save:",
    )
    draw_audit(unsaved.audit, parameters)


def draw_saved(saved: SavedAudit, parameters: Parameters) -> None:
    """An audit from the database."""
    st.divider()
    st.caption(f"Audit {saved.id}, {saved.audit.created_at[:16].replace('T', ' ')} UTC")
    draw_correction_links(saved)
    draw_methods(saved)
    draw_audit(saved.audit, parameters, saved)
    draw_judgements(saved)


def draw_audit(audit: Audit, parameters: Parameters, saved: SavedAudit | None = None) -> None:
    """``audit`` under the sidebar's ``parameters``, and how sidebar and form differ from it.
    ``saved``: the same as it is in the database, if it is there."""
    shown = under_settings(audit, parameters)
    if parameters.detector is not audit.parameters.detector:
        st.info(
            f"This audit is by {detector_title(audit.parameters.detector)} and is shown as it was "
            f"made. The sidebar is set to {detector_title(parameters.detector)}: press Audit to "
            "check the answer with that."
        )
        st.button(
            "Show the settings of this audit",
            on_click=set_settings,
            args=(audit.parameters, audit.evidence.profile),
            icon=":material/tune:",
        )
    elif shown.parameters != audit.parameters:
        st.info(
            f"Recomputed under the sidebar's settings from the stored scores. It was audited as "
            f"{audit.verdict} with score {audit.score:.3f} and threshold "
            f"{audit.parameters.threshold:.3f}; that is unchanged."
        )
    evidence = audit.evidence
    typed = [item.text for item in current_context()]
    if (state.query, state.answer, typed) != (
        evidence.query,
        evidence.answer,
        [item.text for item in given_context(evidence)],
    ):
        st.warning("The form differs from the audit below. Press Audit to check what it holds now.")
    draw_findings(shown)
    if saved is not None:
        draw_corrections(saved)
    draw_measurements(shown, 0 if saved is None else saved.id)


require_app()
state = st.session_state
start_form()
start_settings()

saved = None
wanted = st.query_params.get("audit", "")
problem = ""
if wanted:
    state.pop("unsaved_audit", None)
    try:
        saved = linked_audit(wanted)
    except (InputError, StorageError) as error:
        problem = str(error)
else:
    # Opened again from its link, an audit fills the form again.
    state.pop("shown_audit", None)
if saved is not None and state.get("shown_audit") != saved.id:
    fill_from_audit(saved.audit.evidence)
    set_settings(saved.audit.parameters, saved.audit.evidence.profile)
    state.shown_audit = saved.id

st.title("Audit an answer")
st.caption(
    "Is the answer supported by its context? "
    + (
        "A language model at an endpoint of yours judges it: the sidebar says what is sent there."
        if DETECTORS[state.detector].traits.sends_texts
        else "The profile's models check it on this machine; nothing leaves it."
    )
)
if problem:
    st.error("The audit cannot be shown.")
    st.text(problem)
    page_links("history")
parameters = draw_settings()

if draw_form(DETECTORS[parameters.detector].traits.context):
    bar = st.progress(0.0, text="Starting")

    def show_progress(stage: str, done: float) -> None:
        bar.progress(min(done, 1.0), text=stage)

    try:
        audit = shared_models(state.profile).audit(
            state.query,
            state.answer,
            current_context(),
            parameters,
            show_progress,
        )
    except (InputError, ModelError) as error:
        bar.empty()
        st.error("The answer was not audited. What you entered is still here.")
        st.text(str(error))
    else:
        keep_audit(audit)
        st.rerun()
elif saved is not None:
    draw_saved(saved, parameters)
elif "unsaved_audit" in state:
    draw_unsaved(state.unsaved_audit, parameters)
