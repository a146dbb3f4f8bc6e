"""The Thresholds page, run without a browser."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from sqlalchemy import insert, update
from sqlalchemy.orm import Session
from streamlit.testing.v1 import AppTest

from dashboard.thresholds.charts import confusion_figure
from dashboard.thresholds.data import LabelSource, ScoredBy, scored_by
from dashboard.thresholds.threshold_bar import outcomes_markup
from provenance_core import Parameters, assemble, default_parameters
from provenance_core.files.types import BatchRow
from provenance_core.statistics.thresholds.types import Confusion
from provenance_core.types import Verdict
from reports.colours import OUTCOMES
from storage import (
    AuditStore,
    BulkScoreStore,
    ItemFilter,
    NewRun,
    PresetStore,
    RunStore,
    StorageError,
)
from storage.engine import get_engine
from storage.models import AuditRecord, PresetRecord, ReviewRecord
from tests.app_page import open_page, tables, text_tables
from tests.conftest import hand_evidence
from tests.storage.test_presets import EVIDENCE
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script>"
AS_STORED = Parameters()


def add_run(
    url: str,
    rows: list[tuple[float, int | None, str]],
    name: str = "first",
    parameters: Parameters = AS_STORED,
) -> None:
    """A run of one row for each (entailment, label, task)."""
    runs = RunStore.open(url)
    number = runs.create(
        NewRun(name, "rows.jsonl", "rows", (), "embedded", parameters),
        [
            BatchRow(i, "q", ("a",), "x", label=label, task=task, group=f"g{i}")
            for i, (_, label, task) in enumerate(rows)
        ],
        [],
    )
    runs.take(number, "w")
    for entailment, _, _ in rows:
        # Two chunks of equal relevance, the second entailing nothing: the aggregations differ.
        evidence = replace(hand_evidence([0.0, 0.0], [[entailment, 0.01]]), query=SCRIPT)
        runs.finish(runs.next_row(number).id, "w", assemble(evidence, parameters))


# Tasks of 30 each: one threshold of about 0.25 fits the first, of about 0.75 the second.
LOW = [(0.1 + i / 1000, 0, "low") for i in range(15)] + [
    (0.4 + i / 1000, 1, "low") for i in range(15)
]
HIGH = [(0.6 + i / 1000, 0, "high") for i in range(15)] + [
    (0.9 + i / 1000, 1, "high") for i in range(15)
]


@pytest.fixture
def labelled(url) -> str:
    add_run(url, LOW + HIGH)
    return url


def thresholds_page(**query: str | list[str]) -> AppTest:
    app = open_page("thresholds", **query)
    assert [title.value for title in app.title] == ["Thresholds"]
    return app


def said(app: AppTest) -> str:
    kinds = (app.text, app.caption, app.warning, app.info, app.error, app.success)
    return "\n".join(element.value for kind in kinds for element in kind)


def shown(app: AppTest, label: str) -> str:
    return next(metric.value for metric in app.metric if metric.label == label)


def charts(app: AppTest) -> int:
    return len(app.get("plotly_chart"))


def test_without_labels_the_page_says_what_to_do(url):
    AuditStore.open(url).save(assemble(hand_evidence([0.0], [[0.5]]), Parameters()))
    app = thresholds_page()
    assert "Review page" in app.info[0].value and "Batch page" in app.info[0].value
    assert_shows(said(app), snapshot("Answers that pass the filter: 1; labelled: 0."))
    assert not charts(app) and not app.metric


def test_figures_follow_the_slider_and_the_best_threshold_sets_it(labelled):
    app = thresholds_page()
    assert shown(app, "Labelled (n)") == "60"
    assert_shows(
        said(app), snapshot("n = 60 of the 60 that pass the filter; base rate: 30 supported, 30")
    )
    assert "fewer than 50" not in said(app)
    assert app.slider(key="chosen_threshold").value == default_parameters().threshold
    assert charts(app) == 5
    app.slider(key="chosen_threshold").set_value(0.25).run()
    # Of the thirty hallucinated, those of the first task alone are below 0.25.
    assert (shown(app, "Precision"), shown(app, "Recall")) == ("1.000", "0.500")
    assert shown(app, "F1") == f"{2 / 3:.3f}"
    app.slider(key="chosen_threshold").set_value(0.0).run()
    assert shown(app, "Precision") == "–"
    assert_shows(said(app), snapshot("No answer is called hallucinated at this threshold."))
    app.button(key="use_f1").click().run()
    # All thirty caught with fifteen false alarms: 0.8; from 0.615 to 0.9.
    assert app.slider(key="chosen_threshold").value == pytest.approx(0.757, abs=0.002)
    assert shown(app, "F1") == "0.800"
    assert_shows(said(app), snapshot("Missed hallucinations: 30 → 0. False alarms: 0 → 15."))
    assert app.button(key="use_f1").label == "Shown", "no audit uses it yet"
    assert not app.exception


def test_the_slider_begins_at_the_threshold_of_the_run(url):
    add_run(url, LOW, "strict", Parameters(threshold=0.7))
    add_run(url, LOW, "lenient", Parameters(threshold=0.3))
    PresetStore.open(url).save("other", "embedded", Parameters(threshold=0.9), EVIDENCE)
    PresetStore.open(url).set_default(1)

    def threshold(app: AppTest) -> float:
        return app.slider(key="chosen_threshold").value

    app = thresholds_page()
    assert threshold(app) == 0.3
    # Nobody moved it: it is that of the run that is chosen then.
    app.multiselect(key="runs").set_value(["strict"]).run()
    assert threshold(app) == 0.7
    # Of several thresholds none counts more than the preset's.
    app.multiselect(key="runs").set_value(["strict", "lenient"]).run()
    assert threshold(app) == 0.9
    app.slider(key="chosen_threshold").set_value(0.45).run()
    app.multiselect(key="runs").set_value(["lenient"]).run()
    assert threshold(app) == 0.45
    assert threshold(thresholds_page(runs="strict", chosen_threshold="0.25")) == 0.25


def test_scores_are_recomputed_under_the_chosen_aggregation(labelled):
    app = thresholds_page()
    app.slider(key="chosen_threshold").set_value(0.05).run()
    assert shown(app, "Recall") == "0.000"
    app.selectbox(key="score_aggregation").set_value("min").run()
    # The chunk that entails nothing decides now: all are called hallucinated.
    assert (shown(app, "Recall"), shown(app, "Precision")) == ("1.000", "0.500")
    app.selectbox(key="score_selection").set_value("top_k").run()
    app.slider(key="score_top_k").set_value(1).run()
    # Only the first of the equally relevant chunks is left.
    assert shown(app, "Recall") == "0.000"
    assert not app.exception


def test_a_split_shows_where_the_threshold_does_not_fit(labelled):
    app = thresholds_page(split_by="task", chosen_threshold="0.25")
    assert app.slider(key="chosen_threshold").value == 0.25
    assert app.selectbox(key="split_by").value == "task"
    assert_shows(said(app), snapshot("1 of 2 parts would choose another threshold: 0.250"))
    high, low = next(table for table in text_tables(app) if "part" in table[0])
    assert (high["part"], high["common threshold fits"]) == ("high", "no")
    assert (low["part"], low["common threshold fits"]) == ("low", "yes")
    # At 0.25 no answer of the first part is called hallucinated.
    assert high["Precision"] == "–"
    assert "high: No answer is called hallucinated" in said(app) and "low: " not in said(app)
    assert charts(app) == 6


def test_flips_are_listed_and_paged(labelled, monkeypatch):
    monkeypatch.setattr("dashboard.thresholds.view._FLIPS_A_PAGE", 10)
    app = thresholds_page(chosen_threshold="0.25", second_threshold="0.75")
    assert_shows(
        said(app),
        snapshot(
            "30 of 60 verdicts change from 0.250 to 0.750: 15 from wrong to right, 15 from right "
            "to wrong."
        ),
    )
    table = tables(app)[-1].value
    assert len(table) == 10
    assert table["at the threshold"][0] == "✓ Supported"
    assert table["at the second"][0] == "✗ Hallucinated"
    assert {*table["change"]} <= {"wrong to right", "right to wrong"}
    assert len(app.get("pagination")) == 1
    app.slider(key="second_threshold").set_value(0.25).run()
    assert_shows(said(app), snapshot("0 of 60 verdicts change"))


def test_reviewers_labels(url):
    add_run(url, [(0.1, 1, "a"), (0.8, 1, "a"), (0.9, None, "a")])
    with Session(get_engine(url)) as session, session.begin():
        for audit, verdict in ((1, "hallucinated"), (3, "supported")):
            session.execute(
                insert(ReviewRecord).values(
                    audit_id=audit, reviewer="ann", version=1, latest=True, created_at="2026",
                    verdict=verdict, comment="", blind=False, machine_score=0.5,
                    machine_threshold=0.5, machine_verdict="supported",
                )
            )  # fmt: skip
    app = thresholds_page()
    assert_shows(said(app), snapshot("All 2 answers are labelled supported"))
    assert shown(app, "F1") == "–"
    app.radio(key="labels_from").set_value("reviewers").run()
    assert_shows(said(app), snapshot("base rate: 1 supported, 1 hallucinated"))
    assert "fewer than 50" in said(app)
    assert shown(app, "F1") == "1.000"
    app.radio(key="labels_from").set_value("reviewers_first").run()
    assert_shows(said(app), snapshot("base rate: 2 supported, 1 hallucinated"))
    assert not app.exception


@pytest.mark.parametrize("labels_from", LabelSource)
def test_answers_without_a_label_do_not_say_how_the_labelled_ones_were_scored(url, labels_from):
    add_run(url, [(0.1, 1, "a"), (0.8, None, "a")])
    with Session(get_engine(url)) as session, session.begin():
        session.execute(
            insert(ReviewRecord).values(
                audit_id=1, reviewer="ann", version=1, latest=True, created_at="2026",
                verdict="supported", comment="", blind=False, machine_score=0.5,
                machine_threshold=0.5, machine_verdict="supported",
            )
        )  # fmt: skip
    other = assemble(hand_evidence([0.0], [[0.9]]), Parameters(detector="summac"))
    AuditStore.open(url).save(other)
    assert scored_by(ItemFilter(), labels_from).detectors == ("two-stage",)


def test_a_preset_is_saved_with_its_evidence_and_starts_new_sessions(labelled):
    app = thresholds_page()
    app.selectbox(key="score_aggregation").set_value("weighted_average").run()
    app.button(key="use_f1").click().run()
    chosen = app.slider(key="chosen_threshold").value
    app.text_input(key="preset_name").set_value("summaries *x*")
    app.text_input(key="preset_author").set_value("ann")
    app.checkbox(key="preset_default").check()
    next(b for b in app.button if b.label.startswith("Save threshold")).click().run()
    assert not app.exception
    (preset,) = PresetStore.open(labelled).listed().readable
    assert (preset.name, preset.created_by, preset.is_default) == ("summaries *x*", "ann", True)
    assert preset.parameters.threshold == chosen
    assert preset.parameters.aggregation == "weighted_average"
    evidence = preset.evidence
    assert (evidence.n, evidence.base_rate, evidence.filter) == snapshot(
        (
            60,
            0.5,
            "items of the run first; scored by the detector Two-stage",
        )
    )
    assert evidence.labels_from == "data set" and "best F1" in evidence.objective
    assert f"chosen_threshold={chosen:.3f}" in evidence.url
    f1 = next(f for f in evidence.figures if f.name == "F1")
    assert f1.low <= f1.value <= f1.high
    assert_shows(said(app), snapshot("“summaries *x*” was saved. Audit and Batch start with it."))
    assert not app.session_state.preset_menu, "the menu would hide what is said"
    app.switch_page("pages/audit.py").run()
    assert app.slider(key="threshold").value == chosen, "this session's too"

    fresh = open_page()
    assert fresh.slider(key="threshold").value == chosen
    assert fresh.selectbox(key="aggregation").value == "weighted_average"
    assert fresh.selectbox(key="preset").value == preset.id
    fresh.slider(key="threshold").set_value(0.9).run()
    assert_shows(said(fresh), snapshot("Changed since the preset was chosen: threshold."))

    PresetStore.open(labelled).clear_default()
    other = open_page()
    assert other.slider(key="threshold").value == default_parameters().threshold
    other.selectbox(key="preset").set_value(preset.id).run()
    assert other.slider(key="threshold").value == chosen
    assert not other.exception


def test_a_taken_name_is_refused_and_what_was_typed_stays(labelled):
    app = thresholds_page()
    for _ in range(2):
        app.text_input(key="preset_name").set_value("one")
        next(b for b in app.button if b.label.startswith("Save threshold")).click().run()
    assert_shows(said(app), snapshot("There is a preset called 'one' already"))
    assert app.text_input(key="preset_name").value == "one"
    number = PresetStore.open(labelled).listed().readable[0].id
    app.button(key=f"default_{number}").click().run()
    assert PresetStore.open(labelled).default().id == number
    app.button(key=f"delete_preset_{number}").click().run()
    assert PresetStore.open(labelled).listed().readable == ()
    assert not app.exception


def test_a_saved_preset_is_used_at_once_unless_it_is_said_not_to_be(labelled):
    app = thresholds_page()
    app.button(key="use_f1").click().run()
    chosen = app.slider(key="chosen_threshold").value
    app.text_input(key="preset_name").set_value("kept")
    app.checkbox(key="preset_now").uncheck()
    next(b for b in app.button if b.label.startswith("Save threshold")).click().run()
    assert_shows(said(app), snapshot("choose it under Preset in the sidebar of Audit or Batch"))
    app.switch_page("pages/audit.py").run()
    assert app.slider(key="threshold").value == default_parameters().threshold
    assert app.selectbox(key="preset").value is None

    app = thresholds_page()
    app.slider(key="chosen_threshold").set_value(chosen).run()
    app.text_input(key="preset_name").set_value("used")
    next(b for b in app.button if b.label.startswith("Save threshold")).click().run()
    assert_shows(said(app), snapshot("Audit and Batch use it from now on in this tab"))
    app.switch_page("pages/audit.py").run()
    assert app.slider(key="threshold").value == chosen
    assert app.selectbox(key="preset").value == 2
    fresh = open_page()
    assert fresh.slider(key="threshold").value == default_parameters().threshold, "not the default"


def test_an_unreadable_preset_can_be_deleted_and_hides_no_other(labelled):
    app = thresholds_page()
    for name in ("old **b**", "new"):
        app.text_input(key="preset_name").set_value(name)
        next(b for b in app.button if b.label.startswith("Save threshold")).click().run()
    with Session(get_engine(labelled)) as session, session.begin():
        session.execute(update(PresetRecord).values(parameters={}).where(PresetRecord.id == 1))
    app.run()
    assert not app.exception
    assert "'old **b**' cannot be read" in said(app) and "new" in said(app)
    audit = open_page()
    assert audit.selectbox(key="preset").options == ["none", "new"]
    assert_shows(
        said(audit), snapshot("Presets that cannot be read: 1. The Thresholds page says why.")
    )
    app.button(key="delete_preset_1").click().run()
    assert "cannot be read" not in said(app)
    assert not PresetStore.open(labelled).listed().unreadable


def test_several_runs_are_said_to_count_a_row_more_than_once(labelled):
    assert "These answers are of" not in said(thresholds_page())
    add_run(labelled, LOW, "second")
    assert_shows(
        said(thresholds_page(runs=["first", "second"])), snapshot("These answers are of 2 runs.")
    )


def test_answers_with_nothing_to_check_are_left_out_and_counted(labelled):
    with Session(get_engine(labelled)) as session:
        first = session.query(AuditRecord).order_by(AuditRecord.id).first()
        first.verdict = str(Verdict.NOTHING_TO_CHECK)
        session.commit()
    app = thresholds_page()
    assert shown(app, "Labelled (n)") == "59"
    assert_shows(said(app), snapshot("Labelled answers with nothing to check: 1."))


def test_new_labels_are_seen_at_once(labelled):
    app = thresholds_page()
    assert shown(app, "Labelled (n)") == "60"
    AuditStore.open(labelled).delete(1)
    app.run()
    assert shown(app, "Labelled (n)") == "59"


def test_a_database_that_refuses_is_said(labelled, monkeypatch):
    def refuse(self):
        raise StorageError("The disk is on fire.")

    monkeypatch.setattr(BulkScoreStore, "state", refuse)
    app = thresholds_page()
    assert "cannot be shown" in app.error[0].value
    assert_shows(said(app), snapshot("The disk is on fire."))


def test_a_filter_by_score_is_said_to_leave_answers_out(labelled):
    app = thresholds_page(label="hallucinated")
    assert_shows(said(app), snapshot("not for answers in general"))
    assert_shows(said(app), snapshot("All 30 answers are labelled hallucinated"))
    assert charts(app) == 3, "no ROC and no precision-recall curve of one label"


def test_the_page_starts_with_the_settings_of_the_stored_scores_unless_others_were_chosen():
    default = default_parameters()
    stored = Parameters(selection="top_p", top_p=0.8, threshold=0.9)
    found = ScoredBy((stored,)).start(default, "embedded")
    assert found == replace(stored, threshold=default.threshold)
    chosen = replace(default, aggregation="min")
    assert ScoredBy((stored,)).start(chosen, "embedded") == chosen
    assert ScoredBy((stored, default)).start(default, "embedded") == default


def test_the_page_opens_with_the_newest_labelled_run_and_its_detector(labelled):
    add_run(labelled, HIGH, "second")
    add_run(labelled, [(0.5, None, "")], "without labels")
    app = thresholds_page()
    assert app.multiselect(key="runs").value == ["second"]
    assert app.selectbox(key="detector_is").value == "two-stage"
    assert shown(app, "Labelled (n)") == "30"
    assert app.query_params["runs"] in ("second", ["second"])
    # What nobody chose does not filter another page.
    assert not {"runs", "detector_is"} & app.session_state["kept_filter"].keys()
    # All of them can be asked for.
    app.multiselect(key="runs").set_value([]).run()
    assert shown(app, "Labelled (n)") == "90"


def test_misses_hits_and_false_alarms_have_different_colours():
    chart = confusion_figure(Confusion(8, 1, 5, 2)).data[0]
    assert len({colour for _, colour in chart.colorscale}) == 4
    assert sorted(number for row in chart.z for number in row) == [0, 1, 2, 3]
    said = outcomes_markup(Confusion(8, 1, 5, 2))
    for name, count in (("caught", 8), ("missed", 1), ("false alarms", 5), ("passed", 2)):
        assert re.search(f'{OUTCOMES[name]}">[a-z ]*{name}: <b>{count}', said, re.IGNORECASE)


def imported_preset(app, data: bytes, name: str = "", other: str = ""):
    app.file_uploader(key="preset_file").set_value([(name or "s.json", data, "")])
    app.text_input(key="preset_other_name").set_value(other)
    app.button(key="import_preset_file").click().run()
    assert not app.exception
    return said(app)


def test_a_preset_goes_out_and_comes_in_as_a_file(url):
    presets = PresetStore.open(url)
    number = presets.save("desk <b>", "embedded", Parameters(), EVIDENCE)
    data = presets.export(number).encode()
    app = thresholds_page()  # without a labelled answer, too
    assert [each.label for each in app.get("download_button")] == ["Export"]
    assert "“desk <b>” of s.json already exists" in imported_preset(app, data)
    presets.delete(number)
    assert "“desk <b>” was imported. It is not the default." in imported_preset(app, data)
    other = data.replace(b'"threshold": 0.5', b'"threshold": 0.6')
    refused = imported_preset(app, other)
    assert "s.json: There is a preset called 'desk <b>' already, with another threshold" in refused
    assert "“two” was imported." in imported_preset(app, other, other="two")
    found = {each.name: each.parameters.threshold for each in presets.listed().readable}
    assert found == {"desk <b>": 0.5, "two": 0.6}


def test_a_preset_file_that_cannot_be_used_is_named_with_the_field(url):
    app = thresholds_page()
    picture = imported_preset(app, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "picture.json")
    assert_shows(
        picture,
        snapshot(
            "picture.json: NUL byte at line 3, column 1, so this is not a text file. Upload the exported file unchanged."
        ),
    )
    refused = imported_preset(app, b"{}")
    assert_shows(refused, snapshot("s.json: The file holds no preset: its field schema must be"))
    app.file_uploader(key="preset_file").set_value([])
    app.button(key="import_preset_file").click().run()
    assert_shows(said(app), snapshot("Choose a file first."))
    assert PresetStore.open(url).listed().readable == ()
