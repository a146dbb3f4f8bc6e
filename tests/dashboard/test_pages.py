"""The pages, run without a browser: examples, recomputation, refusals, history."""

from __future__ import annotations

import json
import shutil
import tomllib
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.audit.examples import EXAMPLES
from provenance_core import ContextItem, Parameters, recompute
from provenance_core.evaluation.report import compute_results, read_results, write_results
from provenance_core.evaluation.tables import all_tables
from storage import AuditFilter, AuditStore, StorageError
from tests.app_page import open_page, tables
from tests.conftest import press, shown_html, write_hand_scores
from tests.wording import assert_shows

ROOT = Path(__file__).parents[2]
SCRIPT = "<script>alert(1)</script> **bold** $x$"


@pytest.fixture
def store(url) -> AuditStore:
    return AuditStore.open(url)


@pytest.fixture
def saved(store, provenance) -> int:
    audit = provenance.audit(
        query=f"How tall? {SCRIPT}",
        answer=f"The tower is 510 metres tall. It is in Paris. {SCRIPT}",
        context=[
            "The tower is 330 metres tall.",
            f"The tower is in Paris. {SCRIPT}",
            "Cats sleep.",
        ],
    )
    return store.save(audit)


@pytest.mark.parametrize(
    ("number", "verdict", "label"),
    [
        (0, "supported", "supported"),
        (1, "hallucinated", "contradicted"),
        (2, "hallucinated", "not_found"),
    ],
)
def test_examples_run_and_are_saved(store, number, verdict, label):
    app = open_page()
    press(app, EXAMPLES[number].name)
    answer = app.text_area(key="answer").value
    assert answer == EXAMPLES[number].answer
    assert app.query_params["audit"] in ("1", ["1"])
    loaded = store.load(1).audit
    assert loaded.verdict == verdict
    assert label in {sentence.label for sentence in loaded.sentences}
    assert loaded.evidence.answer == answer
    html = shown_html(app)
    assert f"score {loaded.score:.3f}" in html
    assert f'pv-verdict {loaded.verdict}"' in html


def test_a_link_redraws_without_a_model(saved, store, monkeypatch):
    def refuse(profile: str = "embedded"):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("provenance_core.Provenance.load", refuse)
    app = open_page(audit=str(saved))
    assert f"score {store.load(saved).audit.score:.3f}" in shown_html(app)
    assert app.text_area(key="answer").value == store.load(saved).audit.evidence.answer


def test_sidebar_recomputes_and_leaves_the_saved_audit(saved, store):
    before = store.load(saved).audit
    app = open_page(audit=str(saved))
    app.slider(key="threshold").set_value(0.01).run()
    app.selectbox(key="aggregation").set_value("weighted_average").run()
    app.radio(key="selection").set_value("top_k").run()
    app.slider(key="top_k").set_value(1).run()
    assert not app.exception
    expected = recompute(
        before, threshold=0.01, aggregation="weighted_average", selection="top_k", top_k=1
    )
    html = shown_html(app)
    assert f"score {expected.score:.3f}" in html and "threshold 0.010" in html
    assert any("Recomputed" in info.value for info in app.info)
    assert store.load(saved).audit == before


def test_user_text_is_escaped(saved):
    app = open_page(audit=str(saved))
    html = shown_html(app)
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold** $x$" in html
    assert not any("alert(1)" in m.value for m in app.markdown)


@pytest.mark.parametrize(
    ("answer", "context", "message"),
    [("", "Some text.", "answer is empty"), ("Yes.", "  \n ", "context is empty")],
)
def test_bad_input_says_why_and_keeps_what_was_typed(store, answer, context, message):
    app = open_page()
    app.text_area(key="answer").set_value(answer)
    app.text_area(key="context_text").set_value(context)
    app.text_area(key="query").set_value("Why?")
    press(app, "Audit")
    assert "was not audited" in app.error[0].value
    assert any(message in t.value for t in app.text)
    assert app.text_area(key="query").value == "Why?"
    assert app.text_area(key="context_text").value == context
    assert store.count() == 0


def test_an_empty_box_is_named_before_any_model_is_loaded(store, monkeypatch):
    def refuse(*arguments, **named):
        raise AssertionError("models were asked for")

    monkeypatch.setattr("dashboard.shared.audit_run.StoppableWork", refuse)
    app = press(open_page(), "Audit")
    assert any("context is empty" in t.value and "answer is empty" in t.value for t in app.text), (
        "every empty box at once"
    )


