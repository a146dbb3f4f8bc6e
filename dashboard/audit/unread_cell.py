"""A cell of the heatmap that the audit left out: read when asked for, and kept with the audit."""

from __future__ import annotations

import streamlit as st

from dashboard.audit.save_audit import UnsavedAudit
from dashboard.shared.access import Role, allowed
from dashboard.shared.audit_run import RunPlace, problems_at, run_place, wait_with_bar
from provenance_core import Audit
from provenance_core.audit.read_later import read_later, with_later
from provenance_core.audit.shared_models import shared_models
from provenance_core.progress import Progress
from provenance_core.types import LaterReading
from storage import AuditStore


def draw_unread_cell(audit: Audit, audit_id: int, sentence: int, chunk: int) -> None:
    """Offer to read a pair that the audit left out; nothing for any other. ``audit_id``: 0 of an
    audit that is not saved."""
    if audit.evidence.read[sentence, chunk]:
        return
    if audit.evidence.later(sentence, chunk) is not None:
        st.caption("This was read after the audit. Score, labels and verdict stay as they are.")
        return
    pressed = st.button(
        "Read this chunk",
        icon=":material/menu_book:",
        key="read_this_chunk",
        help="The NLI model reads the sentence against this chunk. What it says is kept with the "
        "audit and changes no score, label or verdict.",
    )
    place = run_place("unread_cell")
    if pressed:
        _read(audit, audit_id, sentence, chunk, place)


def _read(audit: Audit, audit_id: int, sentence: int, chunk: int, place: RunPlace) -> None:
    def read(progress: Progress) -> LaterReading:
        with shared_models().use(audit.evidence.profile, progress) as models:
            progress.stage("Reading")(0.0)
            return read_later(audit, sentence, chunk, models)

    with problems_at(place, "The chunk was not read."):
        reading = wait_with_bar(read, "Reading was stopped, and nothing was kept.", place)
        _keep(audit_id, reading)
        st.rerun()


@allowed(Role.REVIEWER, "read a chunk after the audit")
def _keep(audit_id: int, reading: LaterReading) -> None:
    state = st.session_state
    if audit_id:
        AuditStore.open().keep_later(audit_id, reading)
    elif isinstance(unsaved := state.get("unsaved_audit"), UnsavedAudit):
        state.unsaved_audit = UnsavedAudit(
            with_later(unsaved.audit, reading), unsaved.reason, unsaved.corrected_from
        )
