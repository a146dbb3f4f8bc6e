"""The audit on the Audit page: just made, opened by its link, or not saved."""

from __future__ import annotations

import streamlit as st

from dashboard.audit.corrections import draw_correction_links, draw_corrections
from dashboard.audit.form import current_context, fill_from_audit
from dashboard.audit.judgements import draw_judgements
from dashboard.audit.methods import draw_methods
from dashboard.audit.result import draw_findings, draw_measurements
from dashboard.audit.save_audit import UnsavedAudit, keep_audit
from dashboard.shared.links import linked_audit, page_links
from dashboard.shared.problems import draw_problem
from dashboard.shared.resources import shared_models
from dashboard.shared.sidebar import set_settings, under_settings
from provenance_core import DETECTORS, Audit, InputError, ModelError, Parameters
from provenance_core.text.structured_context import given_context
from reports.wording import detector_title
from storage import SavedAudit, StorageError


def open_linked() -> tuple[SavedAudit | None, str]:
    """The audit that the link names, with the form and the sidebar set to it when it is opened;
    else why it cannot be shown ("" without a link)."""
    state = st.session_state
    wanted = st.query_params.get("audit", "")
    if not wanted:
        # Opened again from its link, an audit fills the form again.
        state.pop("shown_audit", None)
        return None, ""
    state.pop("unsaved_audit", None)
    try:
        saved = linked_audit(wanted)
    except (InputError, StorageError) as error:
        return None, str(error)
    if state.get("shown_audit") != saved.id:
        fill_from_audit(saved.audit.evidence)
        set_settings(saved.audit.parameters, saved.audit.evidence.profile)
        state.shown_audit = saved.id
    return saved, ""


def draw_link_problem(problem: str) -> None:
    """Why the linked audit is not shown, if it is not."""
    if problem:
        draw_problem("The audit cannot be shown.", problem)
        page_links("history")


def where_it_runs() -> str:
    """Who checks the answer under the sidebar's settings."""
    if DETECTORS[st.session_state.detector].traits.sends_texts:
        return (
            "A language model at an endpoint of yours judges it: the sidebar says what is sent "
            "there."
        )
    return "The profile's models check it on this machine; nothing leaves it."


def run_audit(parameters: Parameters) -> None:
    """Audit what the form holds, save it and draw the page anew; or say why it was not."""
    state = st.session_state
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
        draw_problem("The answer was not audited. What you entered is still here.", error)
    else:
        keep_audit(audit)
        st.rerun()


def draw_shown(saved: SavedAudit | None, parameters: Parameters) -> None:
    """The opened audit, or the one that could not be saved, if there is one."""
    if saved is not None:
        _draw_saved(saved, parameters)
    elif "unsaved_audit" in st.session_state:
        _draw_unsaved(st.session_state.unsaved_audit, parameters)


def _draw_unsaved(unsaved: UnsavedAudit, parameters: Parameters) -> None:
    st.divider()
    draw_problem(
        "The audit below could not be saved. It is not in the History: you lose it when you close "
        "or reload this browser tab.",
        unsaved.reason,
    )
    st.button(
        "Save it again",
        on_click=keep_audit,
        args=(unsaved.audit, unsaved.corrected_from),
        icon=":material/save:",
    )
    _draw_audit(unsaved.audit, parameters)


def _draw_saved(saved: SavedAudit, parameters: Parameters) -> None:
    st.divider()
    st.caption(f"Audit {saved.id}, {saved.audit.created_at[:16].replace('T', ' ')} UTC")
    draw_correction_links(saved)
    draw_methods(saved)
    _draw_audit(saved.audit, parameters, saved)
    draw_judgements(saved)


def _draw_audit(audit: Audit, parameters: Parameters, saved: SavedAudit | None = None) -> None:
    """``audit`` under the sidebar's ``parameters``, and how sidebar and form differ from it.
    ``saved``: the same as it is in the database, if it is there."""
    shown = under_settings(audit, parameters)
    if parameters.detector != audit.parameters.detector:
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
    if _form_differs(audit):
        st.warning("The form differs from the audit below. Press Audit to check what it holds now.")
    draw_findings(shown)
    if saved is not None:
        draw_corrections(saved)
    draw_measurements(shown, 0 if saved is None else saved.id)


def _form_differs(audit: Audit) -> bool:
    state, evidence = st.session_state, audit.evidence
    typed = [item.text for item in current_context()]
    return (state.query, state.answer, typed) != (
        evidence.query,
        evidence.answer,
        [item.text for item in given_context(evidence)],
    )
