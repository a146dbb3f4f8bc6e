"""Sections of the Thresholds page."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.shared.audit_columns import Columns
from dashboard.shared.audit_table import draw_audits
from dashboard.shared.charts import draw_chart
from dashboard.shared.paging import draw_pager, page_offset
from dashboard.shared.problems import draw_problem
from dashboard.shared.text_table import frame_table
from dashboard.thresholds.charts import (
    calibration_figure,
    confusion_figure,
    histogram_figure,
    parts_figure,
    precision_recall_figure,
    roc_figure,
)
from dashboard.thresholds.data import (
    MOST_PARTS,
    LabelledItems,
    ScoredBy,
    View,
    curves,
    figures,
    labelled_scores,
    parts,
)
from dashboard.thresholds.threshold_bar import THRESHOLD
from dashboard.thresholds.wording import (
    COLUMNS,
    FIGURES,
    OBJECTIVES,
    estimate_text,
    goal_words,
    interval_text,
    parts_frame,
    parts_notes,
    threshold_text,
)
from provenance_core import Aggregation, Parameters
from provenance_core.errors import NotReadError
from provenance_core.parameters import PARAMETERS
from provenance_core.statistics.thresholds.figures import flips
from provenance_core.statistics.thresholds.types import (
    BestThreshold,
    Estimate,
    Figure,
    Goal,
    LabelledScores,
    Objective,
    ThresholdFigures,
    ThresholdFlip,
)
from provenance_core.types import (
    DEFAULT_DETECTOR,
    ClaimAggregation,
    SelectionStrategy,
    VerdictState,
)
from reports import wording
from reports.glossary import tooltip
from reports.judged_elsewhere import brought_text
from reports.listed_audits import ListedAudit, VerdictChange, listed
from reports.review_wording import gold_decides_text
from reports.wording import few_labels_text
from storage import ItemColumn, ItemStore

SECOND = "second_threshold"
_BEFORE = "threshold_before_use"
_FLIPS_A_PAGE = 100


def draw_score_parameters(start: Parameters, scored: ScoredBy, menus: DeltaGenerator) -> Parameters:
    """Choose how scores are computed from what is stored; ``start`` is shown at first. ``menus``:
    the row that gets the menu of it. Every choice is a query parameter of its key. Where all scores
    are as ``scored`` by detectors other than the paper's, or by dense retrieval, there is nothing
    to choose."""
    _say_how_scored(scored)
    if scored.as_stored:
        return start
    columns = menus.popover("Score settings", icon=":material/functions:").columns(2) * 2
    selection = _choose(columns[0], "selection", "score_selection", start)
    top_p, top_k = start.top_p, start.top_k
    if selection == SelectionStrategy.TOP_K:
        top_k = columns[1].slider(
            "top_k", 1, 20, start.top_k, key="score_top_k", bind="query-params"
        )
    else:
        top_p = columns[1].slider(
            "top_p", 0.05, 1.0, start.top_p, 0.05, key="score_top_p", bind="query-params"
        )
    aggregation = _choose(columns[2], "aggregation", "score_aggregation", start)
    of_claims = _choose(columns[3], "claim_aggregation", "score_claims", start)
    return replace(
        start,
        selection=SelectionStrategy(selection),
        top_p=top_p,
        top_k=top_k,
        aggregation=Aggregation(aggregation),
        claim_aggregation=ClaimAggregation(of_claims),
    )


def _choose(column: DeltaGenerator, name: str, key: str, start: Parameters) -> str:
    """A box with the choices of a parameter, of which that of ``start`` is shown at first."""
    info = PARAMETERS[name]
    values = [each.value for each in info.choices]
    return column.selectbox(
        info.label,
        values,
        index=values.index(getattr(start, name)),
        format_func=info.text,
        key=key,
        bind="query-params",
    )


def _say_how_scored(scored: ScoredBy) -> None:
    """What the reader must know of the detectors and the relevance behind the scores."""
    titles = ", ".join(wording.detector_title(name) for name in scored.detectors)
    if scored.as_stored:
        why = "selection and aggregation belong to the two-stage detector only."
        if DEFAULT_DETECTOR in scored.detectors:
            why = (
                "relevance is by dense retrieval, which joins the selected sentences into one "
                "premise, so that another selection needs another audit."
            )
        st.caption(f"These answers were scored by {titles}. The page uses the stored scores: {why}")
    if scored.mixes_relevance:
        st.warning(
            "Some of these answers were scored with relevance by the cross-encoder and some by "
            "dense retrieval. Selection and aggregation change the scores of the first only, and "
            "one threshold may not fit both: choose runs of one kind in the filter."
        )
    if len(scored.detectors) > 1:
        st.warning(
            f"These answers were scored by several detectors ({titles}), whose scores are on "
            "different scales. Choose one under “Detector” in the filter for a meaningful "
            "threshold."
        )


def scores_or_why(view: View) -> LabelledScores | None:
    """The scores of the labelled answers; None, with the reason on the page, where an audit did not
    read what the chosen selection keeps."""
    try:
        return labelled_scores(view)
    except NotReadError as error:
        what = "The scores cannot be computed under these score settings."
        draw_problem(what, error, st.warning)
        return None


def draw_sample(sample: LabelledScores, found: LabelledItems) -> None:
    """How many answers everything below speaks of, how many of each label, of how many runs."""
    columns = st.container(key="threshold_sample").columns(4)
    columns[0].metric("Labelled (n)", f"{sample.n:,}", help=tooltip("labelled answers"))
    rate = sample.base_rate or 0
    columns[1].metric("Supported", f"{100 * rate:.1f} %", help=tooltip("base rate"))
    columns[2].metric(
        "Hallucinated", f"{100 * (1 - rate):.1f} %", help=tooltip("hallucinated share")
    )
    columns[3].metric(
        "Source documents", f"{len(set(sample.groups)):,}", help=tooltip("source document")
    )
    st.caption(
        f"n = {sample.n:,} of the {found.total:,} that pass the filter; base rate: "
        f"{sample.supported:,} supported, {sample.hallucinated:,} hallucinated. Two "
        "numbers with “to” between them are a 95 % interval.",
        help=tooltip("95 % interval"),
    )
    if brought := brought_text(found.judged_elsewhere, found.repeated):
        st.caption(brought)
    if decided := gold_decides_text(found.by_gold, "answer"):
        st.caption(decided)
    if found.nothing_to_check:
        st.caption(
            f"Labelled answers with nothing to check: {found.nothing_to_check:,}. They do not "
            "count here: no threshold changes their verdict."
        )
    runs = len({each.item.run for each in found.items if each.item.run})
    if runs > 1:
        st.caption(
            f"These answers are of {runs} runs. A row in several of them counts several times: "
            "choose one run above to count it once."
        )
    if few := few_labels_text(sample.n):
        st.warning(few)
    if sample.one_class:
        st.warning(f"{sample.one_class} No threshold can separate them until both occur.")


def draw_figures(there: ThresholdFigures) -> None:
    """The figures at the threshold with their intervals."""
    shown = (Figure.F1, Figure.BALANCED_ACCURACY, Figure.PRECISION, Figure.RECALL)
    columns = st.container(key="threshold_figures").columns(len(shown))
    for column, figure in zip(columns, shown, strict=True):
        estimate = there.of(figure)
        name, explained = FIGURES[figure]
        value = "–" if estimate.value is None else f"{estimate.value:.3f}"
        column.metric(name, value, help=explained)
        column.caption(interval_text(estimate))


def draw_curves(view: View, sample: LabelledScores, there: ThresholdFigures) -> None:
    """Scores by label, confusion matrix, ROC, precision and recall, calibration."""
    found = curves(view)
    left, right = st.columns(2)
    left.header("Scores by label")
    draw_chart(histogram_figure(found.histogram, there.threshold), "histogram", left)
    right.header("Confusion matrix")
    draw_chart(confusion_figure(there.confusion), "confusion", right)
    left, middle, right = st.columns(3)
    left.header("ROC curve")
    if found.roc is not None:
        draw_chart(roc_figure(found.roc, there), "roc", left)
    left.caption(f"ROC AUC {estimate_text(found.auc)}")
    middle.header("Precision and recall")
    if found.precision_recall is not None:
        chart = precision_recall_figure(
            found.precision_recall, there, sample.hallucinated / sample.n
        )
        draw_chart(chart, "precision_recall", middle)
    middle.caption(
        f"Average precision {estimate_text(found.average_precision)}. Dashed: the share of "
        "hallucinated answers."
    )
    right.header("Calibration")
    draw_chart(calibration_figure(found.calibration), "calibration", right)
    right.caption(
        f"Calibration error {_point(found.ece)}, Brier score {_point(found.brier)}. On the dashed "
        "line a score of 0.7 means that 70 % are supported.",
        help=f"{tooltip('calibration error')} {tooltip('Brier score')}",
    )


def draw_goals() -> tuple[Goal, ...]:
    """What the user wants of a threshold: every objective with its required recall or cost."""
    columns = st.columns(2)
    recall = columns[0].slider(
        "Required recall of hallucinated answers",
        0.05,
        1.0,
        0.9,
        0.01,
        key="required_recall",
        bind="query-params",
        help=tooltip("required recall"),
    )
    ratio = columns[1].number_input(
        "Cost of a missed hallucination, in false alarms",
        0.01,
        1000.0,
        5.0,
        1.0,
        key="cost_ratio",
        bind="query-params",
        help=tooltip("cost of a miss"),
    )
    return tuple(Goal(objective, recall, ratio) for objective in Objective)


def draw_best(view: View, found: tuple[BestThreshold, ...], threshold: float) -> None:
    """The best threshold for each goal, with a button that sets the slider to it; below a button
    that was just pressed, what that changed. ``threshold``: the slider's."""
    before = st.session_state.pop(_BEFORE, None)
    widths = [3, 2, 2, 2, 2, 1.4]
    head = ("Goal", "Threshold", "Reached", "Precision", "Recall", "")
    table = st.container(key="best_thresholds")
    names = table.container(key="best_thresholds_head").columns(widths)
    for column, name in zip(names, head, strict=True):
        column.caption(name)
    for each in found:
        columns = table.columns(widths, vertical_alignment="center")
        columns[0].text(goal_words(each.goal))
        _cell(columns[1], head[1], each.threshold)
        value = each.threshold.value
        if each.figures is None or value is None:
            continue
        cost = each.goal.objective is Objective.COST
        _cell(columns[2], head[2], each.reached, " an answer" if cost else "")
        _cell(columns[3], head[3], each.figures.of(Figure.PRECISION))
        _cell(columns[4], head[4], each.figures.of(Figure.RECALL))
        shown = value == threshold
        columns[5].button(
            "Shown" if shown else "Show",
            key=f"use_{each.goal.objective}",
            disabled=shown,
            on_click=_use,
            args=(each.goal.objective, value, threshold),
            help=f"Set the slider of this page to {threshold_text(value)}",
        )
        if before is not None and before[0] is each.goal.objective:
            table.success(_effect(view, before[1], threshold))
    st.caption(
        "The intervals come from a bootstrap over source documents: each sample chooses its own "
        "thresholds, ties included, and the interval covers these choices. The figures come "
        "from the answers that the threshold was chosen on, so expect slightly lower ones on "
        "new answers. Least cost is the mean cost of an answer in "
        "false alarms, for answers with this base rate."
    )


