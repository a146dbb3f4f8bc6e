"""An audit in a panel beside the table that lists it: verdict, answer, evidence, and the ways to
the audit's own page."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from dashboard.shared.links import open_link
from dashboard.shared.problems import shown_problems
from dashboard.shared.seen_audits import note_seen
from provenance_core.explain.sentences import sentence_reasons
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.files.types import Unit
from reports import markup
from reports.listed_audits import ListedAudit, opinion_text, other_text
from reports.side_by_side import side_by_side
from storage import AuditStore


def draw_panel(
    audit_id: int,
    row: ListedAudit | None,
    verdicts: tuple[str, str],
    actions: Callable[[int], object] | None,
) -> None:
    """The audit of the number ``audit_id``, and that of its row's change, where it is another one.
    ``row``: None of an audit that the table does not list. ``verdicts``: what the verdict and its
    change are called. ``actions``: draws what can be done with the audit of a number."""
    if row is None or row.change is None or row.change.audit_id is None:
        _draw_audit(audit_id, row, actions)
        return
    for place, number, listed in zip(
        st.tabs([name[:1].upper() + name[1:] for name in verdicts]),
        (audit_id, row.change.audit_id),
        (row, None),
        strict=True,
    ):
        with place:
            _draw_audit(number, listed, actions)


def _draw_audit(
    audit_id: int, row: ListedAudit | None, actions: Callable[[int], object] | None
) -> None:
    with shown_problems(f"Audit {audit_id} cannot be shown."):
        audit = AuditStore.open().load(audit_id).audit
        note_seen([audit_id])
        st.header(f"Audit {audit_id}", anchor=False)
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            open_link(st.container(width="content"), audit_id)
            st.page_link(
                "pages/review.py",
                label="Review",
                icon=":material/rate_review:",
                query_params={"audit": str(audit_id)},
                width="content",
            )
            if actions is not None:
                actions(audit_id)
        if row is not None and row.others:
            with st.expander(f"Other audits of this answer ({len(row.others)})"):
                for other in row.others:
                    open_link(st.container(), other.id, other_text(other))
        reasons = sentence_reasons(audit)
        said = verdict_sentence(audit, reasons)
        query = f'<div class="pv-chunk">{escape(audit.evidence.query) or "(no query)"}</div>'
        st.html(markup.verdict_banner(audit, said) + _facts(row) + query)
        st.html(side_by_side(audit, reasons, name=f"pv{audit_id}"))


def _facts(row: ListedAudit | None) -> str:
    """Label, task, judgements and origin, on one line."""
    if row is None:
        return ""
    item = row.item
    facts = [
        f"label: {row.label}" if row.label else "",
        str(row.mistake or ""),
        row.change.said if row.change else "",
        f"task: {item.task}" if item.task else "",
        f"run {item.run}, {Unit.UNKNOWN} {item.line}" if item.run else "",
        item.row_id,
        f"corrected from audit {item.corrected_from}" if item.corrected_from else "",
        f"gold label: {item.gold.replace('_', ' ')}" if item.gold else "",
        *(opinion_text(each, item.audit_id) for each in row.details.opinions),
        f"{row.date} UTC",
    ]
    return f'<p class="pv-legend">{escape(" · ".join(filter(None, facts)))}</p>'
