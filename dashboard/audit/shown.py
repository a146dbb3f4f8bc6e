"""The audit on the Audit page: just made, opened by its link, or not saved."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.audit.chosen_sentence import SentenceChoice
from dashboard.audit.corrections import draw_correction_links, draw_corrections, read_corrections
from dashboard.audit.form import current_context, draw_form, fill_from_audit, folded_line, start_new
from dashboard.audit.judgements import draw_judgements
from dashboard.audit.kept_form import keep_form
from dashboard.audit.methods import draw_methods
from dashboard.audit.result import (
    TABS,
    draw_details,
    draw_downloads,
    draw_matrix,
    draw_score,
    draw_sources,
    draw_verdict,
)
from dashboard.audit.save_audit import UnsavedAudit, keep_audit
from dashboard.shared.access import Role, allowed
from dashboard.shared.audit_run import RunPlace, audited_with_bar
from dashboard.shared.copy_link import draw_copy_link
from dashboard.shared.links import linked_audit, open_demo, page_links
from dashboard.shared.problems import draw_problem
from dashboard.shared.scrolling import scroll_to_top
from dashboard.shared.seen_audits import note_seen
from dashboard.shared.settings import (
    Settings,
    address_words,
    chosen_settings,
    leave_audit,
    show_audit_settings,
    show_settings,
    shows_settings_of,
)
from dashboard.shared.sidebar import selection_problem, under_settings
from provenance_core import DETECTORS, Audit, InputError, Parameters, Verdict
from provenance_core.detectors import unusable, what_is_sent
from provenance_core.explain.names import detector_title
from provenance_core.text.structured_context import given_context
from reports.wording import STATES
from storage import SavedAudit, StorageError


def open_linked() -> tuple[SavedAudit | None, str]:
    """The audit that the link names, with the form and the sidebar set to it when it is opened;
    else why it cannot be shown ("" without a link)."""
    state = st.session_state
    wanted = st.query_params.get("audit", "")
    if not wanted:
        # Opened again from its link, an audit fills the form again.
        state.pop("shown_audit", None)
        leave_audit()
        return None, ""
    state.pop("unsaved_audit", None)
    try:
        saved = linked_audit(wanted)
    except (InputError, StorageError) as error:
        return None, str(error)
    note_seen([saved.id])
    opened = state.get("shown_audit") != saved.id
    if opened:
        # A link from one audit to another leaves the browser's address as it was.
        st.query_params["audit"] = str(saved.id)
        state.new_result = True
        fill_from_audit(saved.audit.evidence)
        state.shown_audit = saved.id
    # Another page may have left the audit while its form stayed as it was.
    if opened or not shows_settings_of(saved.id):
        show_audit_settings(saved.id, saved.audit)
    return saved, ""


def draw_link_problem(problem: str) -> None:
    """Why the linked audit is not shown, if it is not."""
    if problem:
        draw_problem("The audit cannot be shown.", problem)
        page_links("history")


def where_it_runs() -> str:
    """Who checks the answer under the sidebar's settings."""
    if DETECTORS[st.session_state.detector].traits.sends_texts:
        return "A language model at your endpoint judges it. The sidebar shows what is sent there."
    chosen = chosen_settings().parameters
    if not unusable(chosen) and what_is_sent(chosen):
        return (
            "Models on this machine check it, and a language model at your endpoint the sentences "
            "in doubt. The sidebar shows what is sent there."
        )
    return "Models on this machine check it; no text leaves the machine."


@allowed(Role.REVIEWER, "audit an answer")
def run_audit(parameters: Parameters, place: RunPlace) -> None:
    """Audit what the form holds, save it and draw the page again; or say why it was not audited.
    ``place``: where it says how far it is."""
    state = st.session_state
    audit = audited_with_bar(
        state.profile,
        state.query,
        state.answer,
        current_context(),
        parameters,
        failure="The answer was not audited. What you entered is still here.",
        stopped="The audit was stopped, and nothing was saved. What you entered is still here.",
        place=place,
    )
    if audit is not None:
        keep_audit(audit)
        st.rerun()


def has_result(saved: SavedAudit | None) -> bool:
    """Whether the page shows an audit."""
    return saved is not None or "unsaved_audit" in st.session_state


def result_under(saved: SavedAudit | None, parameters: Parameters) -> Audit | None:
    """The audit that the page shows, under the sidebar's ``parameters``; None without one."""
    if not has_result(saved):
        return None
    audit = st.session_state.unsaved_audit.audit if saved is None else saved.audit
    return under_settings(audit, parameters)


def draw_head(saved: SavedAudit | None, shown: Audit | None) -> None:
    """The title. Where a result is ``shown``, what can be done with it stands beside."""
    if shown is None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.title("Audit an answer")
            st.button(
                "Show me",
                on_click=open_demo,
                icon=":material/play_circle:",
                help="Five steps over prepared audits, in two minutes.",
            )
        st.caption(
            "Provenance checks, sentence by sentence, whether an answer is supported by "
            f"its context, and shows the evidence. {where_it_runs()}"
        )
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Unsaved audit" if saved is None else f"Audit {saved.id}", anchor=False)
        with st.container(
            horizontal=True, width="content", vertical_alignment="center", gap="xsmall"
        ):
            st.button("New audit", on_click=start_new, icon=":material/add:")
            if saved is not None:
                draw_copy_link(urlencode({"audit": saved.id, **address_words()}), key="copy_link")
            with st.popover("Export", icon=":material/download:"):
                draw_downloads(shown, saved.id if saved is not None else 0)


