"""The saved audits that pass the filter, each with its link and its delete button."""

from __future__ import annotations

from contextlib import suppress
from html import escape

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.cache import audit_page, forget_texts
from dashboard.shared.export_menu import draw_found
from dashboard.shared.links import open_link
from dashboard.shared.paging import draw_pager, fetched_page
from dashboard.shared.problems import draw_problem
from dashboard.shared.resources import reviews, store
from reports.markup import one_line
from reports.review_wording import judgements_of
from reports.wording import detector_title, verdict_of
from storage import AuditFilter, AuditNotFound, AuditRow, ItemFilter, StorageError

PAGE = 15


def draw_rows(chosen: AuditFilter) -> None:
    """One page of the audits. StorageError when they cannot be read."""
    pager = f"history_page {chosen!r}"
    page = fetched_page(pager, PAGE, lambda offset, limit: audit_page(chosen, offset, limit))
    draw_found(page.total, ItemFilter(audits=chosen), "history")
    if not page.total:
        st.info("No audit passes these filters." if chosen != AuditFilter() else "No audit yet.")
    for row in page.rows:
        _draw_row(row)
    draw_pager(pager, page.total, PAGE)


def draw_delete_problem() -> None:
    """Why the last audit was not deleted, if it was not."""
    if problem := st.session_state.pop("history_problem", ""):
        draw_problem("The audit was not deleted.", problem)


@st.dialog("Delete this audit?")
def _confirm_delete(row: AuditRow) -> None:
    """Ask before an audit is deleted for good."""
    st.text(f"Audit {row.id}: {row.answer[:200]}")
    try:
        lost = judgements_of(reviews().count(row.id))
    except StorageError as error:
        draw_problem("The judgements of this audit cannot be counted.", error)
        return
    st.caption(f"It is deleted with its context and scores{lost}. This cannot be undone.")
    with st.container(horizontal=True, gap="small"):
        deleted = st.button(
            "Delete", type="primary", key="confirm_delete", on_click=_delete, args=(row.id,)
        )
        if st.button("Cancel", key="cancel_delete") or deleted:
            st.rerun()


@allowed(Role.ADMIN, "delete an audit")
def _delete(number: int) -> None:
    """Delete an audit; if someone else already did, what was asked for has happened.

    A refusal of the database is kept for the page, which is drawn after this callback.
    """
    try:
        with suppress(AuditNotFound):
            store().delete(number)
        forget_texts()
    except StorageError as error:
        st.session_state.history_problem = str(error)


def _draw_row(row: AuditRow) -> None:
    with st.container(border=True):
        text, open_column, delete_column = st.columns([8, 1, 1], vertical_alignment="center")
        text.html(
            f"<b>{verdict_of(row)}</b> · "
            f"{escape(detector_title(row.detector))} · "
            f"{escape(row.created_at[:16].replace('T', ' '))} UTC · audit {row.id}"
            f"{'' if row.corrected_from is None else f' · corrected from {row.corrected_from}'}<br>"
            f"<small>{one_line(row.query) or '(no query)'}</small><br>{one_line(row.answer)}"
        )
        open_link(open_column, row.id)
        if delete_column.button(
            "", icon=":material/delete:", key=f"delete_{row.id}", help=f"Delete audit {row.id}"
        ):
            _confirm_delete(row)
