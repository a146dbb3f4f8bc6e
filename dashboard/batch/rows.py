"""One batch run: its summary figures and its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.batch.rejected import draw_file_summary, draw_rejected
from dashboard.shared.audit_columns import Columns
from dashboard.shared.audit_table import draw_audits
from dashboard.shared.cache import database_key, holding_texts
from dashboard.shared.export_menu import draw_found
from dashboard.shared.filter_bar import label_box, of_state, order_box, text_box, verdict_box
from dashboard.shared.paging import draw_pager, fetched_page, page_offset
from dashboard.shared.text_table import text_table
from provenance_core import InputError, Verdict
from provenance_core.explain.names import detector_title
from provenance_core.explain.sentences import sentence_reasons
from provenance_core.statistics.bootstrap import bootstrap_auc, resamples_for
from provenance_core.statistics.metrics import no_ranking, roc_auc
from provenance_core.statistics.thresholds.types import LabelledScores
from reports.listed_audits import LABELS, ListedAudit, listed
from reports.tables import shortened
from reports.wording import VERDICTS, few_labels_text, mistakes_text, unchecked_text
from storage import (
    AuditFilter,
    AuditStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    Reviewed,
    RowStatus,
    Run,
    RunRow,
    RunStore,
    StorageError,
    database_url,
)
from storage.worker.process import log_path

ROWS_A_PAGE = 50
# The columns that a person may choose, and those that are there at first.
_WHY = "why"
_CHOICE = (
    _WHY, "label", "mistake", "query", "reviewers", "task", "date (UTC)", "threshold", "also by",
    "audit",
    "line", "row id", "detector", "corrected from", "passed by its tool",
)  # fmt: skip
_CHOSEN = [_WHY, "label", "mistake", "query", "reviewers"]
_MOST_DIGITS = 18
_LOG_CHARACTERS = 4_000
_STATUS = {RowStatus.DONE: "audited", RowStatus.FAILED: "failed", RowStatus.PENDING: "pending"}
_AUDIT_DELETED = "audit deleted"
_ORDERS = {
    ItemOrder.MISTAKES: "misses and false alarms first",
    ItemOrder.CAUGHT: "hallucinations found first",
    ItemOrder.FILE: "as in the file",
    ItemOrder.LOWEST_SCORE: "lowest score first",
    ItemOrder.HIGHEST_SCORE: "highest score first",
    ItemOrder.CLOSEST: "closest to the threshold first",
    ItemOrder.NEWEST: "newest audit first",
}
_MISSES = "misses (the highest score first)"
_FALSE_ALARMS = "false alarms (the lowest score first)"
_FOUND = "found hallucinations (the lowest score first)"
_REST = "then the others as in the file."
# Of the orders whose names leave something open. Without labels there are no mistakes.
_ORDERED = {
    ItemOrder.MISTAKES: f"In order: {_MISSES}, {_FALSE_ALARMS}, {_FOUND}, {_REST}",
    ItemOrder.CAUGHT: f"In order: {_FOUND}, {_MISSES}, {_FALSE_ALARMS}, {_REST}",
}


@dataclass(frozen=True, slots=True)
class _Summary:
    """Audits of a run by verdict, in the order of :class:`Verdict`; how many verdicts differ from
    their labels, and what the scores say of the labels: '' without labels. ``judged``: of how many
    rows reviewers judged the answer, in this run or in other audits of it. ``unchecked``: labelled
    rows that have nothing to check, which no figure counts. ``flagged``: answers called supported
    of which a sentence is not."""

    counts: tuple[int, ...]
    mistakes: str
    ranking: str
    judged: int
    unchecked: int
    flagged: int


def linked_run(wanted: str) -> Run:
    """The run that the link names; InputError or StorageError when it cannot be had."""
    if not wanted.isascii() or not wanted.isdigit() or len(wanted) > _MOST_DIGITS:
        raise InputError(
            f"The link's run number {wanted[:40]!r} is not a number. Open the run from the list."
        )
    return RunStore.open().get(int(wanted))


def draw_rejects_and_log(run: Run) -> None:
    """What does not change while ``run`` is worked on, and the end of its worker's log.
    StorageError when unreadable."""
    summary = RunStore.open().file_summary(run.id)
    if summary is not None:
        st.header("File")
        draw_file_summary(summary, run.file_name)
    if run.progress.rejected:
        st.header("Rejected rows")
        rejected = RunStore.open().rejects(run.id)
        draw_rejected(rejected, f"run-{run.id}")
    _draw_log(run)


def draw_summary(run: Run) -> None:
    """The figures of ``run``. StorageError when unreadable."""
    found = _summary(database_key(run.id), run.id)
    if not any(found.counts):
        st.caption("No row has been audited yet.")
        return
    flagged = f" ({found.flagged:,} with flagged sentences)" if found.flagged else ""
    counted = " · ".join(
        f"{VERDICTS[verdict][1]} {count:,}{flagged if verdict is Verdict.SUPPORTED else ''}"
        for verdict, count in zip(Verdict, found.counts, strict=True)
        if count or verdict is not Verdict.NOTHING_TO_CHECK
    )
    if not found.ranking:
        st.text(counted)
        if not found.unchecked:
            st.caption(
                "No audited row has a label in the file, so accuracy cannot be computed here."
            )
    else:
        st.markdown(f"**{found.mistakes}**")
        st.text(f"{counted} · {found.ranking}")
    if found.unchecked:
        st.caption(unchecked_text(found.unchecked))
    if found.judged:
        rows = "row has an answer" if found.judged == 1 else "rows have answers"
        st.caption(
            f"{found.judged:,} {rows} that reviewers judged, in this audit or in another of the "
            "same answer. Thresholds can use these as labels, and Compare does so for rows "
            "without a label in the file."
        )
    if (found.ranking or found.judged) and not run.progress.left:
        st.page_link(
            "pages/thresholds.py",
            label="Find the threshold for these labels",
            icon=":material/arrow_forward:",
            query_params={"runs": run.name, "detector_is": detector_title(run.parameters.detector)},
            width="content",
        )


@st.cache_data(max_entries=16, show_spinner="Computing the interval…")
def _summary(key: str, _run_id: int) -> _Summary:
    """The figures of a run. The state of the database is part of the cache's key."""
    items, of_run = ItemStore.open(), ItemFilter(runs=(_run_id,))
    by_verdict = [replace(of_run, audits=AuditFilter(verdict=verdict)) for verdict in Verdict]
    found = RunStore.open().labelled_scores(_run_id)
    supported, hallucinated, nothing = by_verdict
    flagged = replace(supported, audits=replace(supported.audits, flagged=True))
    misses = items.page(replace(supported, label=0), limit=0).total
    false_alarms = items.page(replace(hallucinated, label=1), limit=0).total
    return _Summary(
        tuple(items.page(chosen, limit=0).total for chosen in by_verdict),
        mistakes_text(misses, false_alarms, found.hallucinated, found.supported)
        if found.labels
        else "",
        ranking_text(found) if found.labels else "",
        items.page(replace(of_run, reviewed=Reviewed.REVIEWED), limit=0).total,
        items.page(replace(nothing, labelled=True), limit=0).total,
        items.page(flagged, limit=0).total,
    )