def _cell(place: DeltaGenerator, name: str, estimate: Estimate, unit: str = "") -> None:
    """The figure with its unit, and below it the interval or the reason why there is none; with
    its ``name`` before it where the window is too narrow for a heading."""
    value = "–" if estimate.value is None else f"{estimate.value:.3f}{unit}"
    place.html(
        f'<div class="pv-cell" data-name="{name}">{value}'
        f"<small>{escape(interval_text(estimate))}</small></div>"
    )


def _use(objective: Objective, value: float, before: float) -> None:
    st.session_state[_BEFORE] = (objective, before)
    set_threshold(value)


def _effect(view: View, before: float, now: float) -> str:
    """What another threshold changes, in a sentence."""
    old, new = (figures(view, each).confusion for each in (before, now))
    return (
        f"The slider moved from {threshold_text(before)} to {threshold_text(now)}. Missed "
        f"hallucinations: {old.missed:,} → {new.missed:,}. False alarms: {old.false_alarms:,} → "
        f"{new.false_alarms:,}. To audit with it, press “Save as a preset” above."
    )


def set_threshold(value: float) -> None:
    """Put the slider at ``value``; called before the page is drawn."""
    st.session_state[THRESHOLD] = value


def draw_parts(view: View, found: LabelledItems, threshold: float, goals: tuple[Goal, ...]) -> None:
    """Figures by the values of a column, at the common threshold and at each part's own."""
    left, right = st.columns(2)
    column: ItemColumn | None = left.selectbox(
        "Split by",
        [None, *COLUMNS],
        format_func=lambda value: "not split" if value is None else COLUMNS[value],
        key="split_by",
        placeholder="not split",
        required=True,
        bind="query-params",
    )
    goal: Goal = right.selectbox(
        "Each part's own best threshold is for",
        goals,
        format_func=lambda value: OBJECTIVES[value.objective],
        key="split_goal",
    )
    if column is None:
        return
    shown = parts(view, column, threshold, goal)
    draw_chart(parts_figure(shown, threshold), "parts")
    st.html(frame_table(parts_frame(shown), decimals=3))
    if notes := parts_notes(shown):
        st.text("\n".join(notes))
    misfits = sum(part.fits is False for part in shown)
    several = len(set(found.values(column)))
    if misfits:
        st.warning(
            f"{misfits} of {len(shown)} parts would choose another threshold: "
            f"{threshold_text(threshold)} lies outside the interval of their own best one."
        )
    if several > len(shown):
        st.caption(f"The {MOST_PARTS} largest of {several:,} parts are shown.")


