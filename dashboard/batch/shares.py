"""The way from a run to its review: the queue of its answers, and the shares of its reviewers."""

from __future__ import annotations

import streamlit as st

from dashboard.batch.other_threshold import draw_other_threshold
from dashboard.shared.access import Role, allowed
from dashboard.shared.problems import draw_outcome, kept_problems
from storage import Run, Share, ShareStore

_OUTCOME = "share"


def draw_review_ways(run: Run) -> None:
    """A link to the queue of the run's answers, and who is to judge how many of them. Nothing where
    no row has been audited. StorageError when the shares cannot be read."""
    if run.progress.left == run.progress.total:
        return
    shares = ShareStore.open().of(run.id)
    draw_outcome(_OUTCOME, "The reviewers were not assigned.")
    title = "Change the shares" if shares else "Assign reviewers"
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.page_link(
            "pages/review.py",
            label="Review this run",
            icon=":material/rate_review:",
            query_params={"runs": run.name},
            width="content",
        )
        with st.popover(title, icon=":material/group_add:"):
            _draw_assignment(run, shares)
        draw_other_threshold(run)
        if shares:
            st.text(_progress_text(shares), width="content")


def _progress_text(shares: tuple[Share, ...]) -> str:
    """How far each reviewer is, on one line."""
    each = (f"{share.reviewer} {share.judged:,} of {share.assigned:,}" for share in shares)
    return f"Judged: {' · '.join(each)}"


def _draw_assignment(run: Run, shares: tuple[Share, ...]) -> None:
    names, each = f"share_names_{run.id}", f"share_each_{run.id}"
    assigned = [share.reviewer for share in shares]
    st.multiselect(
        "Reviewers",
        sorted({*ShareStore.open().reviewers(), *assigned}),
        default=assigned,
        key=names,
        accept_new_options=True,
        placeholder="Choose or type a name, then press Enter",
    )
    st.number_input(
        "Judgements of each answer",
        1,
        3,
        key=each,
        help="With 2, each answer goes to two reviewers, as agreement needs.",
    )
    st.button(
        "Assign",
        type="primary",
        key=f"share_assign_{run.id}",
        on_click=_assign,
        args=(run.id, names, each),
        help="Deals the audited answers out evenly, in place of earlier shares. Judgements stay.",
    )
    if run.progress.left:
        st.caption("Rows that are not audited yet are in no share. Assign again when they are.")


@allowed(Role.REVIEWER, "assign reviewers")
def _assign(number: int, names: str, each: str) -> None:
    state = st.session_state
    with kept_problems(_OUTCOME):
        ShareStore.open().assign(number, state[names], state[each])
