"""Audit one answer, or look at a saved audit (``?audit=ID``)."""

import streamlit as st

from dashboard.form import current_context, draw_form, fill_from_audit, start_form
from dashboard.resources import shared_models, store
from dashboard.result_view import draw_result
from dashboard.settings import draw_settings, set_settings, start_settings
from provenance_core import InputError, ModelError, recompute
from storage import AuditNotFound, StorageError

state = st.session_state
start_form()
start_settings()

saved = None
wanted = st.query_params.get("audit", "")
problem = ""
if wanted.isdecimal():
    try:
        saved = store().load(int(wanted))
    except (AuditNotFound, StorageError) as error:
        problem = str(error)
elif wanted:
    problem = f"The link's audit number {wanted!r} is not a number."
else:
    # Opened again from its link, an audit fills the form again.
    state.pop("shown_audit", None)
if saved is not None and state.get("shown_audit") != saved.id:
    fill_from_audit(saved.audit.evidence)
    set_settings(saved.audit.parameters, saved.audit.evidence.profile)
    state.shown_audit = saved.id

st.title("Audit an answer")
st.caption(
    "Is the answer supported by its context? Two small models on this machine check it; nothing "
    "leaves it."
)
if problem:
    st.error("The audit cannot be shown.")
    st.text(problem)
parameters = draw_settings()

if draw_form():
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
        bar.empty()
        try:
            number = store().save(audit)
        except StorageError as error:
            st.error("The audit could not be saved: it is shown below and lost with this page.")
            st.text(str(error))
            draw_result(audit, 0)
        else:
            state.shown_audit = number
            st.query_params["audit"] = str(number)
            st.rerun()
elif saved is not None:
    shown = recompute(
        saved.audit,
        threshold=parameters.threshold,
        aggregation=parameters.aggregation,
        selection=parameters.selection,
        top_p=parameters.top_p,
        top_k=parameters.top_k,
        claim_aggregation=parameters.claim_aggregation,
    )
    st.divider()
    st.caption(f"Audit {saved.id}, {saved.audit.created_at[:16].replace('T', ' ')} UTC")
    if shown.parameters != saved.audit.parameters:
        st.info(
            f"Recomputed under the sidebar's settings from the stored scores. It was saved as "
            f"{saved.audit.verdict} with score {saved.audit.score:.3f} and threshold "
            f"{saved.audit.parameters.threshold:.3f}; that is unchanged."
        )
    evidence = saved.audit.evidence
    typed = [item.text for item in current_context()]
    if (state.query, state.answer, typed) != (
        evidence.query,
        evidence.answer,
        [item.text for item in evidence.context],
    ):
        st.warning("The form differs from the audit below. Press Audit to check what it holds now.")
    draw_result(shown, saved.id)
