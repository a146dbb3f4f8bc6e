"""The tab of candidate answers: several answers to one query, ranked, and what choosing saves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from dashboard.compare.runs import draw_table
from dashboard.compare.tables import STRATEGIES, rates_table
from dashboard.shared.cache import database_key, holding_texts
from dashboard.shared.filter_bar import label_text
from dashboard.shared.links import open_link, page_links
from dashboard.shared.paging import draw_pager, fetched_page
from dashboard.shared.seen_audits import note_seen
from provenance_core.explain.names import detector_title
from provenance_core.statistics.candidates import (
    Candidate,
    CandidateRates,
    Strategy,
    candidate_rates,
    eligible,
)
from provenance_core.statistics.metrics import roc_auc
from reports.tables import shortened
from reports.unread_language import UNREAD_SHORT
from reports.wording import FEW_LABELS, few_labels_text, verdict_text
from storage import CandidateGroup, CandidatePage, ComparisonStore, ItemFilter, ItemStore

PAGE = 5


def draw_candidates(chosen: ItemFilter) -> None:
    """Everything below the filter bar. StorageError when the answers cannot be read."""
    key = database_key(chosen)
    pager = f"candidates_page {chosen!r}"
    page = fetched_page(pager, PAGE, lambda offset, limit: _page(key, offset, limit, chosen))
    if not page.total:
        st.info(
            "No query has several audited answers here. Run a batch of a file with several answers "
            "to the same query and context, or a batch for each system's answers; or clear the "
            "filter: only answers that pass it compete."
        )
        page_links("batch")
        return
    detectors = ItemStore.open().detectors(chosen)
    if len(detectors) > 1:
        st.info(
            "These answers were scored by several detectors, whose scores are not ranked with "
            "each other. For the rates, choose one under “Detector” in the filter: "
            + ", ".join(map(detector_title, detectors))
            + "."
        )
    else:
        _draw_rates(_rates(key, chosen))
    st.header("Answers to the same query and context")
    st.text(
        f"{page.sources:,} quer{'y' if page.sources == 1 else 'ies'} with several answers"
        + ("" if page.total == page.sources else ", listed once for each detector")
        + ". An answer that was audited several times counts once for each detector, by its last "
        "audit."
    )
    for group in page.groups:
        note_seen(item.audit_id for item in group.items)
        _draw_group(group)
    draw_pager(pager, page.total, PAGE)


# The key holds the state of the database. Frozen objects are cached without copies.
@st.cache_resource(max_entries=32, show_spinner="Reading the answers…")
def _page(key: str, offset: int, limit: int, _chosen: ItemFilter) -> CandidatePage:
    return ComparisonStore.open().candidates(_chosen, offset, limit)


holding_texts(_page.clear)


@st.cache_resource(max_entries=32, show_spinner="Drawing the intervals…")
def _rates(key: str, _chosen: ItemFilter) -> CandidateRates:
    return candidate_rates(ComparisonStore.open().labelled_candidates(_chosen))


def _draw_rates(rates: CandidateRates) -> None:
    st.header("Hallucination rate before and after choosing")
    if rates.before is None:
        st.info(
            "No rate: no query has several answers with a label. Rates need a file that labels "
            "each answer."
        )
        return
    draw_table(rates_table(rates))
    interval = rates.interval
    st.text(
        f"× 100. Before: the mean over all answers of a query ({100 * rates.before:.1f} over "
        f"{rates.sources:,} queries with {rates.answers:,} labelled answers"
        + (f", 95 % interval {100 * interval.low:.1f} to {100 * interval.high:.1f}" if interval
           else "")
        + "). After: over the chosen answers; answers of equal score count by their mean. low, "
          f"high: 95 % interval of the rate after, over {rates.groups:,} source documents. "
          "suppressed: the share of the rate before that choosing removes."
        + (
            f" {rates.left_out:,} queries have fewer than two labelled answers and are left out."
            if rates.left_out
            else ""
        )
    )  # fmt: skip
    if few := few_labels_text(rates.answers):
        st.warning(few)
    st.caption(
        "A detected span is a sentence that is traced as not supported. The choices by spans are "
        "those of RAGTruth's section 6.3; before is of the queries that have a choice, where "
        "RAGTruth takes all."
    )


def order_text(candidates: Sequence[Candidate]) -> str:
    """What the order of answers, which is that of their scores, says of their correctness."""
    labelled = [(each.label, each.score) for each in candidates if each.label is not None]
    if not labelled:
        return "ranked by score, not by correctness: no answer has a label"
    labels, scores = zip(*labelled, strict=True)
    auc = roc_auc(labels, scores)
    if auc is None:
        said = "supported" if labels[0] else "hallucinated"
        return f"ranked by score, not by correctness: every label is {said}"
    if len(labels) < FEW_LABELS:
        return f"ranked by score; too few labels for an AUC ({len(labels)}; it needs {FEW_LABELS})"
    return (
        f"ranked by score; against {len(labels)} labels its AUC is {auc:.3f} (1: every supported "
        "answer before every hallucinated one)"
    )


def _draw_group(group: CandidateGroup) -> None:
    """The answers to one query, the highest score first, with what each strategy would choose."""
    candidates = group.source.candidates
    picks = {
        strategy: {candidate.audit_id for candidate in eligible(candidates, strategy)}
        for strategy in Strategy
    }
    unread_languages = ItemStore.open().unread_languages([i.audit_id for i in group.items])
    with st.container(border=True):
        st.html(
            f"<b>{escape(shortened(group.items[0].query)) or '(no query)'}</b> · "
            f"{escape(detector_title(group.detector))} · {order_text(candidates)}"
        )
        for rank, (candidate, item) in enumerate(
            zip(candidates, group.items, strict=True), start=1
        ):
            marks = [
                f"★ {STRATEGIES[strategy]}"
                + (f" (one of {len(chosen)})" if len(chosen) > 1 else "")
                for strategy, chosen in picks.items()
                if candidate.audit_id in chosen
            ]
            where = " · ".join(
                escape(shortened(text, 60)) for text in (item.source_model, item.run) if text
            )
            spans = f"{candidate.spans} detected span{'' if candidate.spans == 1 else 's'}"
            unread = f", {UNREAD_SHORT}" if unread_languages.get(item.audit_id) else ""
            verdict = verdict_text(
                item.verdict, item.score, item.threshold, item.unsupported_sentences
            )
            text, link = st.columns([8, 1], vertical_alignment="center")
            text.html(
                f"<b>{rank}. {verdict}{unread}</b> · "
                f"{spans} · {label_text(candidate.label)} · audit {candidate.audit_id}"
                + (f" · {where}" if where else "")
                + (f"<br><b>{', '.join(marks)}</b>" if marks else "")
                + f"<br>{escape(shortened(item.answer))}"
            )
            open_link(link, candidate.audit_id)
        if not picks[Strategy.NO_SPANS]:
            st.caption("No answer is free of detected spans.")
