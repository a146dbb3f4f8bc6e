"""The History page's menu that takes audits away, and the form that brings them back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.shared.export_menu import KINDS, DownloadOutcome, file_name, make_file
from provenance_core import Parameters
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import AuditFilter, AuditStore, ItemFilter, NewRun, ReviewStore, RunStore, StorageError
from storage.exports import ExportFormat
from tests.app_page import open_page
from tests.exports_data import an_audit, exported, fill
from tests.wording import assert_shows


@pytest.fixture
def history(filled) -> AppTest:
    return open_page("history")


def shown(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.error, *app.warning, *app.success, *app.text))


def test_every_format_can_be_chosen(history):
    box = history.selectbox(key="history_format")
    assert box.options == [kind.title for kind in KINDS]
    for kind in KINDS:
        history.selectbox(key="history_format").set_value(kind.name).run()
        assert not history.exception
        assert kind.note in [caption.value for caption in history.caption]
        (button,) = history.get("download_button")
        assert button.proto.label == "Download"


def test_there_is_nothing_to_export_from_an_empty_history(url):
    assert not open_page("history").get("download_button")


def test_where_nothing_passes_the_filters_each_can_be_cleared(history):
    history.text_input(key="text").set_value("**nowhere**").run()
    assert not history.get("download_button")
    assert_shows(history.info[0].value, snapshot("nothing to export. Clear it:"))
    history.selectbox(key="verdict").set_value("supported").run()
    assert_shows(history.info[0].value, snapshot("nothing to export. Clear one of them:"))
    assert_shows(shown(history), snapshot("query, answer or context contains: **nowhere**"))
    assert_shows(shown(history), snapshot("the machine's verdict is supported"))
    history.button(key="history_clear_text").click().run()
    assert not history.exception
    assert history.text_input(key="text").value == ""
    assert history.selectbox(key="verdict").value == "supported", "the other filter stays"
    assert len(history.get("download_button")) == 1


@pytest.mark.parametrize(
    ("key", "query"),
    [
        ("label", {"label": "supported"}),
        ("score", {"score": ["0.99", "1.00"]}),
        ("since", {"since": str(date.today() + timedelta(365))}),
        ("until", {"until": str(date.today() - timedelta(365))}),
        ("reviewed", {"reviewed": "reviewers disagree"}),
        ("detector_is", {"detector_is": "Spans"}),
    ],
)
def test_every_condition_can_be_cleared(url, key, query):
    AuditStore.open(url).save(an_audit(0.9))
    app = open_page("review", **query)
    app.button(key=f"review_page_clear_{key}").click().run()
    assert not app.exception
    assert not [button for button in app.button if button.label.startswith("Clear")]


def test_a_file_of_judgements_is_not_offered_where_nobody_judged(url):
    number = AuditStore.open(url).save(an_audit(0.9))
    history = open_page("history")
    history.selectbox(key="history_format").set_value("ragtruth-reviewers").run()
    assert_shows(history.info[0].value, snapshot("so this file would be empty"))
    assert not history.get("download_button")
    ReviewStore.open(url).save(number, "ann", Judgement(JudgedVerdict.SUPPORTED))
    history.run()
    assert len(history.get("download_button")) == 1


def test_an_empty_file_is_refused(url):
    fill(url)
    outcome = DownloadOutcome()
    with pytest.raises(StorageError, match="would be empty"):
        make_file(KINDS[0], ItemFilter(audits=AuditFilter(text="nowhere")), outcome)
    assert "would be empty" in outcome.problem


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_format_is_made_when_asked_for(url, kind):
    fill(url)
    outcome = DownloadOutcome()
    chosen = ItemFilter(audits=AuditFilter(text="claim number 2"))
    with make_file(kind, chosen, outcome) as file:
        text = file.read().decode("utf-8")
    assert not outcome.problem and not outcome.left_out
    assert text.strip()
    if kind.extension == "json":
        json.loads(text)
    elif kind.extension == "jsonl":
        assert all(json.loads(line) for line in text.splitlines())


def test_the_menu_says_what_a_download_left_out(history):
    kind = next(kind for kind in KINDS if kind.name == "ragtruth-reviewers")
    history.selectbox(key="history_format").set_value(kind.name).run()
    make_file(kind, ItemFilter(), history.session_state["history_outcome"]).close()
    history.run()
    assert_shows(shown(history), snapshot("Items were left out"))
    assert_shows(shown(history), snapshot("2 × no reviewer has called it supported"))
    # Of that format alone, and of these answers.
    for other in KINDS:
        history.selectbox(key="history_format").set_value(other.name).run()
        assert ("Items were left out" in shown(history)) is (other is kind), other.name
    history.selectbox(key="history_format").set_value(kind.name).run()
    history.selectbox(key="verdict").set_value("supported").run()
    assert "Items were left out" not in shown(history)


def test_the_download_comes_before_a_long_configuration(history):
    history.selectbox(key="history_format").set_value("label-studio").run()
    (menu,) = [each for each in history.get("expander") if "Labelling" in each.label]
    assert not menu.proto.expanded and "<View>" in menu.code[0].value
    assert not [code for code in history.code if code not in list(menu.code)]
    places = list(_order(history.main))
    assert places.index("download_button") < places.index("code")


def _order(block) -> Iterator[str]:
    """The kinds of the elements, as they are drawn."""
    for child in block.children.values():
        yield child.type
        if hasattr(child, "children"):
            yield from _order(child)


def test_the_menu_says_why_a_download_failed(history, url):
    outcome = history.session_state["history_outcome"]
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("ALTER TABLE run_rows RENAME TO elsewhere")
    with pytest.raises(StorageError):
        make_file(KINDS[0], ItemFilter(), outcome)
    history.run()
    assert_shows(shown(history), snapshot("The last download could not be made."))
    assert "no such table" in shown(history)


def test_an_export_is_brought_back_and_listed(history, url, tmp_path, monkeypatch):
    data = exported(url)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", other)
    app = open_page("history")
    assert app.button(key="audits_import").disabled
    lines = data + b'{"schema": "provenance-export/1", "audit": \n'
    app.get("file_uploader")[0].set_value([("full.jsonl", lines, "application/jsonl")]).run()
    app.button(key="audits_import").click().run()
    assert not app.exception
    assert_shows(shown(app), snapshot("Imported audits: 3. Already here: 0. New judgements: 4."))
    assert_shows(
        "\n".join(i.value for i in app.info), snapshot("2 rows' runs and labels are not imported")
    )
    assert_shows(shown(app), snapshot("Lines that could not be used: 1."))
    (table,) = [each.proto.body for each in app.get("html") if "<table" in each.proto.body]
    assert '<td data-name="Line">4</td>' in table and "Not JSON" in table
    assert any(caption.value == "3 answers" for caption in app.caption)
    app.button(key="audits_import").click().run()
    assert_shows(shown(app), snapshot("Imported audits: 0. Already here: 3. New judgements: 0."))
    assert AuditStore.open(other).count() == 3


def test_a_file_of_labels_is_no_file_of_audits(history, url):
    labels = b'{"id": "a", "traceId": "t", "name": "verdict", "value": "supported"}\n'
    history.get("file_uploader")[0].set_value([("l.jsonl", labels, "application/jsonl")]).run()
    history.button(key="audits_import").click().run()
    assert not history.exception and "Nothing was imported." in shown(history)
    assert_shows(shown(history), snapshot("l.jsonl: The file holds no whole audits."))
    assert_shows(shown(history), snapshot("in the form below"))


def test_an_empty_file_of_audits_is_said_to_be_empty(history):
    history.get("file_uploader")[0].set_value([("full.jsonl", b"\n", "application/jsonl")]).run()
    history.button(key="audits_import").click().run()
    assert "The file is empty" in shown(history) and "Imported audits" not in shown(history)


def test_a_database_that_refuses_is_a_message(url, monkeypatch):
    fill(url)
    data = exported(url)

    def refuse(self, lines):
        raise StorageError("The disk is full.")

    app = open_page("history")
    monkeypatch.setattr("storage.imports.Importer.read", refuse)
    app.get("file_uploader")[0].set_value([("full.jsonl", data, "application/jsonl")]).run()
    app.button(key="audits_import").click().run()
    assert_shows(shown(app), snapshot("Not everything was imported."))
    assert_shows(shown(app), snapshot("The disk is full."))
    app.run()
    assert not app.error


def test_the_file_of_a_run_has_its_name(url):
    RunStore.open(url).create(
        NewRun("My run / 2 <b>", "rows.jsonl", "rows", (), "embedded", Parameters()),
        [BatchRow(0, "q", ("a",), "x")],
        [],
    )
    assert file_name(KINDS[2], ItemFilter(runs=(1,))).startswith("provenance-html-My-run-2-b-20")
    assert file_name(KINDS[2], ItemFilter()).startswith("provenance-html-20")


def test_labels_of_another_tool_are_brought_back_and_what_is_refused_is_shown(history, url):
    tasks = json.loads(exported(url, ExportFormat.LABEL_STUDIO))
    (task,) = [each for each in tasks if each["data"]["audit_id"] == 1]
    verdict = {"from_name": "verdict", "type": "choices", "value": {"choices": ["supported"]}}
    mine = {"id": 5, "completed_by": {"email": "cy@example.org"}, "result": [verdict]}
    wrong = {**mine, "id": 6, "result": [{**verdict, "value": {"choices": ["<b>fine</b>"]}}]}
    task["annotations"] = [mine, wrong]
    data = json.dumps(tasks).encode()
    assert history.button(key="labels_import").disabled
    history.get("file_uploader")[1].set_value([("done.json", data, "application/json")]).run()
    history.button(key="labels_import").click().run()
    assert not history.exception
    assert_shows(
        shown(history), snapshot("Label Studio: 1 new review, 3 already here, 1 rejected.")
    )
    table = "".join(each.proto.body for each in history.get("html"))
    assert_shows(
        table, snapshot("annotation 6: the verdict is &#x27;&lt;b&gt;fine&lt;/b&gt;&#x27;")
    )
    assert [r.reviewer for r in ReviewStore.open(url).of(1)] == ["cy@example.org"]
    other = [("other.json", b'[{"a": 1}]', "application/json")]
    history.get("file_uploader")[1].set_value(other).run()
    history.button(key="labels_import").click().run()
    assert_shows(shown(history), snapshot("The labels were not imported."))
    assert_shows(shown(history), snapshot("other.json: no record of it is a task of Label Studio"))