def draw_folding_form(saved: SavedAudit | None, parameters: Parameters) -> RunPlace | None:
    """The form, folded into a line while there is a result. When Audit was pressed, the place where
    the audit says how far it is; else None."""
    state = st.session_state
    # Its place stays when it is empty: what follows is not drawn anew, which takes the focus away.
    # An empty container would show what stood there before until the page is drawn.
    to_top = st.empty()
    if state.pop("new_result", False):
        state.form_open = False
        # The button that was pressed is far below what the page shows now.
        scroll_to_top(to_top)
    with st.container(key="kept_form_room"):
        keep_form(saved.id if saved is not None else None)
    if not has_result(saved):
        state.pop("form_open", None)
        return draw_form(parameters)
    with st.expander(folded_line(), key="form_open", on_change="rerun"):
        return draw_form(parameters)


def draw_shown(saved: SavedAudit | None, shown: Audit | None, parameters: Parameters) -> None:
    """The opened audit, or the one that could not be saved, if there is one; ``shown`` is the same
    under ``parameters``."""
    if shown is None:
        return
    if saved is not None:
        _draw_saved(saved, shown, parameters)
    else:
        _draw_unsaved(st.session_state.unsaved_audit, shown, parameters)


def _draw_unsaved(unsaved: UnsavedAudit, shown: Audit, parameters: Parameters) -> None:
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
    choice = _draw_under_settings(unsaved.audit, shown, parameters)
    tabs = dict(zip(TABS, st.tabs(list(TABS), key="result_tabs"), strict=True))
    _draw_tabs(shown, tabs, choice, 0)
    for name in ("Corrections", "Detectors", "Judgements"):
        tabs[name].caption("Save the audit first.")


def _draw_saved(saved: SavedAudit, shown: Audit, parameters: Parameters) -> None:
    found = read_corrections(saved)
    first = found.original if found else None
    original = first.answer if first else ""
    choice = _draw_under_settings(saved.audit, shown, parameters, original)
    tabs = dict(zip(TABS, st.tabs(list(TABS), key="result_tabs"), strict=True))
    _draw_tabs(shown, tabs, choice, saved.id)
    with tabs["Corrections"]:
        if found is not None:
            draw_correction_links(saved, found)
        draw_corrections(saved)
    with tabs["Detectors"]:
        draw_methods(saved)
    with tabs["Judgements"]:
        draw_judgements(saved)


def _draw_tabs(
    audit: Audit, tabs: Mapping[str, DeltaGenerator], choice: SentenceChoice, audit_id: int
) -> None:
    """What is shown of an audit, saved (``audit_id`` not 0) or not."""
    with tabs["How the score came about"]:
        draw_score(audit, choice)
    with tabs["Heatmap"]:
        draw_matrix(audit, choice, audit_id)
    with tabs["Sources"]:
        draw_sources(audit)
    with tabs["Parameters"]:
        draw_details(audit, audit_id)


def _draw_under_settings(
    audit: Audit, shown: Audit, parameters: Parameters, original: str = ""
) -> SentenceChoice:
    """Verdict and answer of ``audit`` as it is ``shown`` under the settings ``parameters``, and how
    form and settings differ from it; which sentence is chosen. ``original``: the answer that this
    one corrects; "" for none."""
    differs = st.empty()  # a place that stays, as above
    if _form_differs(audit):
        differs.warning(
            "The form differs from the audit below. Press Audit to check what it holds now."
        )
    unread = st.empty()
    if problem := selection_problem(audit, parameters):
        unread.warning(f"{problem} The audit is shown with its own selection.")
    choice = draw_verdict(shown, original)
    other = st.empty()  # a place that stays, as above
    if shown.parameters != audit.parameters or parameters.detector != audit.parameters.detector:
        with other.container():
            _draw_other_settings(audit, shown, parameters)
    return choice


def _draw_other_settings(audit: Audit, shown: Audit, parameters: Parameters) -> None:
    """How the settings ``parameters`` differ from those of ``audit``, which is ``shown`` under
    them."""
    if parameters.detector != audit.parameters.detector:
        st.info(
            f"This audit is by {detector_title(audit.parameters.detector)} and is shown as it was "
            f"made. The sidebar is set to {detector_title(parameters.detector)}: press Audit to "
            "check the answer with that."
        )
        st.button(
            "Show the settings of this audit",
            on_click=show_settings,
            args=(Settings(audit.parameters, audit.evidence.profile),),
            icon=":material/tune:",
        )
    else:
        st.info(
            f"Recomputed under these settings from the stored scores. It was audited as "
            f"{_audited_as(audit)}; that is unchanged."
        )


def _audited_as(audit: Audit) -> str:
    name = STATES[audit.state][1].lower()
    if audit.verdict is Verdict.NOTHING_TO_CHECK:
        return name
    return f"{name} with score {audit.score:.3f} and threshold {audit.parameters.threshold:.3f}"


def _form_differs(audit: Audit) -> bool:
    state, evidence = st.session_state, audit.evidence
    typed = [item.text for item in current_context()]
    return (state.query, state.answer, typed) != (
        evidence.query,
        evidence.answer,
        [item.text for item in given_context(evidence)],
    )
