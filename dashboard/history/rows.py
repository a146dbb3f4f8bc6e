"""The saved audits that pass the filter; the one that is open can be deleted."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from dashboard.shared.access import Role, allowed
from dashboard.shared.audit_columns import Columns
from dashboard.shared.audit_table import close_panel, draw_audits
from dashboard.shared.cache import audit_page, forget_texts
from dashboard.shared.export_menu import draw_found
from dashboard.shared.links import page_links
from dashboard.shared.paging import draw_pager, fetched_page, page_offset
from dashboard.shared.problems import draw_outcome, draw_problem, kept_problems
from reports.listed_audits import listed
from reports.review_wording import judgements_of, no_longer_shown
from reports.tables import shortened
from storage import (
    AuditFilter,
    AuditNotFound,
    AuditStore,
    ItemFilter,
    ItemStore,
    ReviewStore,
    StorageError,
)

PAGE = 100


def draw_rows(chosen: AuditFilter) -> None:
    """One page of the audits. StorageError when they cannot be read."""
    pager = f"history_page {chosen!r}"
    page = fetched_page(pager, PAGE, lambda offset, limit: audit_page(chosen, offset, limit))
    draw_found(page.total, ItemFilter(audits=chosen), "history", "answer", more=page.more)
    if page.more:
        st.caption(
            f"The newest {page.total:,} that contain the text are listed. To find others, "
            "search for more of the text or narrow the dates. An export has all of them."
        )
    if not page.total and chosen == AuditFilter():
        st.info("No audit yet. Audit an answer, a file of answers, or import audits below.")
        page_links("audit", "batch")
    numbers = [row.id for row in page.rows]
    others = AuditStore.open().others_of_answers(numbers)
    rows = [
        replace(row, others=others.get(row.item.audit_id, ()))
        for row in listed(ItemStore.open().of_audits(numbers))
    ]
    key = f"audits {pager} {page_offset(pager, page.total, PAGE)}"
    columns = Columns(tall=True, without=("mistake",), beside=("answer", "time (UTC)", "threshold"))
    draw_audits(rows, key, "Saved audits", columns, lambda number: _draw_delete(key, number))
    if others:
        st.caption(
            "An answer that was audited several times is one row: the last audit by the default "
            "detector that passes the filter, else the last one. The panel of a row links to "
            "the others. An export has a row for each audit."
        )
    draw_pager(pager, page.total, PAGE)


def _draw_delete(key: str, number: int) -> None:
    if st.button("Delete", icon=":material/delete:", key=f"delete_{number}"):
        _confirm_delete(key, number)


def draw_delete_problem() -> None:
    """Why the last audit was not deleted, if it was not."""
    draw_outcome("history", "The audit was not deleted.")


@st.dialog("Delete this audit?")
def _confirm_delete(key: str, number: int) -> None:
    """Ask before an audit, which the table ``key`` lists, is deleted for good."""
    try:
        for row in AuditStore.open().rows([number]):
            st.text(f"Audit {row.id}: {shortened(row.answer)}")
        count = ReviewStore.open().count(number)
    except StorageError as error:
        draw_problem("The judgements of this audit cannot be counted.", error)
        return
    lost = f"It is deleted with its context and scores{judgements_of(count)}."
    st.caption(" ".join(filter(None, (lost, no_longer_shown(count), "This cannot be undone."))))
    with st.container(horizontal=True, gap="small"):
        deleted = st.button(
            "Delete", type="primary", key="confirm_delete", on_click=_delete, args=(key, number)
        )
        if st.button("Cancel", key="cancel_delete") or deleted:
            st.rerun()


@allowed(Role.ADMIN, "delete an audit")
def _delete(key: str, number: int) -> None:
    """Delete an audit; if someone else already did, what was asked for has happened. A refusal of
    the database is kept for the page, which is drawn after this callback."""
    with kept_problems("history"):
        with suppress(AuditNotFound):
            AuditStore.open().delete(number)
        forget_texts()
        close_panel(key)