@pytest.mark.parametrize("link", ["999", "abc", "-1", "9" * 30])
def test_a_bad_link_says_so_and_the_form_works(store, link):
    app = open_page(audit=link)
    assert "cannot be shown" in app.error[0].value
    assert app.text_area(key="answer").value == ""


def test_boxes_carry_over_what_was_typed(store):
    app = open_page()
    app.text_area(key="context_text").set_value("One.\n\nTwo.").run()
    app.get("button_group")[0].set_value("one box for each item").run()
    assert [t.value for t in app.text_area if str(t.key).startswith("box_")] == ["One.", "Two."]
    press(app, "Add an item")
    app.text_area(key="box_2").set_value("Three.").run()
    app.button(key="remove_0").click().run()
    assert [t.value for t in app.text_area if str(t.key).startswith("box_")] == ["Two.", "Three."]


def test_a_text_that_was_typed_while_files_were_read_is_kept(store):
    app = open_page()
    app.text_area(key="context_text").set_value("One.").run()
    rows = b'{"text": "Two."}\n{"text": "Three."}\n'
    app.get("file_uploader")[0].set_value([("two.jsonl", rows, "application/json")]).run()
    # The browser sends the form as it was before it heard of the boxes.
    app.session_state["context_text"] = "One.\n\nLate."
    app.get("button_group")[0].set_value("one text").run()
    boxes = [t.value for t in app.text_area if str(t.key).startswith("box_")]
    assert boxes == ["One.", "Late.", "Two.", "Three."]
    assert "two.jsonl, line 2" in shown_html(app)
    # A person's own wish for one text, after that.
    app.get("button_group")[0].set_value("one text").run()
    assert app.text_area(key="context_text").value == "One.\n\nLate.\n\nTwo.\n\nThree."


def test_many_uploaded_items_are_shown_and_a_split_is_said(store):
    app = open_page()
    rows = [f'{{"text": "Item {n}."}}' for n in range(40)] + ['{"text": "Two\\n\\nparts."}']
    data = "\n".join(rows).encode()
    app.get("file_uploader")[0].set_value([("many.jsonl", data, "application/json")]).run()
    assert not app.exception
    assert app.text_area(key="context_text").value.startswith("Item 0.\n\nItem 1.")
    assert any("41 items" in t.value and "42 items" in t.value for t in app.text)


def _upload(app, name, record):
    data = json.dumps(record).encode()
    app.get("file_uploader")[0].set_value([(name, data, "application/json")]).run()
    assert not app.exception


def _asked(app):
    return app.text_area(key="query").value, app.text_area(key="answer").value


def _texts(app):
    return "\n".join(each.value for each in (*app.text, *app.markdown))


RECORD = {"question": "Who?", "response": "I.", "contexts": ["It is I.", "It is you."]}


def test_a_file_of_one_record_fills_the_whole_form(store):
    app = open_page()
    _upload(app, "one.json", RECORD)
    assert _asked(app) == ("Who?", "I.")
    assert [t.value for t in app.text_area if str(t.key).startswith("box_")] == RECORD["contexts"]
    assert "come from this file" in _texts(app) and "one.json" in _texts(app)


def test_a_file_of_one_record_overwrites_nothing_and_offers_what_it_has(store):
    app = open_page()
    app.text_area(key="answer").set_value("Mine.").run()
    _upload(app, "one.json", RECORD)
    assert _asked(app) == ("", "Mine.") and "This file has another query" in _texts(app)
    press(app, "Use this query and answer")
    assert _asked(app) == ("Who?", "I.") and "Answer: Mine." in _texts(app)
    press(app, "Restore them")
    assert _asked(app) == ("", "Mine.")
    press(app, "Dismiss")
    assert _asked(app) == ("", "Mine.") and "query and answer" not in _texts(app)


def test_a_removed_boxs_name_is_not_given_to_a_new_one(store):
    app = open_page()
    rows = b'{"text": "One."}\n{"text": "Two."}\n'
    app.get("file_uploader")[0].set_value([("two.jsonl", rows, "application/json")]).run()
    assert "two.jsonl, line 2" in shown_html(app)
    app.button(key="remove_1").click().run()
    press(app, "Add an item")
    assert "two.jsonl, line 2" not in shown_html(app)
    assert app.text_area(key="box_1").value == ""


