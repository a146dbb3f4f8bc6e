"""Links to pages and audits, and the audit that a link names by ``?audit=NUMBER``."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from provenance_core import InputError
from storage import AuditStore, SavedAudit

# As many as the largest number that a database takes has, and a sign.
_MOST_DIGITS = 20


def linked_audit(wanted: str) -> SavedAudit:
    """The audit that the link names; InputError or StorageError when it cannot be had."""
    hint = "Open the audit from the History page."
    if len(wanted) > _MOST_DIGITS:
        raise InputError(
            f"The link's audit number, {wanted[:_MOST_DIGITS]}…, is too long: it has "
            f"{len(wanted):,} characters. {hint}"
        )
    try:
        number = int(wanted)
    except ValueError:
        raise InputError(f"The link's audit number {wanted!r} is not a number. {hint}") from None
    return AuditStore.open().load(number)


def open_link(place: DeltaGenerator, audit_id: int, label: str = "Open") -> None:
    """A link to the page of an audit, the same in every list."""
    place.page_link(
        "pages/audit.py",
        label=label,
        icon=":material/arrow_forward:",
        query_params={"audit": str(audit_id)},
        width="stretch",
    )


def page_links(*names: str) -> None:
    """Links, side by side, to the pages that the text above them names, by the names of their
    files."""
    with st.container(horizontal=True, gap="small"):
        for name in names:
            st.page_link(f"pages/{name}.py", width="content")


def open_demo(step: int = 1) -> None:
    """Have the Audit page show a step of the demonstration, from 1; called before it is drawn."""
    # At once: each change of the address is a step of the browser's Back.
    st.query_params.from_dict({"demo": str(step)})
