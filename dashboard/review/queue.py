"""What a reviewer is given to judge: the queue's settings, its answers, and the
reservation of one."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import streamlit as st

from dashboard.shared.access import Role, allowed, require
from dashboard.shared.filter_bar import item_filter, order_box
from provenance_core.review.checks import folded_name
from reports.glossary import tooltip
from reports.review_wording import ORDERS
from storage import ItemFilter, ItemOrder, ReviewStore, ShareStore, StorageError

OPINIONS = (1, 2, 3)
_ANY_NUMBER = 1_000
_RENEW_EVERY_SECONDS = 120


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """Which answers, in which order, how many judgements each, and whether blind. ``again``:
    whether answers are offered that were judged in audits that do not pass."""

    chosen: ItemFilter
    order: ItemOrder
    opinions: int
    blind: bool
    again: bool = False

    @property
    def wanted(self) -> int:
        """How many judgements close an answer: in a reviewer's own share those of others do not."""
        return _ANY_NUMBER if self.chosen.share_of else self.opinions


@dataclass(frozen=True, slots=True)
class Trail:
    """The answers that the reviewer was given from ``queue`` in this session, and which of them
    is shown: the next one to be reserved when ``at`` is past the last."""

    queue: ReviewQueue
    reviewer: str
    audits: tuple[int, ...] = ()
    at: int = 0
    skipped: frozenset[int] = frozenset()

    @property
    def current(self) -> int | None:
        """The number of the audit that is shown; None when the next is to be reserved."""
        return self.audits[self.at] if self.at < len(self.audits) else None


def draw_queue_settings(reviewer: str, *, of_team: bool) -> ReviewQueue:
    """Draw filter, order, opinions and blind mode; their state is in the URL. ``reviewer``: whose
    share can be chosen; "" for nobody's. ``of_team``: whether the answers of all shares count,
    whatever is chosen, as they do where judgements are compared."""
    chosen = item_filter("queue_order", "opinions", "seed", "blind", "again", "mine")
    share = _share_name(chosen.runs, reviewer)
    if share and st.toggle(
        "Only my share",
        True,
        key="mine",
        bind="query-params",
        help="The answers of these runs that were assigned to you on the run's page. Agreement "
        "and Adjudication are of all shares.",
    ):
        chosen = chosen if of_team else replace(chosen, share_of=share)
    columns = st.columns([2, 1, 1, 1], vertical_alignment="bottom")
    order = order_box(
        columns[0],
        ORDERS,
        "queue_order",
        "An answer that two reviewers disagree about is offered again once three judgements "
        "are wanted.",
    )
    opinions: int = columns[1].selectbox(
        "Judgements wanted",
        OPINIONS,
        key="opinions",
        bind="query-params",
        help="How many reviewers judge each answer. Answers that have that many, and answers "
        "that you have judged, are not offered.",
    )
    if order is ItemOrder.RANDOM:
        seed = columns[3].number_input(
            "Seed", 0, 2**31 - 1, 0, key="seed", bind="query-params", help="Same seed, same order."
        )
        chosen = replace(chosen, seed=seed)
    blind = columns[2].toggle(
        "Blind mode", key="blind", bind="query-params", help=tooltip("blind mode")
    )
    again = st.toggle(
        "Also offer answers that were judged in another audit",
        key="again",
        bind="query-params",
        help="A judgement counts for every audit of the same query, context and answer. Switch "
        "this on to judge such answers again in the audits that pass the filter.",
    )
    return ReviewQueue(chosen, order, opinions, blind, again)


def _share_name(runs: tuple[int, ...], reviewer: str) -> str:
    """The reviewer's name as the shares of these runs have it; "" where there is none."""
    wanted = folded_name(reviewer)
    if not wanted or not runs:
        return ""
    names = ShareStore.open().names(runs)
    return next((name for name in names if folded_name(name) == wanted), "")


def current_trail(queue: ReviewQueue, reviewer: str) -> Trail:
    """The reviewer's way through ``queue``, with the next answer reserved where none is open. Other
    settings or another reviewer begin a new one. StorageError when none can be reserved."""
    require(Role.REVIEWER)
    trail: Trail | None = st.session_state.get("review_trail")
    # Blind mode hides something of the answer that is shown; it does not choose another.
    if (
        trail is None
        or replace(trail.queue, blind=queue.blind) != queue
        or (trail.reviewer != reviewer)
    ):
        if trail is not None and trail.current is not None:
            ReviewStore.open().release(trail.current, trail.reviewer)
        trail = Trail(queue, reviewer)
    if trail.current is None:
        item = ReviewStore.open().reserve_next(
            queue.chosen,
            queue.order,
            reviewer,
            queue.wanted,
            without=trail.skipped,
            by_answer=True,
            again=queue.again,
        )
        if item is not None:
            trail = replace(trail, audits=(*trail.audits, item.audit_id))
    st.session_state.review_trail = trail
    return trail


def is_open(audit_id: int) -> bool:
    """Whether the reviewer has this answer open."""
    trail: Trail | None = st.session_state.get("review_trail")
    return trail is not None and trail.current == audit_id


def can_go_back() -> bool:
    """Whether this session has an answer before the one that is open."""
    trail: Trail | None = st.session_state.get("review_trail")
    return trail is not None and trail.at > 0


def go_on() -> None:
    """To the next answer of the trail."""
    trail: Trail = st.session_state.review_trail
    st.session_state.review_trail = replace(trail, at=min(trail.at + 1, len(trail.audits)))


def go_back() -> None:
    """Go to the previous answer; what is entered in this one stays."""
    trail: Trail = st.session_state.review_trail
    st.session_state.review_trail = replace(trail, at=max(trail.at - 1, 0))


@allowed(Role.REVIEWER, "skip an answer")
def skip() -> None:
    """Give the answer back to the queue, for others, and go on."""
    trail: Trail = st.session_state.review_trail
    if trail.current is not None:
        try:
            ReviewStore.open().release(trail.current, trail.reviewer)
        except StorageError as error:
            # It runs out by itself; the reviewer can go on.
            st.session_state.review_warning = (
                f"It stays yours until the reservation expires: {error}"
            )
        st.session_state.review_trail = replace(trail, skipped=trail.skipped | {trail.current})
    go_on()


def show_skipped_again() -> None:
    """Offer the skipped answers once more."""
    trail: Trail = st.session_state.review_trail
    st.session_state.review_trail = replace(trail, skipped=frozenset())


def leave_link() -> None:
    """From the audit that the link names to the queue."""
    st.query_params.pop("audit", None)


@st.fragment(run_every=_RENEW_EVERY_SECONDS)
def keep_reservation(audit_id: int, reviewer: str, opinions: int) -> None:
    """Renew the reservation while the page is open; say so when it ended and another got the
    answer."""
    require(Role.REVIEWER)
    last = st.session_state.get("review_renewed")
    now = time.monotonic()
    if last is None or last[0] != (audit_id, reviewer) or now - last[2] >= _RENEW_EVERY_SECONDS / 2:
        try:
            mine = ReviewStore.open().renew(audit_id, reviewer, opinions)
        except StorageError as error:
            st.warning("Your reservation of this answer could not be renewed. You can still save.")
            st.text(str(error))
            return
        last = ((audit_id, reviewer), mine, now)
        st.session_state.review_renewed = last
    if not last[1]:
        st.warning(
            "Your reservation of this answer expired and another reviewer received it. You can "
            "still save: both judgements are kept."
        )
