"""A reviewer types what the answer should say; it is audited, and stands next to the original."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.audit_run import RunPlace, audited_with_bar, run_place
from dashboard.shared.links import open_link
from dashboard.shared.privacy_notice import draw_sending
from dashboard.shared.problems import draw_problem
from provenance_core import Audit
from provenance_core.explain.names import detector_title
from provenance_core.text.structured_context import given_context
from provenance_core.types import verdict_state
from reports.answer_difference import two_answers
from reports.listed_audits import state_text
from storage import AuditRow, AuditStore, StorageError

_MOST_CHARACTERS = 100_000


def draw_correction(audit_id: int, audit: Audit, reviewer: str, *, hidden: bool) -> None:
    """A menu with the box for a corrected answer, and the corrections that are there. ``hidden``:
    whether the machine's view is hidden, which its audit of a correction would show. StorageError
    when they cannot be read."""
    with (
        st.popover("Correct", icon=":material/edit:", help="Type what the answer should say"),
        st.container(key="typed_correction_room"),
    ):
        if hidden:
            st.caption("Save your judgement first: the audit of a correction is a machine's view.")
            return
        name = audit.parameters.detector
        st.caption(
            f"Type what the answer should say. {detector_title(name)} audits it with the same "
            "context and settings and saves it as an audit of its own, with your name. The "
            "original stays as it is."
        )
        answer = audit.evidence.answer
        key = f"typed_correction_{audit_id}"
        st.session_state.setdefault(key, answer)
        st.text_area(
            "Corrected answer",
            key=key,
            height=160,
            max_chars=_MOST_CHARACTERS,
            persist_state="session",
        )
        draw_sending(audit.parameters)
        typed: str = st.session_state[key]
        unchanged = typed.strip() == answer.strip()
        pressed = st.button(
            "Audit the correction",
            key=f"audit_correction_{audit_id}",
            disabled=unchanged or not typed.strip(),
            help="Change the answer first." if unchanged else None,
        )
        place = run_place("typed_correction")
        if pressed:
            _audit_typed(audit_id, audit, typed, reviewer, place)
        _draw_there(audit_id, audit)


def _audit_typed(audit_id: int, audit: Audit, typed: str, reviewer: str, place: RunPlace) -> None:
    evidence = audit.evidence
    found = audited_with_bar(
        evidence.profile,
        evidence.query,
        typed,
        given_context(evidence),
        audit.parameters,
        failure="The correction was not audited. What you typed is still here.",
        stopped="The audit was stopped, and nothing was saved. What you typed is still here.",
        place=place,
    )
    if found is not None and _kept(audit_id, found, reviewer, draw_problem):
        st.rerun()


@allowed(Role.REVIEWER, "correct an answer")
def _kept(
    audit_id: int, found: Audit, reviewer: str, refuse: Callable[[str, object], None]
) -> bool:
    try:
        AuditStore.open().save(found, audit_id, corrected_by=reviewer)
    except StorageError as error:
        refuse("The correction was not saved. What you typed is still here.", error)
        return False
    return True


def _draw_there(audit_id: int, audit: Audit) -> None:
    """The corrections that are there, each next to the original."""
    store = AuditStore.open()
    rows = store.corrections(audit_id).corrected
    authors = store.corrected_by([row.id for row in rows])
    original = f"Original: {state_text(audit.state)} {audit.score:.3f}"
    for row in reversed(rows):
        author = authors.get(row.id)
        head = f"Audit {row.id}{f' by {author}' if author else ''}: {_said(row)}"
        st.html(two_answers(audit.evidence.answer, row.answer, (original, head)))
        open_link(st.container(), row.id, f"Open audit {row.id}")


def _said(row: AuditRow) -> str:
    return f"{state_text(verdict_state(row.verdict, row.unsupported_sentences))} {row.score:.3f}"