def ranking_text(found: LabelledScores) -> str:
    """AUC with its interval, n and base rate, and whether these are too few labels to rely on it;
    or why there is none."""
    n = len(found.labels)
    rows = "labelled row" if n == 1 else "labelled rows"
    share = f"{n:,} {rows}, {100 * sum(found.labels) / n:.1f} % of them supported"
    if reason := no_ranking(found.labels, "labelled row"):
        return f"{share}; {reason}."
    auc = cast(float, roc_auc(found.labels, found.scores))  # Both classes are there.
    interval = bootstrap_auc(found.labels, found.scores, found.groups, resamples=resamples_for(n))
    if interval is None:
        return f"AUC {auc:.3f}, no interval: all rows come from one source document. {share}."
    sources = len(set(found.groups))
    said = (
        f"AUC {auc:.3f}, 95 % interval {interval.low:.3f} to {interval.high:.3f} over "
        f"{sources:,} source documents. {share}."
    )
    return f"{said} {few_labels_text(n)}".strip()


def _draw_log(run: Run) -> None:
    path = log_path(run.id)
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _LOG_CHARACTERS))
            text = file.read().decode(errors="replace").strip()
    except OSError:
        return  # It was worked on in a terminal, or on another machine.
    if text:
        with st.expander("Log of its worker", icon=":material/terminal:"):
            st.code(text, language=None, wrap_lines=True)


