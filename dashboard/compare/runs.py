"""The tab that compares runs: what was matched, figures, scatter, flipped verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from dashboard.compare.charts import audits_text, score_scatter
from dashboard.compare.tables import (
    MATCHINGS,
    difference_table,
    few_rows_text,
    figures_table,
    gold_differs_text,
    match_table,
    ranking_text,
    reviewers_text,
    unchecked_rows_text,
)
from dashboard.shared.audit_columns import Columns
from dashboard.shared.audit_table import OPEN, draw_audits
from dashboard.shared.cache import database_key
from dashboard.shared.charts import draw_chart
from dashboard.shared.filter_bar import label_text
from dashboard.shared.links import page_links
from dashboard.shared.paging import draw_pager, page_offset
from dashboard.shared.text_table import frame_table
from provenance_core import Verdict
from provenance_core.statistics.comparison import (
    ComparedRow,
    Comparison,
    FlipOutcome,
    Matched,
    Matching,
    compare,
    flips,
    match_runs,
)
from reports.answer_difference import two_answers
from reports.listed_audits import VerdictChange, listed
from reports.tables import shortened
from reports.unread_language import UNREAD_SHORT
from reports.wording import VERDICTS
from storage import ComparisonStore, Item, ItemFilter, ItemStore, Run, RunStore

FLIPS = 100
POINTS = 10
_MOST_TWO = 20
OUTCOMES = {
    FlipOutcome.CORRECTED: "only the second run is right",
    FlipOutcome.BROKEN: "only the first run is right",
    FlipOutcome.BOTH_RIGHT: "both are right, the answers differ",
    FlipOutcome.BOTH_WRONG: "both are wrong, the answers differ",
    FlipOutcome.NO_LABEL: "no label",
    FlipOutcome.NOTHING_TO_CHECK: "one has nothing to check",
}
# With both verdicts they tell both labels.
_TELLING = (OUTCOMES[FlipOutcome.BOTH_RIGHT], OUTCOMES[FlipOutcome.BOTH_WRONG])


def draw_runs(chosen: ItemFilter) -> None:
    """Everything below the filter bar. StorageError when the runs cannot be read."""
    known = {run.id for run in RunStore.open().names()}
    wanted = [number for number in chosen.runs if number in known]
    if len(wanted) < 2:
        _draw_empty(len(known))
        return
    runs = [RunStore.open().get(number) for number in wanted]
    by = st.selectbox(
        "Match rows by",
        [None, *Matching],
        format_func=lambda way: "Automatic" if way is None else MATCHINGS[way],
        key="match",
        placeholder="Automatic",
        required=True,
        bind="query-params",
    )
    key = database_key(wanted, chosen, by)
    matched = _matched(key, runs, chosen, by)
    _draw_matched(runs, matched)
    if not matched.items:
        st.info(
            "No row is in all of these runs. Run two batches of the same file with other "
            "parameters, match the rows in another way, or clear the filter."
        )
        page_links("batch")
        return
    comparison = _compared(key, matched)
    st.header("Figures on the matched rows")
    draw_table(figures_table(runs, comparison), decimals=3)
    st.caption(
        f"{ranking_text(comparison)} Low and high are the ends of the 95 % "
        f"interval of the AUC, over {comparison.groups:,} source documents. Precision, recall and "
        "F1 are of the hallucinated class, for the verdicts as given."
    )
    if given := reviewers_text(matched):
        st.caption(given)
    if differs := gold_differs_text(matched):
        st.caption(differs)
    if unchecked := unchecked_rows_text(matched):
        st.caption(unchecked)
    if few := few_rows_text(comparison):
        st.warning(few)
    if comparison.disagreeing:
        st.warning(
            f"{comparison.disagreeing:,} matched rows have the same texts but different labels in "
            "these runs. They do not count in figures that need labels. Correct the labels in the "
            "files, or judge the answers again."
        )
    draw_table(difference_table(comparison), decimals=3)
    st.caption(
        "The AUC of the run minus that of the run it is compared with, on the same bootstrap "
        "samples of source documents."
    )
    first, second = _pair([run.name for run in runs])
    if first == second:
        st.info("Choose two different runs to see their scores side by side.")
        return
    _draw_scatter(runs, matched, first, second)
    _draw_flips(runs, matched, first, second)


def draw_table(frame: pd.DataFrame, decimals: int = 1) -> None:
    """A table, its shares with ``decimals``, in which no name is cut."""
    st.html(frame_table(frame, decimals))


def _draw_empty(runs: int) -> None:
    if runs < 2:
        st.info(
            "There are fewer than two runs. Run two batches of the same file with other "
            "parameters, or of files with the answers of two systems to the same queries, then "
            "compare them here."
        )
        page_links("batch")
    else:
        st.info("Choose two or more runs in the filter above.")


def _draw_matched(runs: Sequence[Run], matched: Matched) -> None:
    st.text(f"Rows are matched by {MATCHINGS[matched.by]}: {matched.why}.")
    draw_table(match_table(runs, matched))
    unfinished = [run.name for run in runs if run.progress.left]
    if unfinished:
        st.warning("Some rows are not audited yet, and are missing here, in:")
        st.text("\n".join(unfinished))
    if matched.other_texts:
        message = (
            f"{matched.other_texts:,} of {len(matched.items):,} matched rows have another query, "
            "answer or context in another run: they are compared as different answers, each with "
            "its own label."
        )
        if matched.by is Matching.ROW_ID:
            message += (
                " If unrelated rows have the same number in these files, match by query and answer."
            )
        st.warning(message)


# The key holds the state of the database. Frozen objects are cached without copies.
@st.cache_resource(max_entries=8, show_spinner="Reading the runs…")
def _matched(key: str, _runs: Sequence[Run], _chosen: ItemFilter, _by: Matching | None) -> Matched:
    comparisons = ComparisonStore.open()
    return match_runs([comparisons.rows(run, _chosen) for run in _runs], _by)


@st.cache_resource(max_entries=32, show_spinner="Drawing the intervals…")
def _compared(key: str, _matched: Matched) -> Comparison:
    return compare(_matched)


def _pair(names: Sequence[str]) -> tuple[int, int]:
    if len(names) == 2:
        return 0, 1
    places = st.columns(2)
    first = places[0].selectbox("First run", names, key="first", bind="query-params")
    second = places[1].selectbox("Second run", names, 1, key="second", bind="query-params")
    return names.index(first), names.index(second)


def _draw_scatter(runs: Sequence[Run], matched: Matched, first: int, second: int) -> None:
    st.header("Scores side by side")
    names = (runs[first].name, runs[second].name)
    event = draw_chart(
        score_scatter(matched.items, first, second, names),
        f"scatter_{runs[first].id}_{runs[second].id}",
        on_select="rerun",
        selection_mode="points",
    )
    points = {point["customdata"] for point in event["selection"]["points"]}
    found = [i for i in matched.items if points and audits_text(i, first, second) in points]
    if not found:
        st.caption("Click a point to open its audits. Dashed: the thresholds.")
        return
    shown = found[:POINTS]
    if len(found) > len(shown):
        st.caption(f"The first {POINTS} of {len(found):,} chosen points:")
    pairs = [
        _Pair(item.rows[first], item.rows[second], (item.labels[first], item.labels[second]), "")
        for item in shown
    ]
    _draw_pairs(pairs, "chosen_points", "The chosen points", "point")


def _draw_flips(runs: Sequence[Run], matched: Matched, first: int, second: int) -> None:
    st.header("Flipped verdicts")
    found = flips(matched, first, second)
    counts = Counter(flip.outcome for flip in found)
    to = Counter(flip.to for flip in found)
    changed = ", ".join(
        f"{to[verdict]:,} to {VERDICTS[verdict][1].lower()}"
        for verdict in (Verdict.HALLUCINATED, Verdict.SUPPORTED, Verdict.NOTHING_TO_CHECK)
        if to[verdict] or verdict is not Verdict.NOTHING_TO_CHECK
    )
    st.text(
        f"{len(found):,} of {len(matched.items):,} matched rows. From the first run to the "
        f"second: {changed}."
    )
    if found:
        of_these = "; ".join(f"{OUTCOMES[o]}: {counts[o]:,}" for o in FlipOutcome if counts[o])
        st.text(f"Of these, {of_these}.")
    named = (f"First: {_named(runs[first])}", f"Second: {_named(runs[second])}")
    st.text("\n".join(named))
    if not found:
        st.info("Both runs give every matched row the same verdict.")
        return
    outcome = st.selectbox(
        "Show",
        [None, *FlipOutcome],
        format_func=lambda o: "all" if o is None else f"{OUTCOMES[o]} ({counts[o]:,})",
        key="flips",
        placeholder="all",
        required=True,
        bind="query-params",
    )
    shown = [flip for flip in found if outcome is None or flip.outcome is outcome]
    if not shown:
        st.info("No flipped verdict is of this kind.")
        return
    pager = f"flips_page_{runs[first].id}_{runs[second].id}_{outcome}_{len(shown)}"
    start = page_offset(pager, len(shown), FLIPS)
    pairs = [
        _Pair(flip.first, flip.second, flip.labels, OUTCOMES[flip.outcome])
        for flip in shown[start : start + FLIPS]
    ]
    _draw_pairs(pairs, f"{pager}_{start}", "Flipped verdicts", OPEN)
    draw_pager(pager, len(shown), FLIPS)
    _draw_two_answers(runs[first].name, runs[second].name, pairs)


def _named(run: Run) -> str:
    """The name of a run, and the threshold that its verdicts follow from."""
    return f"{run.name} (threshold {run.parameters.threshold:.3f})"


def _draw_two_answers(first: str, second: str, pairs: Sequence[_Pair]) -> None:
    """The flipped answers of this page that differ in their words, next to each other."""
    numbers = [row.audit_id for pair in pairs for row in (pair.first, pair.second)]
    items = {item.audit_id: item for item in ItemStore.open().of_audits(numbers)}
    unread = ItemStore.open().unread_languages(numbers)
    both = [
        (items[pair.first.audit_id], items[pair.second.audit_id])
        for pair in pairs
        if pair.first.audit_id in items and pair.second.audit_id in items
    ]
    different = [(one, other) for one, other in both if one.answer != other.answer]
    if not different:
        return
    with st.expander(f"Flipped answers side by side ({len(different):,})"):
        st.caption("Marked: words that the other answer does not have at the same place.")
        for one, other in different[:_MOST_TWO]:
            st.text(shortened(one.query) or "(no query)")
            heads = (
                f"{first} · {_verdict_text(one, unread=bool(unread.get(one.audit_id)))}",
                f"{second} · {_verdict_text(other, unread=bool(unread.get(other.audit_id)))}",
            )
            st.html(two_answers(one.answer, other.answer, heads))
        if len(different) > _MOST_TWO:
            st.caption(
                f"The first {_MOST_TWO} of {len(different):,} are shown. Choose one kind of flip "
                "above to see others."
            )


def _verdict_text(item: Item, *, unread: bool) -> str:
    symbol, name = VERDICTS[item.verdict]
    if item.verdict is Verdict.NOTHING_TO_CHECK:
        return f"{symbol} {name}"
    note = f", {UNREAD_SHORT}" if unread else ""
    return f"{symbol} {name} {item.score:.3f}{note}, threshold {item.threshold:.3f}"


@dataclass(frozen=True, slots=True)
class _Pair:
    """A row of both runs. ``labels``: 1 = supported, 0 = hallucinated, None without; ``outcome``:
    what the second verdict means, in words."""

    first: ComparedRow
    second: ComparedRow
    labels: tuple[int | None, int | None]
    outcome: str

    @property
    def said(self) -> str:
        """The outcome, and the second label where it is another one that the outcome does not
        tell."""
        if self.labels[0] == self.labels[1] or self.outcome in _TELLING:
            return self.outcome
        return f"{self.outcome or 'two labels'}; second {label_text(self.labels[1])}"


def _draw_pairs(pairs: Sequence[_Pair], key: str, what: str, parameter: str) -> None:
    """The table of both verdicts on each row; of a chosen one, which ``parameter`` of the address
    names, both audits."""
    numbers = [row.audit_id for pair in pairs for row in (pair.first, pair.second)]
    found = {row.item.audit_id: row for row in listed(ItemStore.open().of_audits(numbers))}
    rows = []
    for pair in pairs:
        first, second = found.get(pair.first.audit_id), found.get(pair.second.audit_id)
        if first is None or second is None:
            continue
        item = replace(first.item, label=pair.labels[0], line=pair.first.line)
        change = VerdictChange(
            second.state,
            second.item.score,
            second.item.audit_id,
            pair.said,
            second.item.answer,
            second.unread,
        )
        rows.append(replace(first, item=item, change=change))
    if len(rows) < len(pairs):
        st.caption("Audits deleted since the page was drawn are missing here.")
    columns = Columns(
        "first run",
        "second run",
        "first",
        "second",
        scores=("1st score", "2nd score"),
        flagged="1st flagged",
        without=("mistake", "run"),
    )
    draw_audits(rows, key, what, columns, parameter=parameter)