def test_too_many_items_stay_in_one_text(store):
    app = open_page()
    text = "\n\n".join(f"Item {n}." for n in range(31))
    app.text_area(key="context_text").set_value(text).run()
    app.get("button_group")[0].set_value("one box for each item").run()
    assert not app.exception
    assert app.text_area(key="context_text").value == text
    assert any("31 items" in t.value for t in app.text)


def test_an_upload_over_the_limit_is_refused_and_what_was_typed_stays(store):
    app = open_page()
    app.text_area(key="context_text").set_value("Typed.").run()
    big = b"word " * 900_000
    app.get("file_uploader")[0].set_value([("big.txt", big, "text/plain")]).run()
    assert app.text_area(key="context_text").value == "Typed."
    assert any("at most 4,000,000" in t.value for t in app.text)


def test_what_was_typed_and_set_survives_a_visit_to_history(store):
    app = open_page()
    app.text_area(key="context_text").set_value("Some context.").run()
    app.text_area(key="answer").set_value("An answer.").run()
    app.slider(key="threshold").set_value(0.9).run()
    app.switch_page("pages/history.py").run()
    app.switch_page("pages/audit.py").run()
    assert not app.exception
    assert app.text_area(key="context_text").value == "Some context."
    assert app.text_area(key="answer").value == "An answer."
    assert app.slider(key="threshold").value == 0.9


def test_an_audit_opened_again_has_its_own_form_and_settings(saved, store):
    audit = recompute(store.load(saved).audit, threshold=0.05)
    number = store.save(audit)
    app = open_page(audit=str(number))
    app.slider(key="threshold").set_value(0.8).run()
    app.text_area(key="answer").set_value("Something else.").run()
    app.switch_page("pages/history.py").run()
    app.query_params.clear()
    app.query_params["audit"] = str(number)
    app.switch_page("pages/audit.py").run()
    assert app.slider(key="threshold").value == 0.05
    assert app.text_area(key="answer").value == audit.evidence.answer


def test_a_moved_threshold_is_in_the_address_and_changes_no_audit(saved, store):
    before = store.load(saved).audit
    app = open_page(audit=str(saved))
    assert "threshold" not in app.query_params
    app.slider(key="threshold").set_value(0.987).run()
    assert app.query_params["threshold"] in ("0.987", ["0.987"])
    # Back: the address names the one before.
    app.query_params["threshold"] = "0.123"
    app.run()
    assert app.slider(key="threshold").value == 0.123
    del app.query_params["threshold"]
    app.run()
    assert app.slider(key="threshold").value == before.parameters.threshold
    # A colleague opens the link.
    other = open_page(audit=str(saved), threshold="0.987")
    assert other.slider(key="threshold").value == 0.987
    assert "threshold 0.987" in shown_html(other)
    assert open_page(audit=str(saved), threshold="much").slider(key="threshold").value == (
        before.parameters.threshold
    )
    assert store.load(saved).audit == before


@pytest.mark.parametrize("page", ["audit", "batch"])
def test_a_threshold_that_an_audit_was_only_looked_at_under_ends_with_it(saved, store, page):
    own = store.load(saved).audit.parameters.threshold
    app = open_page(audit=str(saved))
    app.slider(key="threshold").set_value(0.987).run()
    app.query_params.clear()  # Back, or the menu
    app.switch_page(f"pages/{page}.py").run()
    assert app.slider(key="threshold").value == own
    # What is chosen in the sidebar itself stays.
    app.slider(key="threshold").set_value(0.321).run()
    app.switch_page("pages/audit.py").run()
    assert app.slider(key="threshold").value == 0.321


def test_an_audit_that_cannot_be_saved_is_still_shown(store, monkeypatch):
    def refuse(self, audit, corrected_from=None):
        raise StorageError("The disk is full.")

    monkeypatch.setattr(AuditStore, "save", refuse)
    app = open_page()
    app.text_area(key="context_text").set_value("Cats sleep.")
    app.text_area(key="answer").set_value("Cats sleep.")
    press(app, "Audit")
    assert_shows(app.error[0].value, snapshot("could not be saved"))
    assert_shows("\n".join(t.value for t in app.text), snapshot("The disk is full."))
    assert "pv-verdict" in shown_html(app)
    app.slider(key="threshold").set_value(0.99).run()
    assert "threshold 0.990" in shown_html(app), "it can be looked at as a saved one can"
    monkeypatch.undo()
    assert store.count() == 0
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", str(store._engine.url))
    press(app, "Save it again")
    assert store.count() == 1
    assert not app.error and app.query_params["audit"] in ("1", ["1"])


