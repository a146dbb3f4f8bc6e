"""Choose a threshold from labelled answers, and see how sure one can be of it."""

import streamlit as st

from dashboard.shared.export_menu import draw_found
from dashboard.shared.filter_bar import draw_hidden, item_filter
from dashboard.shared.links import page_links
from dashboard.shared.navigation import require_app
from dashboard.shared.problems import shown_problems
from dashboard.shared.settings import default_settings, start_settings
from dashboard.thresholds.data import (
    LABEL_SOURCES,
    LabelSource,
    best,
    current_view,
    labelled_items,
    scored_by,
)
from dashboard.thresholds.first_choice import choose_one_run
from dashboard.thresholds.fit import draw_fit, draw_fit_outcome, draw_fitted_profiles
from dashboard.thresholds.presets import draw_preset_outcome, draw_presets, draw_save_menu
from dashboard.thresholds.threshold_bar import THRESHOLD, draw_threshold_bar
from dashboard.thresholds.view import (
    SECOND,
    draw_best,
    draw_curves,
    draw_figures,
    draw_flips,
    draw_goals,
    draw_parts,
    draw_sample,
    draw_score_parameters,
    scores_or_why,
)
from dashboard.thresholds.wording import selective


def draw_page() -> None:
    """Everything below the title. Raises StorageError."""
    start = default_settings()
    if start.problem:
        st.warning("The app did not use the default preset.")
        st.text(start.problem)
    choose_one_run()
    runs, labels = st.columns(2)
    # What is seldom changed is behind two menus: the slider comes first.
    menus = st.container(horizontal=True, gap="small", vertical_alignment="center")
    with runs:
        chosen = item_filter(
            "labels_from", "score_selection", "score_top_p", "score_top_k", "score_aggregation",
            "score_claims", THRESHOLD, SECOND, "required_recall", "cost_ratio", "split_by",
            rest=menus,
        )  # fmt: skip
    with labels:
        labels_from = _label_source()
    scored = scored_by(chosen, labels_from)
    first = scored.start(start.settings.parameters, start.settings.profile)
    parameters = draw_score_parameters(first, scored, menus)
    draw_hidden(chosen, menus)
    view = current_view(chosen, labels_from, parameters)
    found = labelled_items(view)
    draw_found(found.total, chosen, "thresholds")
    sample = scores_or_why(view)
    if sample is None:
        return
    if not sample.n:
        _draw_without_labels(found.total)
        return
    bar = draw_threshold_bar(view, parameters.threshold)
    there, threshold = bar.figures, bar.figures.threshold
    with bar.notes:  # in view wherever on the page something was pressed
        draw_preset_outcome()
        draw_fit_outcome()
    if selective(chosen):
        st.warning(
            "The filter selects answers by their score, verdict, label or disagreement: the "
            "figures on this page hold for those answers only, not for answers in general."
        )
    draw_figures(there)
    draw_sample(sample, found)
    st.header("Best thresholds")
    goals = draw_goals()
    choices = best(view, goals)
    with bar.menu:
        draw_save_menu(view, scored, found, sample, there, choices)
    draw_best(view, choices, threshold)
    draw_curves(view, sample, there)
    draw_fit(view, found)
    st.header("Does one threshold fit all?")
    draw_parts(view, found, threshold, goals)
    st.header("Verdicts that another threshold changes")
    draw_flips(sample, found, threshold)
    st.header("Presets")
    draw_presets()


def _label_source() -> LabelSource:
    found: LabelSource | None = st.radio(
        "Labels from",
        [*LabelSource],
        format_func=LABEL_SOURCES.__getitem__,
        horizontal=True,
        key="labels_from",
        bind="query-params",
    )
    return found or LabelSource.DATA_SET


def _draw_without_labels(answers: int) -> None:
    """What there is to do where none of the ``answers`` that pass the filter has a label."""
    st.info(
        "No labelled answer passes this filter. Label answers on the Review page, or run a "
        "file that has labels on the Batch page; then choose above where the labels come from."
    )
    page_links("review", "batch")
    st.caption(f"Answers that pass the filter: {answers:,}; labelled: 0.")
    st.header("Fit to my labels")
    draw_fit_outcome()
    draw_fitted_profiles()
    st.header("Presets")
    draw_preset_outcome()
    draw_presets()


require_app()
start_settings()
st.session_state.pop("shown_audit", None)  # Opening an audit from here fills the form again.
st.title("Thresholds")
st.caption(
    "An answer is supported when its score reaches the threshold. Choose the threshold from "
    "labelled answers; scores are computed from stored measurements, without a model."
)
with shown_problems("The thresholds cannot be shown."):
    draw_page()
