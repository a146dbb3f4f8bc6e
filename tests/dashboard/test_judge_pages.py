"""The judge in the app: what it sends is said where it is chosen, and nothing is sent unasked."""

from __future__ import annotations

import os

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from provenance_core import InputError
from provenance_core.detectors.judge.settings import JUDGE_SETTINGS
from storage import AuditStore
from tests.app_page import open_page
from tests.dashboard.test_detector_pages import press, shown_html, texts
from tests.detectors.test_detector_judge import CLEAN, Reply, environment, serving
from tests.wording import assert_shows


@pytest.fixture
def store(url) -> AuditStore:
    return AuditStore.open(url)


def sidebar_html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.sidebar.get("html"))


@pytest.fixture
def endpoint(monkeypatch):
    """A judge that finds nothing, set as the endpoint; it keeps what it was sent."""
    for setting in JUDGE_SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving([Reply(CLEAN)]) as running:
        for name, value in environment(running.url).items():
            monkeypatch.setenv(name, value)
        yield running


def test_what_the_judge_sends_and_where_to_is_said_where_it_is_chosen(store, endpoint):
    app = open_page()
    assert endpoint.host not in shown_html(app)
    assert "no text leaves the machine" in texts(app)
    app.selectbox(key="detector").set_value("llm-judge").run()
    assert not app.exception
    said = sidebar_html(app)
    assert_shows(said, snapshot("sends the query, the whole context and the answer"))
    assert endpoint.host in said and "judge-1" in said
    assert "no text leaves" not in texts(app)
    assert not endpoint.requests
    batch = open_page("batch")
    batch.selectbox(key="detector").set_value("llm-judge").run()
    assert endpoint.host in sidebar_html(batch)


def test_a_judge_without_an_endpoint_says_how_to_set_one(store, monkeypatch):
    for setting in JUDGE_SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    app = open_page()
    app.selectbox(key="detector").set_value("llm-judge").run()
    assert "PROVENANCE_JUDGE_URL" in sidebar_html(app)
    assert any("cannot be used" in warning.value for warning in app.sidebar.warning)


def test_the_third_reader_is_off_until_asked_for_and_says_what_it_sends(
    store, endpoint, monkeypatch
):
    monkeypatch.setattr("provenance_core.detectors.judge.third_reader.DOUBTFUL", (0.0, 1.01))
    endpoint.replies[:] = [Reply("Yes")]
    app = open_page()
    toggle = app.toggle(key="third_reader")
    assert not toggle.value and not toggle.disabled
    assert endpoint.host not in sidebar_html(app)
    toggle.set_value(True).run()
    assert not app.exception
    assert_shows(
        sidebar_html(app), snapshot("at most one question for each sentence, and 20 in an")
    )
    assert endpoint.host in sidebar_html(app)
    assert "no text leaves" not in texts(app)
    app.text_area(key="context_text").set_value("Cats sleep.")
    app.text_area(key="answer").set_value("Cats rest by night.")
    press(app, "Audit")
    assert not app.exception
    assert len(endpoint.requests) == 1
    assert store.load(1).audit.score == 1.0
    assert "support 1.000 by judge-1, asked because" in shown_html(app)


def test_without_an_endpoint_the_third_reader_cannot_be_chosen(store, monkeypatch):
    for setting in JUDGE_SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    app = open_page()
    assert app.toggle(key="third_reader").disabled
    assert "PROVENANCE_JUDGE_URL" in texts(app)


def test_run_all_asks_the_judge_only_when_that_is_ticked_for_this_run(store, endpoint, provenance):
    number = store.save(provenance.audit(query="", answer="Cats sleep.", context=["Cats sleep."]))
    app = open_page(audit=str(number))
    assert endpoint.host in shown_html(app), "what would be sent is said beside the box"
    (box,) = judge_boxes(app)
    assert not box.value
    press(app, "Run all detectors")
    assert not endpoint.requests
    done = {row.detector for row in store.same_inputs(store.load(number))}
    assert "spans" in done and "llm-judge" not in done
    # Only the judge is left: nothing runs until it is ticked.
    button = next(b for b in app.button if b.label == "Run the other detectors")
    assert button.disabled
    judge_boxes(app)[0].check().run()
    press(app, "Run the other detectors")
    assert len(endpoint.requests) == 1
    assert "llm-judge" in {row.detector for row in store.same_inputs(store.load(number))}
    # Another audit of other inputs begins without it.
    other = store.save(provenance.audit(query="", answer="Dogs bark.", context=["Cats sleep."]))
    assert [box.value for box in judge_boxes(open_page(audit=str(other)))] == [False]


def test_a_tick_is_for_one_run(store, endpoint, monkeypatch, provenance):
    number = store.save(provenance.audit(query="", answer="Cats sleep.", context=["Cats sleep."]))
    measure = type(provenance).audit_texts

    def refuse(self, texts, parameters, *rest):
        if parameters.detector != "summac":
            raise InputError("Not now.")
        return measure(self, texts, parameters, *rest)

    monkeypatch.setattr("provenance_core.Provenance.audit_texts", refuse)
    app = open_page(audit=str(number))
    judge_boxes(app)[0].check().run()
    press(app, "Run all detectors")
    assert_shows(texts(app), snapshot("LLM judge: Not now."))
    assert [box.value for box in judge_boxes(app)] == [False]


def judge_boxes(app: AppTest) -> list:
    return [box for box in app.checkbox if box.label.startswith("Run LLM judge too")]


def test_without_an_endpoint_run_all_leaves_the_judge_out(store, monkeypatch, provenance):
    for setting in JUDGE_SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    number = store.save(provenance.audit(query="", answer="Cats sleep.", context=["Cats sleep."]))
    app = open_page(audit=str(number))
    assert not judge_boxes(app)
    press(app, "Run all detectors")
    assert not any(warning.value for warning in app.warning)
    assert not any(button.label.startswith("Run ") for button in app.button)


def test_an_admin_sets_the_judge_up_and_tries_it_on_the_models_page(store, endpoint, monkeypatch):
    for setting in JUDGE_SETTINGS:
        if not setting.variable.endswith("KEY"):
            monkeypatch.setenv(setting.variable, "")  # what the page sets ends with the test
    endpoint.replies[:] = [
        Reply('{"hallucination_detected": "yes", "hallucinated_span": ["1987"]}')
    ]
    app = open_page("models")
    assert next(b for b in app.button if b.label == "Try it").disabled
    assert "PROVENANCE_JUDGE_KEY is set" in "".join(text.value for text in app.text)
    app.text_input(key="judge_provenance_judge_url").set_value(endpoint.url)
    app.text_input(key="judge_provenance_judge_model").set_value("judge-1").run()
    next(b for b in app.button if b.label == "Try it").click().run()
    assert not app.exception
    assert "It works" in "".join(each.value for each in app.success)
    ((_, headers, body),) = endpoint.requests
    assert "1932" in str(body) and headers["authorization"].startswith("Bearer ")
    assert not os.environ.get("PROVENANCE_JUDGE_URL")
    next(b for b in app.button if b.label == "Use these settings").click().run()
    assert os.environ["PROVENANCE_JUDGE_MODEL"] == "judge-1"
