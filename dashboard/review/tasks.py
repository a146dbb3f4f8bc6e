"""The answer that is to be judged now, and what is said around it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.review import markup
from dashboard.review.agreement import ADJUDICATION, REVIEW
from dashboard.review.form import draw_task, start_task
from dashboard.review.queue import (
    OPINIONS,
    ReviewQueue,
    current_trail,
    go_back,
    keep_reservation,
    leave_link,
    show_skipped_again,
    skip,
)
from dashboard.shared.links import linked_audit, page_links
from dashboard.shared.problems import draw_problem
from provenance_core.review.checks import folded_name
from reports.review_wording import GOLD_SHEET, LINK_SHEET, QUEUE_SHEET
from storage import AuditStore, ReviewProgress, ReviewStore, StorageError


def draw_messages() -> None:
    """What the last action has to say."""
    state = st.session_state
    if saved := state.pop("review_saved", ""):
        st.toast(saved, icon=":material/check:")
    if note := state.pop("review_note", ""):
        st.toast(note, icon=":material/info:")
    if problem := state.pop("review_problem", None):
        state.review_refused = True
        draw_problem(*problem)
    if warning := state.pop("review_warning", ""):
        st.warning("Note")
        st.text(warning)


def draw_progress(queue: ReviewQueue, counts: DeltaGenerator, reviewer: str) -> ReviewProgress:
    """How many answers of the queue have judgements enough; how many by whom, in ``counts``.
    ``reviewer``: is told how many the queue passes over because others judged them; "" for none."""
    done = ReviewStore.open().progress(
        queue.chosen, queue.opinions, by_answer=True, again=queue.again
    )
    mine = _judged_by(done, reviewer)
    by_whom = "\n".join(f"{one.reviewer}: {one.judged}" for one in done.reviewers)
    if queue.chosen.share_of:
        _draw_share_progress(queue, mine, done.total)
        with counts:
            st.text(by_whom or "Nobody has judged any of these answers yet.")
        return done
    said = f"{done.judged:,} of {done.total:,} answers judged"
    if queue.opinions > 1:
        said += f" by {queue.opinions} reviewers or more"
    if reviewer:
        said += f", {mine:,} by you"
    others = _by_others_alone(done, queue, reviewer)
    if others:
        said += f", {others:,} by others only"
    st.progress(done.judged / done.total if done.total else 0.0, text=said)
    with counts:
        st.text(by_whom or "Nobody has judged any of these answers yet.")
        if others:
            st.caption(
                "The queue skips what others have judged. To judge those answers too, raise "
                "“Judgements wanted” under Queue."
            )
    return done


def _by_others_alone(done: ReviewProgress, queue: ReviewQueue, reviewer: str) -> int:
    """How many answers this reviewer is not offered because others judged them. Where several
    judgements are wanted, the reviewer is offered them."""
    if not reviewer or queue.opinions > 1:
        return 0
    return done.judged - _judged_by(done, reviewer)


def _judged_by(done: ReviewProgress, reviewer: str) -> int:
    name = folded_name(reviewer)
    return next((one.judged for one in done.reviewers if folded_name(one.reviewer) == name), 0)


def _draw_share_progress(queue: ReviewQueue, mine: int, total: int) -> None:
    """How far the reviewer's own share is, and the whole team next to it."""
    team = ReviewStore.open().progress(
        replace(queue.chosen, share_of=""), queue.opinions, by_answer=True, again=queue.again
    )
    st.progress(
        mine / total if total else 0.0,
        text=f"Your share: {mine:,} of {total:,} judged · team: {team.judged:,} of {team.total:,}",
    )


def draw_keys(section: str, *, linked: bool) -> None:
    """The keys that work in a section of the page; ``linked``: on one audit by its link."""
    if section == ADJUDICATION:
        st.html(markup.keys_markup(GOLD_SHEET, marks=False))
    elif section == REVIEW:
        st.html(markup.keys_markup(LINK_SHEET if linked else QUEUE_SHEET, marks=True))


def draw_linked(wanted: str, reviewer: str, blind: bool) -> None:
    """One audit without a queue."""
    saved = linked_audit(wanted)
    task = start_task(saved.id, saved.audit, reviewer, opinions=None, blind=blind)
    draw_task(task)


def draw_queued(queue: ReviewQueue, reviewer: str, done: ReviewProgress) -> None:
    """The answer of the queue that is this reviewer's now; ``done``: how far the queue is."""
    trail = current_trail(queue, reviewer)
    if trail.current is None:
        st.info("There is nothing left for you to judge with these settings.")
        st.text(
            f"You have judged or skipped every answer of your share ({done.total:,})."
            if queue.chosen.share_of
            else nothing_left_text(done, queue.opinions)
        )
        if trail.skipped:
            st.button(
                f"Show skipped answers again ({len(trail.skipped)})", on_click=show_skipped_again
            )
        if trail.audits:
            st.button("Previous", on_click=go_back)
        return
    try:
        saved = AuditStore.open().load(trail.current)
    except StorageError:
        st.button("Continue with the next answer", on_click=skip)
        raise
    task = start_task(saved.id, saved.audit, reviewer, opinions=queue.wanted, blind=queue.blind)
    if task.reservable is not None:
        keep_reservation(saved.id, reviewer, task.reservable)
    draw_task(task)


def nothing_left_text(done: ReviewProgress, opinions: int) -> str:
    """Why a reviewer gets no answer of a queue that wants so many ``opinions`` of each, and what
    there is to do."""
    if lacking := done.total - done.judged:
        return (
            f"Of {done.total:,} answers, {lacking:,} still need a judgement: you have judged or "
            "skipped them, or another reviewer has them open."
        )
    judged = "a judgement" if opinions == 1 else f"{opinions} judgements"
    said = f"Each of the {done.total:,} answers has {judged}."
    if done.total == 1:
        said = f"The one answer has {judged}."
    if opinions == OPINIONS[-1]:
        return said
    return f"{said} To judge more of them, raise “Judgements wanted” under Queue."


def draw_ways_out(wanted: str) -> None:
    """Links away from an audit that cannot be shown, where a link named it."""
    if wanted:
        st.button("Go to the queue", on_click=leave_link)
        page_links("history")