def draw_rows(run: Run) -> None:
    """The filters and the rows that pass. StorageError when unreadable."""
    bar = st.container(key="filter_boxes").columns([1, 2, 1, 1, 2])
    status = bar[0].selectbox(
        "Status", [*_STATUS.values(), _AUDIT_DELETED], key="status", bind="query-params"
    )
    text = text_box(bar[1])
    if status != _STATUS[RowStatus.DONE]:
        _draw_without_audit(run, status, text)
    else:
        _draw_audited(run, text, bar[2:])


def _draw_audited(run: Run, text: str, places: Sequence[DeltaGenerator]) -> None:
    state, label = verdict_box(places[0]), label_box(places[1])
    order = order_box(places[2], _ORDERS, "order")
    chosen = ItemFilter(runs=(run.id,), audits=of_state(state, AuditFilter(text)), label=label)
    pager = f"rows_page {chosen!r} {order}"
    page = fetched_page(
        pager,
        ROWS_A_PAGE,
        lambda offset, limit: ItemStore.open().page(chosen, order, offset, limit),
    )
    draw_found(page.total, chosen, "batch", "row", beside=_draw_column_choice)
    hidden = tuple(name for name in _CHOICE if name not in st.session_state.get("columns", ()))
    rows = listed(page.items)
    if _WHY not in hidden:
        with st.spinner("Reading the reasons…"):
            rows = tuple(replace(row, why=_why(row)) for row in rows)
    draw_audits(
        rows,
        f"audits {pager} {page_offset(pager, page.total, ROWS_A_PAGE)}",
        "Audited rows of the run",
        Columns(tall=True, without=("run", *hidden)),
    )
    labelled = any(each.label is not None or each.opinion is not None for each in page.items)
    if labelled and order in _ORDERED:
        st.caption(_ORDERED[order])
    draw_pager(pager, page.total, ROWS_A_PAGE)


def _draw_column_choice() -> None:
    """The choice of columns, which a narrow window has no room for."""
    with (
        st.container(key="column_choice", width="content"),
        st.popover("Columns", icon=":material/view_column:"),
    ):
        st.multiselect(
            "Columns next to verdict, score and answer",
            _CHOICE,
            default=_CHOSEN,
            key="columns",
            bind="query-params",
        )


def _why(row: ListedAudit) -> str:
    """Why sentences of a row are flagged, "" where none is; an audit never changes."""
    if row.item.unsupported_sentences == 0:
        return ""
    return _reason(f"{database_url()} {row.item.created_at} {row.item.audit_id}", row.item.audit_id)


@st.cache_data(max_entries=2000, show_spinner=False)
def _reason(key: str, _audit_id: int) -> str:
    try:
        reasons = sentence_reasons(AuditStore.open().load(_audit_id).audit)
    except StorageError as error:
        return str(error)
    return "; ".join(dict.fromkeys(reason.said for reason in reasons))


holding_texts(_reason.clear)


def _draw_without_audit(run: Run, status: str, text: str) -> None:
    wanted = next((s for s, name in _STATUS.items() if name == status), RowStatus.DONE)
    pager = f"rows_page {run.id} {status} {text}"
    page = fetched_page(
        pager,
        ROWS_A_PAGE,
        lambda offset, limit: RunStore.open().rows_without_audit(
            run.id, wanted, text, offset, limit
        ),
    )
    st.caption(f"{page.total:,} row{'' if page.total == 1 else 's'}")
    if page.rows:
        st.html(_rows_table(page.rows))
    draw_pager(pager, page.total, ROWS_A_PAGE)


def _rows_table(rows: Sequence[RunRow]) -> str:
    """HTML of rows that have no audit: failed, not audited yet, or their audit deleted. Columns in
    which no row has anything are left out."""
    cells = {
        "line": [f"{row.line:,}" for row in rows],
        "row id": [row.row_id for row in rows],
        "reason": [row.reason for row in rows],
        "query": [shortened(row.query) for row in rows],
        "answer": [shortened(row.answer) for row in rows],
        "label": [LABELS[row.label] for row in rows],
    }
    shown = {name: values for name, values in cells.items() if any(values)}
    return text_table([*shown], zip(*shown.values(), strict=True), first_named=True)
