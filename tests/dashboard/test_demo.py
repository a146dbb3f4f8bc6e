"""The demonstration: five steps, real audits, no model, nothing saved."""

from __future__ import annotations

import re

import pytest

from dashboard.demo.prepare import made_audits
from dashboard.demo.prepared import PreparedAnswer, prepared_audit
from dashboard.demo.view import STEPS
from storage import AuditStore
from tests.app_page import open_page
from tests.conftest import press, shown_html


@pytest.mark.slow
def test_the_prepared_audits_are_what_the_models_say(monkeypatch):
    """If not: ``python -m dashboard.demo.prepare``. Another processor may have other decimals."""
    monkeypatch.setenv("PROVENANCE_PROFILE", "cascade")
    for name, made in made_audits().items():
        kept = prepared_audit(name)
        assert kept.evidence.answer == made.evidence.answer
        assert kept.score == pytest.approx(made.score, abs=0.02)
        assert [s.label for s in kept.sentences] == [s.label for s in made.sentences]


def test_the_verdicts_are_those_that_the_captions_speak_of():
    assert prepared_audit(PreparedAnswer.RIGHT).state == "supported"
    assert prepared_audit(PreparedAnswer.WRONG).verdict == "hallucinated"
    assert prepared_audit(PreparedAnswer.CORRECTED).state == "supported"


def test_every_step_is_shown_without_a_model_and_saves_nothing(url, monkeypatch):
    def refuse(profile: str = "embedded"):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("provenance_core.Provenance.load", refuse)
    app = open_page(demo="1")
    for number, step in enumerate(STEPS, 1):
        assert [title.value for title in app.title] == [f"{number}. {step.title}"]
        assert app.query_params["demo"] in (str(number), [str(number)])
        if number < len(STEPS):
            press(app, "Next")
    press(app, "Back")
    app.slider(key="demo_threshold").set_value(1.0).run()
    assert "Hallucinated" in shown_html(app)
    press(app, "Leave the demonstration")
    assert [title.value for title in app.title] == ["Audit an answer"]
    assert AuditStore.open(url).count() == 0


@pytest.mark.parametrize("step", ["0", "6", "x", "9" * 30])
def test_a_step_that_there_is_not_shows_the_first(url, step):
    assert [title.value for title in open_page(demo=step).title] == [f"1. {STEPS[0].title}"]


def test_the_form_offers_it(url):
    app = open_page()
    press(app, "Show me")
    assert [title.value for title in app.title] == [f"1. {STEPS[0].title}"]


def test_the_correction_opens_at_a_sentence_that_it_changed(url):
    (pair,) = [
        each.proto.body for each in open_page(demo="3").get("html") if "pv-pair" in each.proto.body
    ]
    (chosen,) = re.findall(r'id="pv-s(\d+)" checked', pair)
    corrected = prepared_audit(PreparedAnswer.CORRECTED).evidence.sentences[int(chosen)]
    assert corrected.text.strip() not in prepared_audit(PreparedAnswer.WRONG).evidence.answer
