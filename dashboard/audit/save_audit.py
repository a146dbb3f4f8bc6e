"""A finished audit is saved; one that cannot be is kept in the session with the reason."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.settings import adopt_settings
from provenance_core import Audit
from storage import AuditNotFound, AuditStore, StorageError


@dataclass(frozen=True, slots=True)
class UnsavedAudit:
    """An audit that is not in the database, and why. ``corrected_from``: the number of the audit
    whose answer is corrected in it."""

    audit: Audit
    reason: str
    corrected_from: int | None


@allowed(Role.REVIEWER, "save an audit")
def keep_audit(audit: Audit, corrected_from: int | None = None, *, of_form: bool = True) -> None:
    """Save ``audit`` and link to it; if that fails, keep it in the session with the reason.
    ``of_form``: whether it is of the form and the settings as they are shown; if not, both are set
    to it when it is opened. A corrected answer never is."""
    state = st.session_state
    state.new_result = True
    try:
        number = AuditStore.open().save(audit, corrected_from)
    except AuditNotFound:
        reason = (
            f"Audit {corrected_from}, whose answer is corrected here, has been deleted. Save this "
            "one again to keep it without the link."
        )
        _keep_unsaved(UnsavedAudit(audit, reason, None))
    except StorageError as error:
        if corrected_from is None and of_form:
            adopt_settings(None)
        _keep_unsaved(UnsavedAudit(audit, str(error), corrected_from))
    else:
        state.pop("unsaved_audit", None)
        if corrected_from is None and of_form:
            state.shown_audit = number
            adopt_settings(number)
        else:
            # Another than that in the form, which is filled when the audit is opened.
            state.pop("shown_audit", None)
        # No more, so that a threshold moved on another audit is not taken for this one's.
        st.query_params.from_dict({"audit": str(number)})


def _keep_unsaved(unsaved: UnsavedAudit) -> None:
    st.session_state.unsaved_audit = unsaved
    st.query_params.pop("audit", None)
