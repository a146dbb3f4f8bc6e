"""The adjudication section of the review page: answers that reviewers disagree about, one after
another, each settled by one key. The gold label stands beside the judgements."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboard.review import markup
from dashboard.review.draft import Draft
from dashboard.review.queue import ReviewQueue
from dashboard.shared.access import Role, allowed
from dashboard.shared.problems import draw_problem
from dashboard.shared.seen_audits import note_seen
from provenance_core import Audit, InputError
from provenance_core.review.checks import MOST_COMMENT_CHARACTERS
from provenance_core.review.types import JudgedVerdict
from reports.review_wording import JUDGED, VERDICT_KEYS, Key, gold_text
from reports.tables import shortened
from storage import (
    AuditStore,
    GoldLabelStore,
    Item,
    ItemFilter,
    ItemOrder,
    ItemStore,
    Reviewed,
    ReviewStore,
    StorageError,
)

_A_PART, _MOST_CHUNKS, _MOST_LISTED = 50, 40, 20
_NO_FOCUS = -1


def draw_adjudication(queue: ReviewQueue, reviewer: str) -> None:
    """The next answer of the queue's filter that reviewers disagree about and nobody has settled,
    and those that are settled. StorageError when they cannot be read."""
    state = st.session_state
    if problem := state.pop("gold_problem", ""):
        draw_problem("The gold label was not saved.", problem)
    chosen = replace(queue.chosen, reviewed=Reviewed.ANY)
    done = GoldLabelStore.open().progress(chosen)
    st.text(f"{done.settled:,} of {done.disputed:,} disagreements settled")
    opened: int | None = state.get("gold_opened")
    if opened is None:
        item = _next_unsettled(chosen)
        opened = item.audit_id if item else None
    if opened is not None:
        _draw_answer(opened, AuditStore.open().load(opened).audit, reviewer)
    elif state.get("gold_skipped"):
        st.info("You have skipped the disagreements that are left.")
        st.button(
            "Show skipped answers again",
            on_click=state.__setitem__,
            args=("gold_skipped", frozenset()),
        )
    elif done.disputed:
        st.info("Every disagreement of these answers is settled.")
    else:
        st.info("No two reviewers disagree about an answer that passes these filters.")
    _draw_settled(chosen)


def _next_unsettled(chosen: ItemFilter) -> Item | None:
    skipped: frozenset[tuple[str, str]] = st.session_state.get("gold_skipped", frozenset())
    wanted, offset = replace(chosen, reviewed=Reviewed.UNSETTLED), 0
    while True:
        page = ItemStore.open().page(wanted, ItemOrder.FILE, offset, _A_PART)
        for item in page.items:
            if _answer_of(item) not in skipped:
                return item
        offset += _A_PART
        if offset >= page.total:
            return None


def _answer_of(item: Item) -> tuple[str, str]:
    """What the audits of one answer have in common."""
    return (item.source, item.texts) if item.source else (str(item.audit_id), "")


def _draw_answer(audit_id: int, audit: Audit, reviewer: str) -> None:
    note_seen([audit_id], reviewer)
    store = ReviewStore.open()
    elsewhere = store.elsewhere(audit_id)
    st.html(markup.machine_markup(audit, seen_before=False) + markup.elsewhere_markup(elsewhere))
    for review in store.counted(audit_id):
        st.html(markup.review_markup(review, audit))
    for gold in GoldLabelStore.open().of(audit_id):
        st.text(f"Gold label: {gold_text(gold)}")
    st.html(markup.query_markup(audit.evidence.query))
    left, right = st.columns(2, gap="small")
    with left, st.container(height=markup.TEXT_HEIGHT, key="review_answer"):
        st.html(markup.sentences_markup(audit, Draft(), _NO_FOCUS, machine=True))
    with right, st.container(height=markup.TEXT_HEIGHT, key="review_chunks"):
        best_first = sorted(
            range(len(audit.sources)), key=lambda c: audit.sources[c].relevance or 0.0, reverse=True
        )
        shown = best_first[:_MOST_CHUNKS]
        st.html(markup.chunks_markup(audit, shown, Draft(), _NO_FOCUS, _NO_FOCUS, machine=True))
    _draw_decision(audit_id, reviewer)


def _draw_decision(audit_id: int, reviewer: str) -> None:
    with st.container(horizontal=True, gap="xxsmall", key="gold_decision"):
        for verdict, key in VERDICT_KEYS.items():
            symbol, name = JUDGED[verdict]
            st.button(
                f"{symbol} {name}",
                key=f"gold_{verdict}",
                shortcut=key.value,
                on_click=_decide,
                args=(audit_id, reviewer, verdict),
                help="Settles the answer and opens the next one. Every judgement stays.",
            )
        st.button(
            "Skip", key="gold_skip", shortcut=Key.SKIP.value, on_click=_skip, args=(audit_id,)
        )
    st.text_input(
        "Comment of the gold label",
        key=f"gold_comment_{audit_id}",
        max_chars=MOST_COMMENT_CHARACTERS,
        placeholder="Comment (optional), kept with the gold label",
        label_visibility="collapsed",
    )


@allowed(Role.REVIEWER, "settle an answer")
def _decide(audit_id: int, reviewer: str, verdict: JudgedVerdict) -> None:
    state = st.session_state
    try:
        comment = state.get(f"gold_comment_{audit_id}", "").strip()
        GoldLabelStore.open().save(audit_id, reviewer, verdict, comment)
    except (InputError, StorageError) as error:
        state.gold_problem = str(error)
        return
    state.gold_opened = None
    state.review_saved = f"Audit {audit_id}: {JUDGED[verdict][1].lower()}, decided by {reviewer}."


def _skip(audit_id: int) -> None:
    state = st.session_state
    state.gold_opened = None
    skipped = {_answer_of(item) for item in ItemStore.open().of_audits([audit_id])}
    state.gold_skipped = state.get("gold_skipped", frozenset()) | skipped


def _draw_settled(chosen: ItemFilter) -> None:
    wanted = replace(chosen, reviewed=Reviewed.SETTLED)
    page = ItemStore.open().judged_answers(wanted, limit=_MOST_LISTED)
    if not page.total:
        return
    with st.expander(f"Settled answers ({page.total:,})"):
        if page.total > len(page.items):
            st.caption(f"The newest {len(page.items)} are listed.")
        for item in page.items:
            gold = GoldLabelStore.open().of(item.audit_id)[-1]
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                st.text(f"Audit {item.audit_id}: {gold_text(gold)}", width="content")
                st.button(
                    "Decide again",
                    key=f"gold_again_{item.audit_id}",
                    on_click=st.session_state.__setitem__,
                    args=("gold_opened", item.audit_id),
                )
            st.text(shortened(item.answer, 160))
