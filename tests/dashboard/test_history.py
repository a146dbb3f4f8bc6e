"""The History page, run without a browser: searches, and databases that refuse."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from provenance_core import Parameters, assemble
from storage import SEARCH_LIMIT, AuditStore
from tests.app_page import PATIENCE, open_page, tables
from tests.conftest import APP, hand_evidence
from tests.wording import assert_shows


@pytest.fixture
def store(url, monkeypatch) -> AuditStore:
    monkeypatch.setattr("storage.engine._BUSY_TIMEOUT_MS", 20)
    store = AuditStore.open(url)
    store.save(assemble(hand_evidence([0.5], [[0.9]]), Parameters(), "2026-01-02T03:04:05.000Z"))
    return store


@pytest.fixture
def history(store) -> AppTest:
    return AppTest.from_file(APP, default_timeout=PATIENCE).switch_page("pages/history.py")


def shown_html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def texts(app: AppTest) -> str:
    return "\n".join(element.value for element in (*app.error, *app.text))


def test_a_longer_text_than_the_limit_is_cut_by_the_box(history):
    history.run()
    assert history.text_input(key="text").max_chars == SEARCH_LIMIT
    history.text_input(key="text").set_value("x" * 60_000).run()
    assert not history.exception
    assert not history.error
    assert any("0 answers" in caption.value for caption in history.caption)


def test_of_more_than_can_be_listed_the_newest_are_and_it_is_said(history, store, monkeypatch):
    monkeypatch.setattr("dashboard.shared.cache.MOST_FOUND", 1)
    history.query_params["text"] = "chunk"
    history.run()
    captions = [caption.value for caption in history.caption]
    assert any(caption == "1 answer" for caption in captions)
    evidence = hand_evidence([0.5, 0.4], [[0.9, 0.2]])
    store.save(assemble(evidence, Parameters(), "2026-01-03T03:04:05.000Z"))
    history.run()
    captions = [caption.value for caption in history.caption]
    assert any(caption == "More than 1 answer" for caption in captions)
    assert_shows(
        "\n".join(caption for caption in captions),
        snapshot("The newest 1 that contain the text are listed."),
    )


def test_a_sign_that_turns_an_answer_is_written_out_in_the_list(history, store):
    evidence = hand_evidence([0.5], [[0.9]])
    turned = replace(evidence, answer="Claim \u202enumber 0.", query="why \u202e?")
    store.save(assemble(turned, Parameters()))
    history.run()
    (table,) = tables(history)
    assert table.value["answer"][0] == "Claim [U+202E]number 0."
    assert table.value["query"][0] == "why [U+202E]?"


def test_a_text_that_the_store_refuses_is_a_message(history, monkeypatch):
    monkeypatch.setattr("storage.filters.SEARCH_LIMIT", 5)
    history.run()
    history.text_input(key="text").set_value("longer").run()
    assert not history.exception
    assert "Shorten it" in texts(history)


def test_a_database_that_cannot_be_read_is_a_message(history, store):
    with closing(sqlite3.connect(store._engine.url.database)) as connection, connection:
        connection.execute("DROP TABLE audits")
    history.run()
    assert not history.exception
    assert "no such table" in texts(history)


def test_a_delete_that_the_database_refuses_is_a_message_once(history, store):
    history.query_params["open"] = "1"
    history.run()
    history.button(key="delete_1").click().run()
    with closing(sqlite3.connect(store._engine.url.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        history.button(key="confirm_delete").click().run()
        assert not history.exception
        assert_shows(texts(history), snapshot("The audit was not deleted."))
        assert "locked" in texts(history)
    assert store.count() == 1
    history.run()
    assert not history.error


def test_the_filter_can_choose_supported_answers_with_flagged_sentences(history, store):
    # The score is the mean of 0.9 and 0.2, so that the answer is supported and a sentence is not.
    parameters = Parameters(claim_aggregation="mean")
    store.save(assemble(hand_evidence([0.5], [[0.9], [0.2]]), parameters))
    store.save(assemble(hand_evidence([0.5], [[0.1]]), Parameters()))
    history.run()
    for state, total in (("supported", 1), ("supported_flagged", 1), ("hallucinated", 1)):
        history.selectbox(key="verdict").set_value(state).run()
        assert not history.exception
        assert any(f"{total} answer" in caption.value for caption in history.caption)
    history.selectbox(key="verdict").set_value("supported_flagged").run()
    (table,) = tables(history)
    assert list(table.value["audit"]) == [2]
    assert list(table.value["verdict"]) == ["! Supported, flagged"]
    assert list(table.value["flagged"]) == ["1 of 2"]


def test_a_verdict_may_be_named_as_exports_name_it(store):
    parameters = Parameters(claim_aggregation="mean")
    store.save(assemble(hand_evidence([0.5], [[0.9], [0.2]]), parameters))
    app = open_page("history", verdict="supported_flagged")
    assert list(tables(app)[0].value["audit"]) == [2]
    assert app.query_params["verdict"] == snapshot("Supported, with flagged sentences")


def test_the_address_names_the_audit_of_the_panel(history, store):
    store.save(assemble(hand_evidence([0.5], [[0.1]]), Parameters()))
    history.query_params["open"] = "2"
    history.run()
    assert [header.value for header in history.header] == ["Audit 2", "Import"]
    assert "✗ Hallucinated" in shown_html(history) and "pv2-s0" in shown_html(history)
    targets = {link.proto.label: link.proto for link in history.get("page_link")}
    assert targets["Open"].query_string == targets["Review"].query_string == "audit=2"
    next(b for b in history.button if b.label == "Close").click().run()
    assert "open" not in history.query_params
    assert [header.value for header in history.header] == ["Import"]
    assert not history.exception


def test_an_audit_that_is_gone_is_a_message_in_the_panel(history):
    history.query_params["open"] = "99"
    history.run()
    assert_shows(texts(history), snapshot("Audit 99 cannot be shown."))
    assert len(tables(history)) == 1, "the table is still there"


def test_the_delete_dialog_can_be_left(history, store):
    history.query_params["open"] = "1"
    history.run()
    history.button(key="delete_1").click().run()
    history.button(key="cancel_delete").click().run()
    assert not history.exception
    assert store.count() == 1
