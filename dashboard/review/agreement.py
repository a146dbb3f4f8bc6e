"""The agreement section of the review page."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboard.review.agreement_tables import (
    Unit,
    gold_table,
    machine_table,
    pairs_table,
    spans_table,
)
from dashboard.review.queue import ReviewQueue, leave_link
from dashboard.shared.audit_columns import Columns
from dashboard.shared.audit_table import draw_audits
from dashboard.shared.cache import database_key
from dashboard.shared.paging import draw_pager, fetched_page, page_offset
from dashboard.shared.text_table import frame_table
from provenance_core.review.types import GoldLabel
from provenance_core.statistics.agreement import AgreementReport, agreement_report
from provenance_core.types import FindingType
from reports.listed_audits import listed
from reports.review_wording import TYPES
from storage import (
    GoldLabelStore,
    ItemFilter,
    ItemStore,
    Reviewed,
    ReviewProgress,
    ReviewStore,
)

REVIEW, AGREEMENT, ADJUDICATION = "Review", "Agreement", "Adjudication"
_A_PAGE = 100
# A window of 1280 pixels cuts what stands behind the answer.
COLUMNS = Columns(verdict="machine", beside=("reviewers", "mistake", "answer"))
_OPINIONS = 2  # reviewers of one answer that agreement needs
_DISAGREEMENTS = {Reviewed.OVERRULED: "a reviewer and the machine", Reviewed.DISPUTED: "reviewers"}
_HELP = """
- Kappa is Cohen's: 1 is full agreement, 0 is what chance gives.
- n is the number that both judged. The 95 % interval of kappa comes from a bootstrap over audits.
- Between reviewers “cannot tell” is a verdict of its own. Against the machine, which always
  decides, such judgements are left out and counted.
- The majority is what more reviewers of an answer say, supported or hallucinated.
- A judgement that was given in an audit that these filters leave out counts by its verdict alone.
"""


def draw_agreement(queue: ReviewQueue, done: ReviewProgress) -> None:
    """Everything about the judgements of the audits of the queue. ``done``: how far the queue is.
    StorageError when they cannot be read."""
    chosen = queue.chosen
    if queue.again:  # What was said in other audits counts, as it does in the tables.
        done = ReviewStore.open().progress(chosen, by_answer=True)
    report = _agreement(database_key(chosen), chosen)
    if not report.reviews:
        st.info("No audit that passes these filters has been judged yet.")
        _draw_missing(done)
        return
    st.caption(
        f"Judgements: {report.reviews:,} · answers: {report.audits:,} · reviewers: "
        f"{len(report.machine) - 1:,}. Each reviewer counts once for an answer, by the latest "
        "judgement in any audit of it.",
        help=_HELP,
    )
    _draw_missing(done)
    unit = st.segmented_control(
        "Compare", list(Unit), default=Unit.ANSWERS, required=True, key="unit", bind="query-params"
    )
    unit = Unit(unit)
    st.header("Reviewers against the machine")
    if unit is Unit.SENTENCES:
        st.caption(
            "For the machine, a sentence that it calls contradicted or not found counts as "
            "hallucinated; all others, those set aside included, count as supported."
        )
    st.html(frame_table(machine_table(report, unit), decimals=3))
    if unit is Unit.ANSWERS and (gold := _gold_labels(chosen)):
        st.header("Against the gold labels")
        st.caption("Answers that a person settled. A gold label replaces no judgement.")
        st.html(frame_table(gold_table(gold), decimals=3))
    st.header("Reviewers against each other")
    if report.pairs:
        _draw_pairs(report, unit)
    else:
        st.caption("Agreement needs two reviewers.")
    draw_disagreements(chosen)


def _draw_missing(done: ReviewProgress) -> None:
    """How many answers have fewer judgements than agreement needs, and the way to them. Nothing
    where all have enough."""
    missing = done.lacking(_OPINIONS)
    if not missing:
        return
    have, them = ("has", "it") if missing == 1 else ("have", "them")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(
            f"{missing:,} of {done.total:,} answers {have} fewer than two judgements. Agreement "
            "between reviewers needs two.",
            width="content",
        )
        st.button(
            f"Judge {them}",
            key="judge_missing",
            icon=":material/arrow_forward:",
            on_click=_judge_missing,
            help="Opens the queue with “Judgements wanted” at two or more.",
        )


def _judge_missing() -> None:
    """Show the queue of the answers that lack a judgement; called before the page is drawn."""
    leave_link()
    state = st.session_state
    state.section = REVIEW
    state.opinions = max(_OPINIONS, state.get("opinions", _OPINIONS))


def _draw_pairs(report: AgreementReport, unit: Unit) -> None:
    st.html(frame_table(pairs_table(report, unit), decimals=3))
    st.header("Spans that two reviewers marked")
    if not any(pair.spans.answers for pair in report.pairs):
        st.caption("No reviewer marked a hallucination in an answer that two reviewers judged.")
        return
    st.caption(
        "The figures count characters, over all answers together. Precision: of the characters "
        "that the other reviewer marked, the share that the reviewer marked too. Recall: of those "
        "that the reviewer marked, the share that the other marked too. Marks of the types "
        f"“{TYPES[FindingType.ABSTENTION]}” and “{TYPES[FindingType.NOT_CHECKWORTHY]}” do not "
        "count, because they mark no hallucination."
    )
    st.html(frame_table(spans_table(report), decimals=3))


def draw_disagreements(chosen: ItemFilter) -> None:
    """The answers that pass on which reviewers disagree, with each other or with the machine, each
    by one audit, in a table with a panel. StorageError when they cannot be read."""
    st.header("Disagreements")
    given = chosen.reviewed
    kinds = [kind for kind in _DISAGREEMENTS if given in (Reviewed.ANY, Reviewed.REVIEWED, kind)]
    # Kinds of the queue's filter stay what they are.
    kind = kinds[0]
    if len(kinds) > 1:
        kind = st.segmented_control(
            "Who disagrees",
            kinds,
            default=kinds[0],
            format_func=_DISAGREEMENTS.__getitem__,
            required=True,
            key="disagreements",
            bind="query-params",
        )
    wanted = replace(chosen, reviewed=kind)
    pager = f"disagreements_page {wanted!r}"
    page = fetched_page(
        pager,
        _A_PAGE,
        lambda offset, limit: ItemStore.open().judged_answers(wanted, offset, limit),
    )
    st.caption(
        f"{page.total:,} answer{'' if page.total == 1 else 's'}. ✓ supported, ✗ hallucinated, ? "
        "cannot tell: the machine's verdict, then that of each reviewer.",
        help="An answer that several runs audited is listed once, by the audit that most reviewers "
        "judged of those that show the disagreement.",
    )
    draw_audits(
        listed(page.items),
        f"{pager} {page_offset(pager, page.total, _A_PAGE)}",
        "Answers that reviewers disagree about",
        COLUMNS,
    )
    draw_pager(pager, page.total, _A_PAGE)


def _gold_labels(chosen: ItemFilter) -> tuple[GoldLabel, ...]:
    """The gold label in force of each settled answer that passes."""
    items = ItemStore.open().each(replace(chosen, reviewed=Reviewed.SETTLED))
    found = {(item.source, item.texts): item.audit_id for item in items}
    return tuple(GoldLabelStore.open().of(number)[-1] for number in found.values())


@st.cache_resource(max_entries=8, show_spinner="Comparing the judgements…")
def _agreement(key: str, _chosen: ItemFilter) -> AgreementReport:
    """The agreement of the reviewers. The key holds the state of the database; frozen data is
    cached without copies."""
    return agreement_report(ReviewStore.open().opinions(_chosen))
