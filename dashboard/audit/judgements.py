"""What people said of a saved audit, to read only."""

from __future__ import annotations

import streamlit as st

from dashboard.review.markup import review_markup
from dashboard.shared.links import open_link
from dashboard.shared.problems import draw_problem
from reports.judged_elsewhere import VERDICT_ALONE, verdicts_text
from reports.review_wording import gold_text
from storage import GoldLabelStore, ReviewStore, SavedAudit, StorageError


def draw_judgements(saved: SavedAudit) -> None:
    """Every version of every judgement, the newest first, and a link to give one."""
    st.header("Judgements")
    with st.container(key="below_heading_review"):
        st.page_link(
            "pages/review.py",
            label="Review this answer",
            icon=":material/rate_review:",
            query_params={"audit": str(saved.id)},
            width="content",
        )
    try:
        versions = ReviewStore.open().of(saved.id)
        elsewhere = ReviewStore.open().elsewhere(saved.id)
        gold = GoldLabelStore.open().of(saved.id)
    except StorageError as error:
        draw_problem("The judgements of this audit cannot be read.", error)
        return
    if not versions and not elsewhere:
        st.caption("No one has judged this answer yet.")
    for each in reversed(gold):
        in_force = "Gold label" if each is gold[-1] else "Earlier gold label"
        st.text(f"{in_force}: {gold_text(each)}")
    if elsewhere:
        with st.container(border=True):
            st.text(f"In other audits of this answer: {verdicts_text(elsewhere)}")
            st.caption(VERDICT_ALONE)
            for number in sorted({each.audit_id for each in elsewhere}):
                open_link(st.container(), number, f"Audit {number}")
    latest = {review.reviewer: review.id for review in versions}
    later = {each.reviewer: each.audit_id for each in elsewhere}
    for review in reversed(versions):
        with st.container(border=True):
            if latest[review.reviewer] != review.id:
                st.caption("The same reviewer replaced it with a later version.")
            elif review.reviewer in later:
                st.caption(
                    "The same reviewer judged this answer later in audit "
                    f"{later[review.reviewer]}. That judgement counts."
                )
            st.html(review_markup(review, saved.audit))
