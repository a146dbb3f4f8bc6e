"""A new audit begins with a person's own settings, not with those of an audit that was opened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dashboard.shared.settings import OpenedAudit, Settings
from provenance_core import default_parameters
from storage import AuditStore, PresetStore
from tests.app_page import open_page
from tests.exports_data import an_audit
from tests.storage.test_presets import EVIDENCE

DEFAULT = default_parameters()
OWN = Settings(replace(DEFAULT, threshold=0.61, top_k=7), "cascade", 3)
THEIRS = Settings(default_parameters("embedded", "summac"), "embedded", None)
OPENED = OpenedAudit(5, THEIRS, THEIRS, OWN)


@pytest.fixture
def theirs(url: str) -> int:
    """An audit by another detector, with a threshold of its own."""
    audit = an_audit(0.2, 0.9)
    other = replace(audit.parameters, threshold=0.123, detector="summac")
    return AuditStore.open(url).save(replace(audit, parameters=other))


def _chosen(app) -> tuple[str, float]:
    return app.selectbox(key="detector").value, app.slider(key="threshold").value


@pytest.mark.parametrize("way", ["new", "menu", "batch"])
def test_a_new_audit_has_the_person_s_own_settings(theirs, way):
    app = open_page()
    app.slider(key="threshold").set_value(0.61).run()
    own = _chosen(app)
    app.query_params.clear()
    app.query_params["audit"] = str(theirs)
    app.run()
    assert _chosen(app) == ("summac", 0.123)
    assert any(f"settings of audit {theirs}" in each.value for each in app.sidebar.caption)
    beside = [each.value for each in app.main.caption if "settings of audit" in each.value]
    assert beside == [
        f"Audits with the settings of audit {theirs}: detector SummaC. “New audit” above starts "
        "with yours."
    ]
    if way == "new":
        next(each for each in app.button if each.label == "New audit").click().run()
    else:
        app.query_params.clear()
        app.switch_page("pages/batch.py" if way == "batch" else "pages/audit.py").run()
    assert not app.exception
    assert _chosen(app) == own
    assert not any("settings of audit" in each.value for each in app.caption)


def test_back_on_the_audit_its_settings_are_shown_again(theirs):
    app = open_page(audit=str(theirs))
    app.text_area(key="answer").set_value("Something else.").run()
    app.query_params.clear()
    app.switch_page("pages/models.py").run()
    app.query_params["audit"] = str(theirs)
    app.switch_page("pages/audit.py").run()
    assert not app.exception
    assert _chosen(app) == ("summac", 0.123)
    assert "threshold" not in app.query_params
    assert app.text_area(key="answer").value == "Something else."


def test_an_opened_audit_leaves_the_preset_chosen(url, theirs):
    given = replace(default_parameters(), threshold=0.72)
    store = PresetStore.open(url)
    number = store.save("ours", "cascade", given, EVIDENCE, "ann")
    store.set_default(number)
    app = open_page(audit=str(theirs))
    assert app.selectbox(key="preset").value is None
    app.query_params.clear()
    app.run()
    assert app.selectbox(key="preset").value == number
    assert _chosen(app) == ("two-stage", 0.72)


def test_a_preset_chosen_beside_an_audit_counts_for_the_next(url, theirs):
    given = replace(default_parameters(detector="summac"), threshold=0.72)
    number = PresetStore.open(url).save("ours", "cascade", given, EVIDENCE, "ann")
    app = open_page(audit=str(theirs))
    app.selectbox(key="preset").select(number).run()
    assert _chosen(app) == ("summac", 0.72)
    app.slider(key="threshold").set_value(0.9).run()  # only to look
    next(each for each in app.button if each.label == "New audit").click().run()
    assert app.selectbox(key="preset").value == number
    assert _chosen(app) == ("summac", 0.72)


def test_what_is_chosen_beside_an_audit_stays_and_the_rest_comes_back():
    now = Settings(replace(THEIRS.parameters, top_p=0.5), "embedded", None)
    expected = replace(OWN.parameters, top_p=0.5)
    assert OPENED.left(now) == Settings(expected, "cascade", 3)
    assert OPENED.left(THEIRS) == OWN


def test_the_threshold_of_a_detector_chosen_beside_an_audit_stays_with_it():
    # The slider is set to the detector's own, which may be the audit's by chance.
    chosen = replace(default_parameters("embedded"), threshold=THEIRS.parameters.threshold)
    left = OPENED.left(Settings(chosen, "embedded", None)).parameters
    assert (left.detector, left.threshold) == ("two-stage", THEIRS.parameters.threshold)


def test_another_profile_chosen_beside_an_audit_ends_the_preset():
    now = Settings(replace(THEIRS.parameters, threshold=0.4), "cascade", None)
    left = OPENED.left(now)
    assert (left.profile, left.preset) == ("cascade", None)
    assert (left.parameters.detector, left.parameters.threshold) == ("summac", 0.4)


def test_a_threshold_counts_once_an_audit_was_made_with_it():
    now = Settings(replace(THEIRS.parameters, threshold=0.9), "embedded", None)
    assert OPENED.left(now) == OWN
    assert OPENED.adopted(now).parameters.threshold == 0.9
