"""What people said of a saved audit, to read only."""

from __future__ import annotations

import streamlit as st

from dashboard.review.markup import review_markup
from storage import ReviewStore, SavedAudit, StorageError


def draw_judgements(saved: SavedAudit) -> None:
    """Every version of every judgement, the newest first, and a link to give one."""
    st.header("Judgements")
    st.page_link(
        "pages/review.py",
        label="Review this answer",
        icon=":material/rate_review:",
        query_params={"audit": str(saved.id)},
    )
    try:
        versions = ReviewStore.open().of(saved.id)
    except StorageError as error:
        st.error("The judgements of this audit cannot be read.")
        st.text(str(error))
        return
    if not versions:
        st.caption("No one has judged this answer yet.")
    latest = {review.reviewer: review.id for review in versions}
    for review in reversed(versions):
        with st.container(border=True):
            if latest[review.reviewer] != review.id:
                st.caption("The same reviewer replaced it by a later version.")
            st.html(review_markup(review, saved.audit))
