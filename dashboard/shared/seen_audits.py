"""Which audits a person has seen the machine's view of, on any page.

A judgement of such an answer does not count as blind. The database keeps it by the reviewer's name.
What was seen before a name was given counts for whoever then gives one in the same session.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable

import streamlit as st

from dashboard.shared.access import visitor
from dashboard.shared.remembered_name import remembered_name
from storage import SeenAuditStore, StorageError, database_url

_LOG = logging.getLogger(__name__)
_UNNAMED, _NOTED = "seen_audits", "noted_audits"


def note_seen(audit_ids: Iterable[int], reviewer: str = "") -> None:
    """The page shows the machine's view of these audits, and what others said of them.
    ``reviewer``: who looks; "" for the name that the session or the browser knows."""
    state = st.session_state
    name = reviewer or visitor().name or state.get("reviewer", "").strip() or remembered_name()
    if not name:
        state[_UNNAMED] = state.get(_UNNAMED, frozenset()) | {*audit_ids}
        return
    # A page is drawn many times: only what is new is written.
    noted: set[tuple[str, str, int]] = state.setdefault(_NOTED, set())
    url = database_url()
    new = {number for number in audit_ids if (url, name, number) not in noted}
    if not new:
        return
    try:
        SeenAuditStore.open().note(name, new)
    except StorageError as error:
        # The list is shown all the same; it is tried again when the page is drawn next.
        _LOG.warning("event=seen_not_kept reason=%s", error)
        return
    noted |= {(url, name, number) for number in new}


def has_seen(reviewer: str, audit_ids: Collection[int]) -> bool:
    """Whether this reviewer has seen one of these audits, which are of one answer. StorageError
    when that cannot be read."""
    if not st.session_state.get(_UNNAMED, frozenset()).isdisjoint(audit_ids):
        note_seen(audit_ids, reviewer)
        return True
    return SeenAuditStore.open().any_seen(reviewer, audit_ids)
