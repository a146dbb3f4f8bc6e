"""Which audits a person has seen the machine's view of, on any page.

A judgement of such an answer does not count as blind.

The process knows it by the reviewer's name until it ends, also after a reload. What was seen before
a name was given counts for whoever then gives one in the same session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import streamlit as st

from dashboard.shared.access import visitor
from storage import database_url

_UNNAMED = "seen_audits"


def note_seen(audit_ids: Iterable[int], reviewer: str = "") -> None:
    """The page shows the machine's view of these audits, and what others said of them.
    ``reviewer``: who looks; "" for the name that the session knows."""
    name = reviewer or visitor().name or st.session_state.get("reviewer", "").strip()
    if name:
        _seen()[database_url(), name].update(audit_ids)
    else:
        state = st.session_state
        state[_UNNAMED] = state.get(_UNNAMED, frozenset()) | {*audit_ids}


def has_seen(reviewer: str, audit_ids: Iterable[int]) -> bool:
    """Whether this reviewer has seen one of these audits, which are of one answer."""
    seen = _seen()[database_url(), reviewer] | st.session_state.get(_UNNAMED, frozenset())
    return not seen.isdisjoint(audit_ids)


@st.cache_resource(show_spinner=False)
def _seen() -> defaultdict[tuple[str, str], set[int]]:
    return defaultdict(set)
