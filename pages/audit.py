"""Audit one answer, or look at a saved audit (``?audit=ID``)."""

import streamlit as st

from dashboard.form import current_context, draw_form, fill_from_audit, start_form
from dashboard.judgements import draw_judgements
from dashboard.links import linked_audit, page_links
from dashboard.methods_view import draw_methods
from dashboard.navigation import require_app
from dashboard.resources import shared_models, store
from dashboard.result_view import draw_result
from dashboard.settings import draw_settings, set_settings, start_settings, under_settings
from dashboard.wording import detector_title
from provenance_core import DETECTORS, Audit, InputError, ModelError, Parameters
from provenance_core.structured_context import given_context
from storage import SavedAudit, StorageError


def keep(audit: Audit) -> None:
    """Save ``audit`` and link to it; if that fails, keep it in the session with the reason."""
    try:
        number = store().save(audit)
    except StorageError as error:
        state.unsaved_audit = (audit, str(error))
        st.query_params.pop("audit", None)
    else:
        state.pop("unsaved_audit", None)
        state.shown_audit = number
        st.query_params["audit"] = str(number)


def draw_unsaved(audit: Audit, reason: str, parameters: Parameters) -> None:
    """A finished audit that could not be saved."""
    st.divider()
    st.error(
        "The audit below could not be saved. It is not in the History, and lost when this browser "
        "tab is closed or reloaded."
    )
    st.text(reason)
    st.button("Save it again", on_click=keep, args=(audit,), icon=":material/save:")
    draw_audit(audit, 0, parameters)


def draw_saved(saved: SavedAudit, parameters: Parameters) -> None:
    """An audit from the database."""
    st.divider()
    st.caption(f"Audit {saved.id}, {saved.audit.created_at[:16].replace('T', ' ')} UTC")
    draw_methods(saved)
    draw_audit(saved.audit, saved.id, parameters)
    draw_judgements(saved)


def draw_audit(audit: Audit, number: int, parameters: Parameters) -> None:
    """``audit`` under the sidebar's ``parameters``, and how sidebar and form differ from it."""
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
    draw_result(shown, number)


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
    "Is the answer supported by its context? The profile's models check it on this machine; "
    "nothing leaves it."
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
        keep(audit)
        st.rerun()
elif saved is not None:
    draw_saved(saved, parameters)
elif "unsaved_audit" in state:
    unsaved, reason = state.unsaved_audit
    draw_unsaved(unsaved, reason, parameters)