def test_an_unsaved_audit_takes_the_place_of_the_linked_one(saved, store, monkeypatch):
    def refuse(self, audit, corrected_from=None):
        raise StorageError("The disk is full.")

    monkeypatch.setattr(AuditStore, "save", refuse)
    app = open_page(audit=str(saved))
    app.text_area(key="answer").set_value("Zebras never sleep.")
    press(app, "Audit")
    assert "audit" not in app.query_params
    assert "Zebras never sleep." in shown_html(app)


@pytest.mark.parametrize(
    ("link", "message"),
    [("abc", "'abc' is not a number"), ("1.5", "not a number"), ("9" * 5000, "5,000 characters")],
)
def test_a_link_that_is_no_number_says_what_is_wrong_with_it(store, link, message):
    app = open_page(audit=link)
    assert any(message in t.value for t in app.text)


def test_a_record_that_cannot_be_read_is_not_called_a_bad_number(saved, store, monkeypatch):
    def refuse(self, number):
        raise StorageError("Its record is damaged.")

    monkeypatch.setattr(AuditStore, "load", refuse)
    app = open_page(audit=str(saved))
    assert_shows("\n".join(t.value for t in app.text), snapshot("Its record is damaged."))
    assert not any("not a number" in t.value for t in app.text)


def test_a_new_box_is_empty_though_an_earlier_one_had_its_number(store):
    app = open_page()
    app.text_area(key="context_text").set_value("One.\n\nTwo.").run()
    app.get("button_group")[0].set_value("one box for each item").run()
    app.get("button_group")[0].set_value("one text").run()
    app.text_area(key="context_text").set_value("Only.").run()
    app.get("button_group")[0].set_value("one box for each item").run()
    press(app, "Add an item")
    assert [t.value for t in app.text_area if str(t.key).startswith("box_")] == ["Only.", ""]


def test_names_and_splits_lost_in_one_text_are_said(store):
    app = open_page()
    rows = b'{"text": "One\\n\\nand a half."}\n{"text": "Two."}\n'
    app.get("file_uploader")[0].set_value([("two.jsonl", rows, "application/json")]).run()
    app.get("button_group")[0].set_value("one text").run()
    said = " ".join(t.value for t in app.text)
    assert "2 items are now one text" in said and "has 3 items" in said
    assert "names" in said


def test_an_audit_of_many_named_items_says_that_the_form_shows_no_names(store, provenance):
    context = [ContextItem(n, f"Item {n} sleeps.", f"a.pdf, page {n + 1}") for n in range(31)]
    audit = provenance.audit(query="", answer="Item 1 sleeps.", context=context)
    app = open_page(audit=str(store.save(audit)))
    assert_shows("\n".join(t.value for t in app.text), snapshot("its audit names no files."))


def test_only_this_machine_may_open_the_app_by_default():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "127.0.0.1"


def test_a_running_server_keeps_the_code_it_started_with():
    """A watcher takes modules out of a server in use when a file changes: pages that people have
    open then end in errors."""
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["fileWatcherType"] == "none"


def test_the_connection_takes_a_paste_of_ten_million_characters_of_any_script():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxWidgetStateSize"] * 1_000_000 > 4 * 10_000_000


def test_a_paste_of_ten_million_wide_characters_is_refused_with_its_length(store):
    app = open_page()
    app.text_area(key="answer").set_value("Yes.")
    app.text_area(key="context_text").set_value("語" * 10_000_000)
    press(app, "Audit")
    assert_shows(
        "\n".join(t.value for t in app.text), snapshot("10,000,000 characters; at most 4,000,000")
    )
    assert len(app.text_area(key="context_text").value) == 10_000_000


