"""What the browser kept of the settings is read with care: it may be anything."""

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.shared.kept_settings import KeptSettings, read_settings
from provenance_core import default_parameters
from provenance_core.audit.serialization import to_plain
from tests.app_page import PATIENCE

KEPT = KeptSettings(default_parameters(detector="summac"), "embedded", None)
PLAIN = to_plain(KEPT)


def test_settings_come_back_as_they_were():
    assert read_settings(PLAIN) == KEPT
    assert read_settings({**PLAIN, "preset": 3}) == KeptSettings(KEPT.parameters, "embedded", 3)


@pytest.mark.parametrize(
    "found",
    [
        None,
        "settings",
        {},
        {**PLAIN, "profile": 3},
        {**PLAIN, "preset": "first"},
        {**PLAIN, "parameters": {**PLAIN["parameters"], "threshold": 2.0}},
        {**PLAIN, "parameters": {**PLAIN["parameters"], "aggregation": "sum"}},
        {**PLAIN, "parameters": {**PLAIN["parameters"], "detector": "nobody's"}},
    ],
)
def test_what_is_no_settings_is_not_read(found):
    assert read_settings(found) is None


def test_what_is_taken_is_what_is_kept_next(url):
    def script() -> None:
        import streamlit as st

        from dashboard.shared.kept_settings import KeptSettings
        from dashboard.shared.sidebar import _chosen_settings, _take_kept, start_settings
        from provenance_core import default_parameters

        start_settings()
        kept = KeptSettings(default_parameters(detector="summac"), "embedded", 3)
        _take_kept(kept, kept)
        st.session_state.chosen = _chosen_settings()

    app = AppTest.from_function(script, default_timeout=PATIENCE).run()
    assert not app.exception
    chosen = app.session_state.chosen
    assert (chosen.parameters.detector, chosen.preset) == ("summac", 3)
    assert read_settings(to_plain(chosen)) == chosen