def draw_flips(sample: LabelledScores, found: LabelledItems, threshold: float) -> None:
    """The answers whose verdict differs between the slider's and a second threshold."""
    second = st.slider(
        "Second threshold", 0.0, 1.0, 0.5, 0.001, "%.3f", key=SECOND, bind="query-params"
    )
    changed = flips(sample, threshold, second)
    fixed = sum(flip.fixed for flip in changed)
    st.caption(
        f"{len(changed):,} of {sample.n:,} verdicts change from {threshold_text(threshold)} to "
        f"{threshold_text(second)}: {fixed:,} from wrong to right, {len(changed) - fixed:,} "
        "from right to wrong."
    )
    pager = f"flips_page {threshold} {second} {len(changed)}"
    start = page_offset(pager, len(changed), _FLIPS_A_PAGE)
    shown = changed[start : start + _FLIPS_A_PAGE]
    numbers = [found.items[flip.index].item.audit_id for flip in shown]
    known = {row.item.audit_id: row for row in listed(ItemStore.open().of_audits(numbers))}
    rows = [
        _flipped(known[number], flip)
        for flip, number in zip(shown, numbers, strict=True)
        if number in known
    ]
    columns = Columns(
        "at the threshold",
        "at the second",
        f"at {threshold_text(threshold)}",
        f"at {threshold_text(second)}",
        without=("mistake", "threshold"),
    )
    draw_audits(rows, f"{pager} {start}", "Verdicts that another threshold changes", columns)
    draw_pager(pager, len(changed), _FLIPS_A_PAGE)


def _flipped(row: ListedAudit, flip: ThresholdFlip) -> ListedAudit:
    order = (VerdictState.SUPPORTED, VerdictState.HALLUCINATED)
    before, after = order if flip.supported_before else order[::-1]
    # Its sentences were flagged under the threshold of its audit.
    item = replace(row.item, score=flip.score, label=int(flip.label), unsupported_sentences=None)
    said = "wrong to right" if flip.fixed else "right to wrong"
    return replace(
        row,
        item=item,
        state=before,
        change=VerdictChange(after, None, None, said, unread=row.unread),
    )


def _point(estimate: Estimate) -> str:
    return f"– ({estimate.reason})" if estimate.value is None else f"{estimate.value:.3f}"