def test_history_filters_pages_and_deletes(saved, store, monkeypatch):
    audit = store.load(saved).audit
    monkeypatch.setattr("dashboard.history.rows.PAGE", 15)
    for place in range(16):
        store.save(replace(audit, evidence=replace(audit.evidence, query=f"query {place}")))
    app = open_page("history", open="17")
    assert any("17 answers" in c.value for c in app.caption)
    assert "<script>alert" not in shown_html(app)
    assert list(tables(app)[0].value["audit"]) == [*range(17, 2, -1)]
    assert [b.key for b in app.button if str(b.key).startswith("delete_")] == ["delete_17"]
    app.text_input(key="text").set_value("nowhere").run()
    assert any("0 answers" in c.value for c in app.caption)
    app.text_input(key="text").set_value("").run()
    app.button(key="delete_17").click().run()
    assert store.count() == 17, "nothing is deleted before it is confirmed"
    app.button(key="confirm_delete").click().run()
    assert store.count() == 16
    assert "open" not in app.query_params, "the panel of a deleted audit is closed"
    assert {row.id for row in store.page(AuditFilter(), 0, 99).rows} == set(range(1, 17))


def test_benchmarks_are_a_page_of_the_app(store):
    app = open_page()
    app.switch_page("pages/benchmarks.py").run()
    assert not app.exception
    assert [title.value for title in app.title] == ["Benchmarks"]
    if (ROOT / "benchmarks" / "results.json").is_file():
        assert not app.info
        results = read_results(ROOT / "benchmarks")
        titles = [table.title for table in all_tables(results)]
        assert app.selectbox(key="table").options == titles
        for title in titles:
            app.selectbox(key="table").set_value(title).run()
            assert not app.exception
    else:
        assert [info.value for info in app.info] == snapshot(["No results are stored here yet."])


def benchmarks_page(folder: Path) -> AppTest:
    """The page of a copy of the app, with the results in ``folder/benchmarks``."""
    shutil.copytree(ROOT / "pages", folder / "pages")
    script = shutil.copy(ROOT / "app.py", folder)
    app = AppTest.from_file(script, default_timeout=60).run()
    app.switch_page("pages/benchmarks.py").run()
    assert not app.exception
    return app


def test_benchmarks_show_every_table_and_curve(store, tmp_path):
    results = compute_results(write_hand_scores(tmp_path / "benchmarks"))
    write_results(results, tmp_path / "benchmarks")
    app = benchmarks_page(tmp_path)
    assert app.code[0].value == "\n".join(results.commands)
    said = app.markdown[0].value
    assert said.startswith("On 61 news summaries of one sentence (qags_xsum), a supported answer ")
    assert_shows(said, snapshot("97 times in 100"))
    assert [d.label for d in app.get("download_button")] == [
        "Download RESULTS.md",
        "Download results.json",
    ]
    tables = all_tables(results)
    assert app.selectbox(key="table").options == [table.title for table in tables]
    for table in tables:
        app.selectbox(key="table").set_value(table.title).run()
        assert not app.exception
        shown = shown_html(app)
        assert not table.rows or all(f">{escape(name)}</th>" in shown for name in table.head)
        assert all(f">{row[0]}<" in shown for row in table.rows)
    assert app.selectbox(key="set").options == ["qags_xsum", "paws"]
    app.selectbox(key="set").set_value("qags_xsum").run()
    assert_shows(
        "\n".join(c.value for c in app.caption),
        snapshot("61 rows from 2 sources, 50.8 % supported"),
    )
    assert len(app.get("plotly_chart")) == 2


def test_benchmarks_without_results_say_how_to_write_them(store, tmp_path):
    app = benchmarks_page(tmp_path)
    assert [info.value for info in app.info] == snapshot(["No results are stored here yet."])
    assert_shows(app.text[0].value, snapshot("evaluate ... --report DIR"))
    assert not app.selectbox


def test_defaults_of_the_sidebar_are_those_of_the_models(store):
    from provenance_core import default_parameters

    app = open_page()
    defaults: Parameters = default_parameters()
    assert app.slider(key="threshold").value == defaults.threshold
    assert app.radio(key="selection").value == defaults.selection
    assert app.selectbox(key="aggregation").value == defaults.aggregation


@pytest.mark.parametrize("name", ["history", "batch", "review", "thresholds", "compare"])
def test_no_box_of_choices_has_a_button_that_would_clear_nothing(saved, name):
    boxes = open_page(name).selectbox
    assert len(boxes) > 1
    # Streamlit draws it where nothing is chosen at first, unless a choice is required.
    assert [b.label for b in boxes if not (b.proto.required or b.proto.HasField("default"))] == []
