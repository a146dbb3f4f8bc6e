"""The address names every setting that differs from where the page starts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from provenance_core import default_parameters
from storage import AuditStore, PresetStore
from tests.app_page import open_page
from tests.exports_data import an_audit
from tests.storage.test_presets import EVIDENCE


def _words(app: AppTest) -> dict[str, str]:
    given = app.query_params
    return {name: v if isinstance(v, str) else v[0] for name, v in given.items()}


def _saved_preset(url: str) -> int:
    given = replace(default_parameters(detector="summac"), threshold=0.72)
    return PresetStore.open(url).save("ours", "embedded", given, EVIDENCE, "ann")


@pytest.mark.parametrize("page", ["", "batch"])
def test_the_address_alone_brings_every_setting_back(url, page):
    app = open_page(page)
    assert not app.query_params
    app.slider(key="threshold").set_value(0.25).run()
    app.radio(key="selection").set_value("top_p").run()
    app.slider(key="top_p").set_value(0.4).run()
    app.toggle(key="count_set_aside").set_value(True).run()
    expected = {"threshold": "0.250", "top_p": "0.400", "selection": "top_p"}
    assert _words(app) == {**expected, "count_set_aside": "yes"}
    again = open_page(page, **_words(app))
    assert again.slider(key="threshold").value == 0.25
    assert again.slider(key="top_p").value == 0.4
    assert again.toggle(key="count_set_aside").value is True
    assert _words(again) == _words(app)


def test_the_link_of_an_audit_has_its_number_and_what_was_changed(url):
    number = AuditStore.open(url).save(an_audit(0.2, 0.9))
    app = open_page(audit=str(number))
    assert _words(app) == {"audit": str(number)}
    app.selectbox(key="aggregation").set_value("min").run()
    assert _words(app) == {"audit": str(number), "aggregation": "min"}
    (link,) = [each.proto for each in app.get("bidi_component") if "copy_link" in each.proto.id]
    assert f"audit={number}&aggregation=min" in str(link)
    again = open_page(**_words(app))
    assert again.selectbox(key="aggregation").value == "min"


@pytest.mark.parametrize(
    "words",
    [
        {"threshold": "2"},
        {"threshold": "high"},
        {"aggregation": "sum"},
        {"detector": "nobody's"},
        {"profile": "../x"},
        {"preset": "99"},
        {"preset": "first"},
        {"top_k": "0"},
    ],
)
def test_a_word_that_names_nothing_is_left_out(url, words):
    app = open_page(**words)
    state = app.session_state
    assert (state.detector, state.profile, state.preset) == ("two-stage", "embedded", None)
    assert state.threshold == default_parameters().threshold
    assert not app.query_params


def test_a_preset_is_named_and_without_it_the_own_threshold_counts_again(url):
    number = _saved_preset(url)
    app = open_page()
    app.selectbox(key="preset").select(number).run()
    assert _words(app) == {"preset": str(number)}
    again = open_page(preset=str(number), top_k="3")
    assert again.session_state.threshold == 0.72
    assert again.session_state.detector == "summac"
    again.selectbox(key="preset").select(None).run()
    assert again.session_state.preset is None
    assert again.session_state.threshold == default_parameters(detector="summac").threshold


def test_no_preset_is_named_where_the_default_is_one(url):
    PresetStore.open(url).set_default(_saved_preset(url))
    app = open_page()
    app.selectbox(key="preset").select(None).run()
    assert _words(app) == {"preset": "none"}
    again = open_page(preset="none")
    assert again.session_state.preset is None
    assert again.session_state.threshold == default_parameters(detector="summac").threshold


def test_an_address_that_was_emptied_names_the_settings_again(url):
    app = open_page()
    app.selectbox(key="detector").set_value("summac").run()
    app.query_params.clear()  # as an example does
    app.run()
    assert app.selectbox(key="detector").value == "summac"
    assert _words(app) == {"detector": "summac"}
