"""Another profile ends the choice of a preset: the page says so and leads back."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from provenance_core import default_parameters
from storage import PresetStore
from tests.app_page import open_page
from tests.storage.test_presets import EVIDENCE

NAME = "**strict** <b>library</b>"


def _saved(url: str) -> int:
    given = replace(default_parameters("cascade", "summac"), threshold=0.72, top_k=3)
    store = PresetStore.open(url)
    number = store.save(NAME, "cascade", given, EVIDENCE, "ann")
    store.set_default(number)
    return number


@pytest.mark.parametrize("page", ["", "batch"])
def test_another_profile_says_which_preset_it_left_and_leads_back(url, page):
    number = _saved(url)
    app = open_page(page)
    assert app.selectbox(key="preset").value == number
    app.selectbox(key="profile").select("embedded").run()
    assert app.selectbox(key="preset").value is None
    assert any("no longer chosen" in each.value for each in app.sidebar.info)
    assert any(f"“{NAME}” is for the profile cascade." in each.value for each in app.sidebar.text)

    app.button(key="back_to_preset").click().run()
    assert not app.exception
    state = app.session_state
    assert (state.preset, state.profile, state.threshold) == (number, "cascade", 0.72)
    assert state.detector == "summac"
    assert not [each for each in app.button if each.key == "back_to_preset"]


def test_a_preset_that_was_deleted_since_then_is_not_offered(url):
    number = _saved(url)
    app = open_page()
    app.selectbox(key="profile").select("embedded").run()
    PresetStore.open(url).delete(number)
    app.run()
    assert not app.exception
    assert not app.sidebar.info


@pytest.mark.parametrize("page", ["", "batch"])
def test_the_reset_takes_every_setting_back_and_leaves_what_is_entered(url, page):
    _saved(url)
    app = open_page(page)
    if not page:
        app.text_area(key="answer").set_value("It opened in 1932.").run()
    app.slider(key="threshold").set_value(0.9).run()
    button = next(each for each in app.button if each.label == "Reset to defaults")
    for said in ("no preset", "detector Two-stage", "profile embedded", "What you entered stays."):
        assert said in button.help
    button.click().run()
    assert not app.exception
    state, built_in = app.session_state, default_parameters("embedded")
    assert (state.preset, state.profile) == (None, "embedded")
    assert state.detector == built_in.detector == "two-stage"
    assert state.threshold == built_in.threshold
    assert state.top_k == built_in.top_k
    if not page:
        assert app.text_area(key="answer").value == snapshot("It opened in 1932.")


def test_without_a_preset_nothing_is_said(url):
    app = open_page()
    app.selectbox(key="profile").select("cascade").run()
    assert not app.exception
    assert not app.sidebar.info


def test_the_models_page_says_it_too(url):
    number = _saved(url)
    app = open_page()
    app.switch_page("pages/models.py").run()
    app.button(key="use_embedded").click().run()
    app.button(key="back_to_preset").click().run()
    assert not app.exception
    assert (app.session_state.preset, app.session_state.profile) == (number, "cascade")
