"""“Fit to my labels” on the Thresholds page, run without a browser."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import pytest
from inline_snapshot import snapshot

from dashboard.compare.tables import settings_that_differ
from dashboard.thresholds import fit as section
from dashboard.thresholds.fit_data import MadeFit
from provenance_core import Parameters, assemble
from provenance_core.files.types import BatchRow
from provenance_core.statistics.own_fit.answers import FitSample
from reports.settings_table import setting_rows
from reports.wording import profile_title
from storage import FittedProfileStore, NewRun, RunStore
from tests.app_page import open_page
from tests.conftest import hand_evidence, shown_html
from tests.dashboard.test_thresholds_page import HIGH, LOW, add_run, said, thresholds_page
from tests.storage.test_fitted_profiles import kept, made_fit
from tests.wording import assert_shows


def fit_label(app) -> str:
    return next(each.label for each in app.button if each.label.startswith("Fit to "))


def test_too_few_labels_say_how_many_are_missing(url):
    add_run(url, LOW[:20])
    app = thresholds_page()
    assert_shows(said(app), snapshot("There are 20: 5 supported and 15 hallucinated"))
    assert_shows(said(app), snapshot("Label 40 more, at least 10 supported among them."))
    assert not any(each.label.startswith("Fit to ") for each in app.button)


def test_answers_that_no_map_can_learn_from_say_why(url):
    add_run(url, LOW + HIGH)  # by models of a test, which have other weights
    app = thresholds_page()
    assert fit_label(app) == snapshot("Fit to 60 labels")
    next(each for each in app.button if each.label == "Fit to 60 labels").click().run()
    assert not app.exception
    assert "Nothing was fitted." in said(app)


@pytest.mark.parametrize("better", [True, False])
def test_a_fit_is_kept_used_and_deleted(url, loaded_once, monkeypatch, better):
    add_run(url, LOW + HIGH)
    made = MadeFit(made_fit(), FitSample((), ()))
    monkeypatch.setattr(section, "make_fit", lambda given, progress: made)
    monkeypatch.setattr(type(made.fit), "better", property(lambda fit: better))
    app = thresholds_page()
    next(each for each in app.button if each.label == "Fit to 60 labels").click().run()
    words = "better on unseen answers" if better else "Keep the built-in profile"
    assert words in said(app)
    untested = "For replies to a query and summaries the fit is untested"
    assert untested in said(app)
    assert any(c.value.startswith("Your labels can improve the scores") for c in app.caption)
    keep = "Keep as a profile" if better else "Keep it anyway"
    app.text_input(key="fit_title").set_value("desk <b>")
    next(each for each in app.button if each.label == keep).click().run()
    assert not app.exception
    (profile,) = FittedProfileStore.open(url).listed()
    assert profile.fitted.title == "desk <b>"
    assert profile.evidence.labels_from == "data set"
    assert any(untested in each.value for each in app.text)  # beside what is kept
    name = profile.fitted.name
    app.button(key=f"use_{name}").click().run()
    assert not app.exception
    assert app.session_state.profile == name
    app.button(key=f"delete_{name}").click().run()
    assert not app.exception
    assert FittedProfileStore.open(url).listed() == ()


def test_fitted_profiles_are_in_the_sidebar_by_their_title(url):
    name = kept(FittedProfileStore.open(url))
    app = open_page()
    box = next(each for each in app.selectbox if each.label == "Profile")
    assert any("support <desk> (fit of embedded)" in option for option in box.options)
    assert name not in box.options


def test_runs_comparisons_and_parameters_call_a_fitted_profile_by_its_title(url):
    name, title = kept(FittedProfileStore.open(url)), "support <desk> (fit of embedded)"
    runs = RunStore.open(url)
    for profile in (name, "embedded"):
        run = NewRun(f"run {profile[:3]}", "rows.jsonl", "rows", (), profile, Parameters())
        runs.create(run, [BatchRow(1, "q", ("a",), "answer")], [])
    html = shown_html(open_page("batch"))
    assert escape(title) in html and name not in html
    differing = settings_that_differ(runs.page().runs)
    assert sorted(differing) == ["profile embedded", f"profile {title}"]
    audit = assemble(replace(hand_evidence([0.0], [[0.9]]), profile=name), Parameters())
    (row,) = [row for row in setting_rows(audit) if row.name == "Profile"]
    assert row.value == title
    FittedProfileStore.open(url).delete(name)
    assert profile_title(name) == name
