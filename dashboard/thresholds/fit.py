"""The section “Fit to my labels” of the Thresholds page, and the fitted profiles."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.shared.access import Role, allowed, require, visitor
from dashboard.shared.links import page_links
from dashboard.shared.problems import (
    draw_outcome,
    draw_problem,
    keep_outcome,
    kept_problems,
    shown_problems,
)
from dashboard.shared.settings import choose_profile
from dashboard.shared.text_table import text_table
from dashboard.thresholds.data import LABEL_SOURCES, LabelledItems, View
from dashboard.thresholds.fit_data import FittingItems, MadeFit, bases, fitting_items, make_fit
from provenance_core import InputError, ModelError
from provenance_core.files.encoding import decode
from provenance_core.models.catalogue.profiles import get_profile, support_maps
from provenance_core.progress import Progress
from reports.directions import without_turns
from reports.fit_wording import (
    TextTable,
    figures_table,
    kinds_text,
    left_out_text,
    sample_text,
    strength_text,
    verdict_on_fit,
    weights_table,
)
from reports.glossary import tooltip
from reports.listed_audits import filter_lines
from reports.wording import profile_title
from storage import FitEvidence, FittedProfile, FittedProfileStore, StorageError

_OUTCOME, _MADE = "fit", "fit_made"
_TITLE, _AUTHOR, _FILE = "fit_title", "fit_author", "fit_file"


def draw_fit(view: View, found: LabelledItems) -> None:
    """Fit to the labels that the page shows, and the profiles that came of it."""
    st.header("Fit to my labels")
    st.caption(
        "Your labels can improve the scores of your answers, and a fit shows whether they do. "
        "It adjusts the few weights that turn the measurements into a probability of support, "
        "and the threshold. It needs no model and changes no saved audit."
    )
    with shown_problems("Nothing can be fitted to these answers."):
        names = bases(found)
        if len(names) == 1:
            _draw_new(view, found, fitting_items(found, names[0]))
        elif names:
            st.info(
                f"These answers were audited with the models of {len(names)} profiles "
                f"({', '.join(names)}), and a fit is for one. Choose runs of one profile above."
            )
    draw_fitted_profiles()


def _draw_new(view: View, found: LabelledItems, given: FittingItems) -> None:
    support_maps(get_profile(given.base))
    if short := given.shortage:
        st.info(short)
        page_links("review", "batch")
        return
    if st.button(
        f"Fit to {len(given.items):,} labels",
        icon=":material/model_training:",
        help=f"{tooltip('fitted profile')} It takes from a few seconds to a few minutes on this "
        "machine.",
    ):
        _run(view, given)
    key, made = st.session_state.get(_MADE, ("", None))
    if made is not None and key == view.items_key:
        _draw_made(view, found, made)


def _run(view: View, given: FittingItems) -> None:
    require(Role.REVIEWER)
    bar = st.progress(0.0, text="Starting")
    try:
        shown = Progress(lambda stage, done: bar.progress(min(done, 1.0), text=stage))
        made = make_fit(given, shown)
    except (InputError, ModelError, StorageError) as error:
        draw_problem("Nothing was fitted.", error)
    else:
        st.session_state[_MADE] = (view.items_key, made)
    bar.empty()


def _draw_made(view: View, found: LabelledItems, made: MadeFit) -> None:
    fit = made.fit
    said = f"{verdict_on_fit(fit.comparisons, fit.better)} {kinds_text(fit.kinds)}"
    if fit.better:
        st.success(said)
    else:
        st.warning(said)
    st.html(_table(figures_table(fit.comparisons)))
    st.text(
        f"{sample_text(fit.n, fit.supported, fit.documents)}\nThreshold: built-in "
        f"{fit.threshold_before:.3f}, fitted {fit.threshold:.3f}. {strength_text(fit.strength)}"
    )
    if lines := left_out_text(made.sample.left_out):
        st.text(lines)
    st.caption(
        "Each answer was scored by a map, a strength and a threshold that were chosen without its "
        "source document (5 folds). ROC AUC compares answers of one fold. Intervals are 95 % "
        "intervals over source documents. Built-in is the current map with the profile's own "
        "threshold and settings; an audit keeps the score of the map that it was made with."
    )
    with st.expander("The coefficients"):
        maps = support_maps(get_profile(fit.base))
        st.html(_table(weights_table(maps.decisive, fit.support)))
    runs = sorted({each.item.run for each in found.items}) if view.chosen.runs else []
    evidence = FitEvidence.of(
        fit, "; ".join(filter_lines(view.chosen, runs)), LABEL_SOURCES[view.labels_from]
    )
    with st.form("save_fit"):
        columns = st.columns([3, 2], vertical_alignment="bottom")
        columns[0].text_input("Name of the profile", key=_TITLE, max_chars=80)
        columns[1].text_input("Your name (optional)", key=_AUTHOR, max_chars=80)
        st.form_submit_button(
            "Keep as a profile" if fit.better else "Keep it anyway",
            icon=":material/save:",
            on_click=_save,
            args=(made, evidence),
        )


def draw_fitted_profiles() -> None:
    """The fitted profiles with their figures, and a way to bring one in."""
    with shown_problems("The fitted profiles cannot be listed."):
        profiles = FittedProfileStore.open().listed()
        for profile in profiles:
            _draw_profile(profile)
    with st.expander("Import a fitted profile"), st.form("import_fit", border=False):
        st.file_uploader("Exported profile (JSON)", type=["json"], key=_FILE)
        st.form_submit_button("Import", on_click=_import)


def _draw_profile(profile: FittedProfile) -> None:
    fitted, evidence = profile.fitted, profile.evidence
    in_use = st.session_state.get("profile") == fitted.name
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(
                f"{without_turns(fitted.title)} · fit of {fitted.base} · {fitted.name} · threshold "
                f"{fitted.threshold:.3f}",
                width="stretch",
            )
            st.button(
                "In use" if in_use else "Use",
                key=f"use_{fitted.name}",
                disabled=in_use,
                on_click=_use,
                args=(fitted.name, fitted.title),
                help="Audit and Batch use it in this session; the sidebar shows it.",
            )
            st.download_button(
                "Export",
                partial(FittedProfileStore.open().export, fitted.name),
                f"{fitted.name}.json",
                "application/json",
                key=f"export_{fitted.name}",
                on_click="ignore",
            )
            st.button(
                "",
                icon=":material/delete:",
                key=f"delete_{fitted.name}",
                help="Deletes this profile; audits made with it do not change.",
                on_click=_delete,
                args=(fitted.name, fitted.title),
            )
        with st.expander("What it was fitted to, and the figures"):
            st.text(
                without_turns(
                    f"{sample_text(evidence.n, evidence.supported, evidence.documents)} "
                    f"{kinds_text(evidence.kinds)}\nLabels: {evidence.labels_from}. "
                    f"{evidence.filter}.\nThreshold: built-in {evidence.threshold_before:.3f}, "
                    f"fitted {fitted.threshold:.3f}. {strength_text(evidence.strength)}\nFitted "
                    f"{profile.created_at[:16].replace('T', ' ')} UTC"
                    + (f" by {profile.created_by}." if profile.created_by else ".")
                )
            )
            st.html(_table(figures_table(evidence.comparisons)))


def _table(table: TextTable) -> str:
    return text_table(table.head, table.rows)


def draw_fit_outcome() -> None:
    """What became of the last change of a fitted profile; what was refused says why."""
    draw_outcome(_OUTCOME, "The fitted profiles could not be changed.")


@allowed(Role.ADMIN, "keep a fitted profile")
@kept_problems(_OUTCOME)
def _save(made: MadeFit, evidence: FitEvidence) -> None:
    state = st.session_state
    title, author = state[_TITLE].strip(), visitor().name or state[_AUTHOR]
    name = FittedProfileStore.open().save(title, made.fit, evidence, author)
    kept = f"“{title}” was kept as the profile {name}. Use it below, or in the sidebar."
    keep_outcome(_OUTCOME, kept)
    state[_TITLE] = ""


def _use(name: str, title: str) -> None:
    choose_profile(name)
    if not st.session_state.get("profile_problem"):
        keep_outcome(_OUTCOME, f"Audit and Batch use “{title}” in this session.")


@allowed(Role.ADMIN, "delete a fitted profile")
@kept_problems(_OUTCOME)
def _delete(name: str, title: str) -> None:
    FittedProfileStore.open().delete(name)
    keep_outcome(_OUTCOME, f"“{title}” was deleted. Audits made with it do not change.")


@allowed(Role.ADMIN, "import a fitted profile")
@kept_problems(_OUTCOME)
def _import() -> None:
    file = st.session_state[_FILE]
    if file is None:
        raise InputError("Choose a file first.")
    text, _ = decode(file.name, file.getvalue(), "Upload the exported file unchanged.")
    title = profile_title(FittedProfileStore.open().import_text(text))
    keep_outcome(_OUTCOME, f"The profile “{title}” is here now. Use it below, or in the sidebar.")
