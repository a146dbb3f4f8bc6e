"""People judge audits: from a queue, or one audit by its link (``?audit=ID``)."""

import streamlit as st

from dashboard.review import markup as markup
from dashboard.review.agreement import draw_agreement
from dashboard.review.form import draw_task, start_task
from dashboard.review.queue import (
    Queue,
    bring_back_skipped,
    current_trail,
    draw_queue_settings,
    go_back,
    keep_claim,
    leave_link,
    skip,
)
from dashboard.review.reviewer import draw_reviewer
from dashboard.shared.export_menu import take_away_menu
from dashboard.shared.links import linked_audit, page_links
from dashboard.shared.navigation import require_app
from dashboard.shared.resources import reviews, store
from provenance_core import InputError
from storage import StorageError

REVIEW, AGREEMENT = "Review", "Agreement"


def draw_messages() -> None:
    """What the last action has to say."""
    if saved := state.pop("review_saved", ""):
        st.toast(saved, icon=":material/check:")
    if problem := state.pop("review_problem", None):
        st.error(problem[0])
        st.text(problem[1])
    if warning := state.pop("review_warning", ""):
        st.warning("Note")
        st.text(warning)


def draw_progress(queue: Queue) -> None:
    """How many answers of the queue have judgements enough."""
    done = reviews().progress(queue.chosen, queue.opinions)
    by_whom = "\n".join(f"{one.reviewer}: {one.judged}" for one in done.reviewers)
    said = f"{done.judged:,} of {done.total:,} answers judged"
    if queue.opinions > 1:
        said += f" by {queue.opinions} reviewers or more"
    st.progress(done.judged / done.total if done.total else 0.0, text=said)
    with counts:
        st.text(by_whom or "Nobody has judged one of these answers yet.")


def draw_linked(wanted: str, reviewer: str, blind: bool) -> None:
    """One audit without a queue."""
    saved = linked_audit(wanted)
    task = start_task(saved.id, saved.audit, reviewer, opinions=None, blind=blind)
    draw_task(task)


def draw_queued(queue: Queue, reviewer: str) -> None:
    """The answer of the queue that is this reviewer's now."""
    trail = current_trail(queue, reviewer)
    if trail.current is None:
        st.info("There is nothing left for you to judge with these settings.")
        if trail.skipped:
            st.button(f"Show the skipped again ({len(trail.skipped)})", on_click=bring_back_skipped)
        if trail.audits:
            st.button("Previous", on_click=go_back)
        return
    try:
        saved = store().load(trail.current)
    except StorageError:
        st.button("Go on to the next answer", on_click=skip)
        raise
    task = start_task(saved.id, saved.audit, reviewer, opinions=queue.opinions, blind=queue.blind)
    if task.claimable is not None:
        keep_claim(saved.id, reviewer, task.claimable)
    draw_task(task)


require_app()
state = st.session_state
st.html(markup.page_style())
wanted = st.query_params.get("audit", "")
try:
    # Parts that wrap where the window is narrow.
    top = st.container(horizontal=True, vertical_alignment="center", gap="small")
    sections, name = top.container(width="content"), top.container(width=175)
    progress, tools = top.container(width=220), top.container(width="content")
    with sections:
        section = st.segmented_control(
            "Section",
            [REVIEW, AGREEMENT],
            default=REVIEW,
            required=True,
            key="section",
            bind="query-params",
            label_visibility="collapsed",
        )
    with name:
        reviewer = draw_reviewer()
    with tools, st.container(horizontal=True, gap="xxsmall"):
        with st.popover("Keys", icon=":material/keyboard:"):
            st.html(markup.keys_markup())
        counts = st.popover("Reviewers", icon=":material/group:")
        menu = st.container(width="content")
    with st.expander("Queue and filter", icon=":material/filter_list:"):
        queue = draw_queue_settings()
    draw_messages()
    with progress:
        draw_progress(queue)
    with menu:
        take_away_menu(queue.chosen, "review")
    if section == AGREEMENT:
        draw_agreement(queue.chosen)
    elif not reviewer:
        st.info("Enter your name above: it is kept with your judgements.")
    elif wanted:
        draw_linked(wanted, reviewer, queue.blind)
    else:
        draw_queued(queue, reviewer)
except (InputError, StorageError) as error:
    st.error("The review cannot be shown. What you entered is still here.")
    st.text(str(error))
    if wanted:
        st.button("Go to the queue", on_click=leave_link)
        page_links("history")
