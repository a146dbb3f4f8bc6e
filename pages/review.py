"""People judge audits: from a queue, or one audit by its link (``?audit=ID``)."""

import streamlit as st

from dashboard.review import markup
from dashboard.review.adjudication import draw_adjudication
from dashboard.review.agreement import ADJUDICATION, AGREEMENT, REVIEW, draw_agreement
from dashboard.review.label_set import draw_label_set
from dashboard.review.queue import draw_queue_settings
from dashboard.review.reviewer import draw_reviewer
from dashboard.review.tasks import (
    draw_keys,
    draw_linked,
    draw_messages,
    draw_progress,
    draw_queued,
    draw_ways_out,
)
from dashboard.shared.access import Role
from dashboard.shared.export_menu import draw_export_menu
from dashboard.shared.filter_clear import draw_no_items
from dashboard.shared.navigation import require_app
from dashboard.shared.problems import shown_problems

require_app(Role.REVIEWER)
st.html(markup.page_style())
wanted = st.query_params.get("audit", "")
with shown_problems(
    "The review cannot be shown. What you entered is still here.",
    then=lambda: draw_ways_out(wanted),
):
    # Parts that wrap where the window is narrow.
    top = st.container(horizontal=True, vertical_alignment="center", gap="small")
    sections, name = top.container(width="content"), top.container(width=150)
    tools = top.container(width="content")
    with sections:
        section = st.segmented_control(
            "Section",
            [REVIEW, AGREEMENT, ADJUDICATION],
            default=REVIEW,
            required=True,
            key="section",
            bind="query-params",
            label_visibility="collapsed",
        )
    with name:
        reviewer = draw_reviewer()
    with tools, st.container(horizontal=True, gap="xxsmall"):
        with st.popover("Queue", icon=":material/filter_list:"), st.container(key="queue_filter"):
            queue = draw_queue_settings(reviewer, of_team=section != REVIEW)
        counts = st.popover("Reviewers", icon=":material/group:")
        with st.popover("Keys", icon=":material/keyboard:"):
            draw_keys(section, linked=bool(wanted))
            draw_label_set()
        menu = st.container(width="content")
    progress = st.container()
    draw_messages()
    with progress:
        done = draw_progress(queue, counts, reviewer)
    with menu:
        draw_export_menu(queue.chosen, "review", done.total)
    if not done.total and not wanted:
        draw_no_items(queue.chosen, "review_page")
    elif section == AGREEMENT:
        draw_agreement(queue, done)
    elif not reviewer:
        st.info("Enter your name above. It is saved with your judgements.")
    elif section == ADJUDICATION:
        draw_adjudication(queue, reviewer)
    elif wanted:
        draw_linked(wanted, reviewer, queue.blind)
    else:
        draw_queued(queue, reviewer, done)
