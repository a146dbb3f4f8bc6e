"""The Batch page without a browser: upload, mapping, start, the list of runs, a run's rows."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.batch import runs as batch_runs
from dashboard.batch.rows import draw_summary, ranking_text
from dashboard.batch.upload import keep_uploads
from dashboard.shared.detector_record import WEAK
from dashboard.shared.text_table import text_table
from provenance_core import InputError, Parameters, assemble
from provenance_core.files.types import BatchRow, RejectedRow
from provenance_core.statistics.metrics import roc_auc
from provenance_core.statistics.thresholds.types import LabelledScores
from storage import NewRun, Run, RunStatus, RunStore, StorageError
from storage.worker.process import _STARTED, this_worker
from tests.app_page import open_page, tables, text_tables
from tests.conftest import hand_evidence, press, shown_html
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def started(monkeypatch) -> list[int]:
    """The numbers of the runs for which a worker would have been started."""
    numbers: list[int] = []
    monkeypatch.setattr("dashboard.batch.upload.start_worker", numbers.append)
    monkeypatch.setattr("dashboard.batch.runs.start_worker", numbers.append)
    return numbers


@pytest.fixture
def runs(url, started) -> RunStore:
    return RunStore.open(url)


def page(**query: str) -> AppTest:
    return open_page("batch", **query)


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    app.file_uploader[0].set_value([(name, data, "") for name, data in files])
    app.run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    return "\n".join(element.value for element in app.text)


def rejected(app: AppTest) -> list[tuple[str, str]]:
    """Line and reason of each rejected row that the page lists."""
    reason = "What is wrong and how to fix it"
    (table,) = (table for table in text_tables(app) if reason in table[0])
    return [(next(iter(row.values())), row[reason]) for row in table]


def jsonl(*records: dict) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


ROW = {"query": "How many?", "context": ["Two cats."], "answer": "Two.", "label": 1}
ROWS = jsonl(ROW, {**ROW, "answer": f"Three. {SCRIPT}", "label": 0}, {**ROW, "answer": ""})


def test_a_picture_under_the_name_of_rows_is_named_with_the_cure(runs):
    app = upload(page(), ("rows.jsonl", b"\x89PNG\r\n\x1a\n"))
    said = "rows.jsonl: this is a PNG image, not a text file. Give JSONL, JSON or CSV that is saved"
    assert said in texts(app)


def test_an_uploaded_file_becomes_a_run_of_its_own(runs, started):
    app = upload(page(), ("rows.jsonl", ROWS))
    assert_shows(texts(app), snapshot("3 rows read, 2 to audit, 1 refused"))
    assert app.text_input(key="batch_name 0 rows.jsonl").value == "rows"
    app.slider(key="threshold").set_value(0.3)
    press(app, "Start with 2 rows")
    (run,) = runs.page().runs
    assert started == [run.id]
    assert (run.name, run.file_name, run.status) == ("rows", "rows.jsonl", RunStatus.QUEUED)
    assert run.parameters.threshold == 0.3
    assert (run.progress.total, run.progress.rejected) == (2, 1)
    assert app.query_params["run"] in (str(run.id), [str(run.id)])
    assert not app.file_uploader and not app.slider, "the run has the page to itself"


def test_start_stands_before_the_rows_of_an_upload(runs):
    app = page()
    assert_shows(app.info[0].value, snapshot("or try the sample file"))
    upload(app, ("rows.jsonl", ROWS))
    assert app.info[-1].value == snapshot("No run yet. Start audits the rows of the file above.")
    assert app.button(key="batch_start").label == snapshot("Start with 2 rows")
    kinds = [type(element).__name__ for element in app.main]
    last_button = len(kinds) - 1 - kinds[::-1].index("Button")
    assert last_button < kinds.index("Dataframe")
    narrow = text_tables(app)[-1]
    assert narrow[0]["answer"] == "Two." and narrow[1]["answer"] == f"Three. {SCRIPT}"


def test_the_sample_file_can_be_tried_and_downloaded(runs, started):
    app = page()
    assert_shows(
        [b.label for b in app.get("download_button")], snapshot("Download the sample file")
    )
    press(app, "Try the sample file")
    assert_shows(texts(app), snapshot("20 rows read, 20 to audit, 0 refused"))
    press(app, "Start")
    (run,) = runs.page().runs
    assert started == [run.id] and run.file_name == "sample-answers.jsonl"


def test_columns_of_other_names_are_mapped_by_hand(runs):
    data = b"eins,zwei,drei\nHow many?,Two cats.,Two.\nHow old?,Ten years.,Nine.\n"
    app = upload(page(), ("rows.csv", data))
    # What is still to be done is no error.
    assert not app.error
    assert_shows(
        app.info[0].value, snapshot("which column has the answer and which has the context.")
    )
    for field, key in (("query", "eins"), ("context", "zwei"), ("answer", "drei")):
        app.selectbox(key=f"batch_map_{field} 0 rows.csv").set_value(key)
    app.run()
    assert not app.exception
    assert_shows(texts(app), snapshot("2 rows read, 2 to audit, 0 refused"))
    press(app, "Start")
    (run,) = runs.page().runs
    mapping = dict(run.mapping)
    assert (mapping["query"], mapping["context"], mapping["answer"]) == (
        "eins", "zwei", "drei",
    )  # fmt: skip
    assert runs.take(run.id, "w")
    row = runs.next_row(run.id)
    (item,) = row.context
    assert (row.query, item.text, row.answer) == ("How many?", "Two cats.", "Two.")


BROKEN = b'{"eins": "How many?", "drei": \n'


def test_records_under_a_key_are_to_be_uploaded_alone(runs):
    app = upload(page(), ("rows.json", json.dumps({"rows": [{"x": 1, "y": 2}]}).encode()))
    assert_shows(
        texts(app),
        snapshot("The file has only 'rows'. If the list of records is under it, save that list"),
    )
    assert not any("Choose above" in each.value for each in app.info)


def test_records_under_a_key_that_are_rows_are_read(runs):
    record = {"query": "q", "context": ["c"], "answer": "a"}
    app = upload(page(), ("rows.json", json.dumps({"rows": [record]}).encode()))
    assert_shows(texts(app), snapshot("The records were read from the list under rows."))
    assert_shows(texts(app), snapshot("1 row read, 1 to audit, 0 refused"))


def notes(app: AppTest) -> list[str]:
    """The notes on the file, which stand in one box."""
    lines = texts(app).splitlines()
    boxes = [each for each in app.markdown if "About this file:" in each.value]
    assert len(boxes) == 1 and not app.warning
    return [line for line in lines if line.startswith("• ")]


def test_notes_on_a_file_name_the_boxes_of_the_page_and_open_them(runs):
    row = {key: value for key, value in ROW.items() if key != "label"}
    lists = {"a": [{**row, "Human grade": 1}], "b": [{**row, "Human grade": 0}]}
    app = upload(page(), ("rows.json", json.dumps(lists).encode()))
    on_list, on_label = notes(app)
    assert_shows(on_list, snapshot("choose another by its name (in the box “List”)."))
    assert_shows(
        on_label,
        snapshot("Human grade looks like one (Human grade in the box “Label (1 = supported)”)."),
    )
    assert {"List", "Label (1 = supported)"} <= {box.label for box in app.selectbox}
    assert "--" not in texts(app)
    (mapping,) = (each for each in app.expander if each.label == "Format and mapping")
    assert mapping.proto.expanded


def test_the_mapping_stays_closed_where_no_note_asks_for_a_choice(runs):
    app = upload(page(), ("rows.jsonl", ROWS))
    (mapping,) = (each for each in app.expander if each.label == "Format and mapping")
    assert not mapping.proto.expanded


def test_the_words_of_labels_are_not_looked_up_in_the_repository_by_a_page(runs):
    app = upload(page(), ("rows.jsonl", jsonl(ROW, {**ROW, "label": "perhaps"})))
    assert "or leave it empty where nobody has judged" in texts(app)
    assert "docs/" not in texts(app)


def test_an_encoding_can_be_chosen_where_the_file_cannot_be_read_without(runs):
    data = "query,context,answer\nq,Grüße.,Grüße.\n".encode() + "q,Grüße.,a\n".encode("cp1252")
    app = upload(page(), ("rows.csv", data))
    assert "cannot be used" in app.error[0].value
    assert_shows(texts(app), snapshot("although the rest of the file is"))
    app.selectbox(key="batch_encoding 0 rows.csv").set_value("utf-8").run()
    assert not app.error
    assert_shows(texts(app), snapshot("2 rows read, 1 to audit, 1 refused"))


def test_a_broken_line_is_said_before_its_columns_are_asked_for(runs, started):
    row = {"eins": "How many?", "zwei": "Two cats.", "drei": "Two."}
    app = upload(page(), ("rows.jsonl", jsonl(*[row] * 30) + BROKEN))
    assert rejected(app) == snapshot(
        [
            (
                "31",
                "not JSON at column 31 (it ends before its last bracket is closed); fix it there, "
                "or leave the row out",
            )
        ]
    )
    (warning,) = app.warning
    assert_shows(warning.value, snapshot("1 row of this file cannot be read. Fix the file"))
    places = [element.type for element in app.main if element.type in ("warning", "selectbox")]
    assert places.index("warning") < places.index("selectbox")
    for field, key in (("context", "zwei"), ("answer", "drei")):
        app.selectbox(key=f"batch_map_{field} 0 rows.jsonl").set_value(key)
    app.run()
    assert_shows(app.warning[0].value, snapshot("or start with the 30 rows that can be audited"))
    press(app, "Start with 30 rows")
    progress = runs.page().runs[0].progress
    assert (progress.total, progress.rejected) == (30, 1)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("rows.json", json.dumps(ROW, indent=2).encode()),
        ("rows.json", json.dumps([ROW]).encode()),
        ("rows.csv", b"query,context,answer,label\nHow many?,Two cats.,Two.,1\n"),
        ("rows.tsv", b"query\tcontext\tanswer\tlabel\nHow many?\tTwo cats.\tTwo.\t1\n"),
    ],
)
def test_what_can_be_pasted_can_be_uploaded(runs, name, data):
    app = upload(page(), (name, data))
    assert not app.error and not app.warning
    assert_shows(texts(app), snapshot("1 row read, 1 to audit, 0 refused"))


RESPONSE = {
    "id": "0", "source_id": "s1", "model": "m", "labels": [], "split": "test",
    "quality": "good", "response": "Two cats.", "temperature": 1.0,
}  # fmt: skip
SOURCE = {
    "source_id": "s1", "task_type": "Summary", "source": "x", "source_info": "There are two cats.",
    "prompt": "Summarise",
}  # fmt: skip


def test_ragtruth_needs_its_two_files(runs):
    app = upload(page(), ("response.jsonl", jsonl(RESPONSE)))
    assert_shows(texts(app), snapshot("add source_info.jsonl to the upload"))
    both = (("response.jsonl", jsonl(RESPONSE)), ("source_info.jsonl", jsonl(SOURCE)))
    upload(app, *both)
    assert_shows(texts(app), snapshot("1 row read, 1 to audit, 0 refused"))


def test_a_third_file_leaves_the_chosen_one_chosen(runs):
    record = {"query": "When?", "context": ["It opened in 1937."], "answer": "In 1937."}
    files = [(f"{name}.jsonl", jsonl(record)) for name in "abc"]
    app = upload(page(), *files[:2])
    app.selectbox(key="batch_path_0").select("b.jsonl").run()
    upload(app, *files)
    assert not app.error
    assert app.selectbox(key="batch_path_0").value == "b.jsonl"
    assert_shows(texts(app), snapshot("1 row read, 1 to audit, 0 refused"))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [("rows.jsonl", b"", "no rows"), ("rows.jsonl", b"\x00\x01", ""), ("rows.json", b"{", "")],
)
def test_a_bad_file_is_a_message_without_the_servers_folders(runs, name, data, message):
    app = upload(page(), (name, data))
    assert "cannot be used" in app.error[0].value
    assert message in texts(app)
    assert name in texts(app)
    assert "provenance-" not in texts(app)
    assert not any(button.label == "Start" for button in app.button)


def test_a_taken_name_is_said_before_anything_is_written(runs, started):
    a_run(runs, "rows")
    app = upload(page(), ("rows.jsonl", ROWS))
    (name,) = [box for box in app.text_input if box.label == "Name of the run"]
    assert name.value == "rows 2", "a name that is free is proposed"
    name.set_value("rows")
    app = press(app, "Start with 2 rows")
    assert_shows(texts(app), snapshot("a run called 'rows' already"))
    assert (len(runs.page().runs), started) == (1, [])
    app.text_input(key="batch_name 0 rows.jsonl").set_value("others")
    press(app, "Start with 2 rows")
    assert [run.name for run in runs.page().runs] == ["others", "rows"]


def test_a_worker_that_cannot_be_started_leaves_a_run_that_can_be(runs, monkeypatch, started):
    def refuse(run_id: int) -> None:
        raise StorageError("no more processes")

    monkeypatch.setattr("dashboard.batch.upload.start_worker", refuse)
    app = press(upload(page(), ("rows.jsonl", ROWS)), "Start with 2 rows")
    assert "no more processes" in texts(app)
    press(app, "Start a worker")
    assert started == [runs.page().runs[0].id]


def test_no_worker_is_offered_while_one_starts(runs, monkeypatch, started):
    class Starting:
        ended: int | None = None

        def poll(self) -> int | None:
            return self.ended

    number = a_run(runs, "rows")
    process = Starting()
    monkeypatch.setitem(_STARTED, number, process)
    assert "Start a worker" not in [button.label for button in page().button]
    process.ended = 1
    assert "Start a worker" in [button.label for button in page().button]


def test_the_line_of_a_rejected_row_is_named_where_the_window_is_narrow():
    table = text_table(("Line", "Text"), [("12", "a")], first_named=True)
    assert '<table class="pv-table pv-named">' in table
    assert '.pv-named td:first-child::before{content:attr(data-name) " "}' in table
    assert "pv-named" not in text_table(("Name", "Text"), [("a", "b")]).split("</style>")[1]


def test_two_uploads_of_one_name_are_refused():
    class File:
        name, file_id = "a.jsonl", "1"

        def getvalue(self) -> bytes:
            return b"{}"

    with pytest.raises(InputError, match="Two of the files"):
        keep_uploads([File(), File()])


def test_a_path_in_a_name_stays_in_the_folder():
    class File:
        name, file_id = "..\\../../etc/a.jsonl", "1"

        def getvalue(self) -> bytes:
            return b"{}"

    kept = keep_uploads([File()])
    assert [path.name for path in kept.paths] == ["a.jsonl"]
    folder = kept.paths[0].parent
    assert str(folder) == kept.folder
    del kept
    assert not folder.exists(), "the upload outlives its session"


# the list of runs


def a_run(runs: RunStore, name: str, rows: int = 3) -> int:
    return runs.create(
        NewRun(name, "rows.jsonl", "rows", (), "embedded", Parameters()),
        [
            BatchRow(
                i, f"q {SCRIPT}", ("a",), f"answer {i}", id=f"id-{i}", label=i % 2, group=f"g{i}"
            )
            for i in range(1, rows + 1)
        ],
        [RejectedRow(9, "no answer", "{}")],
    )


def test_a_running_run_can_be_cancelled_and_resumed(runs, started):
    number = a_run(runs, f"first {SCRIPT}")
    runs.take(number, this_worker())
    app = page()
    assert "running" in shown_html(app)
    assert "threshold 0.500</small>" in shown_html(app)
    assert "<script>alert" not in shown_html(app)
    press(app, "Cancel")
    assert runs.get(number).status is RunStatus.CANCELLED
    assert "cancelled" in shown_html(app)
    press(app, "Resume")
    assert (runs.get(number).status, started) == (RunStatus.QUEUED, [number])


def test_progress_figures_and_rows_are_of_one_moment(runs, monkeypatch):
    number = a_run(runs, "first", 6)
    worker = this_worker()
    runs.take(number, worker)

    def one_more(run: Run) -> None:
        audit = assemble(hand_evidence([0.0], [[0.9]]), Parameters())
        assert runs.finish(runs.next_row(number).id, worker, audit)
        draw_summary(run)

    monkeypatch.setattr("dashboard.batch.linked_run.draw_summary", one_more)
    app = page(run=str(number))
    for finished in range(3):
        (progress,) = app.get("progress")
        assert progress.proto.text.startswith(f"{finished} / 6 rows")
        assert f"{finished} row{'' if finished == 1 else 's'}" in [c.value for c in app.caption]
        assert (f"Supported {finished}" in texts(app)) is bool(finished)
        app.run()
    assert runs.get(number).progress.done == 4


def test_the_head_of_a_run_waits_for_its_figures(runs, monkeypatch):
    """Else "done, 12 rows" stands above the figures of 8 while those of 12 are computed."""
    drawn = []
    module = "dashboard.batch.linked_run"
    monkeypatch.setattr(f"{module}.draw_summary", lambda _: drawn.append("figures"))
    monkeypatch.setattr(f"{module}.draw_listed", lambda *_: drawn.append("head"))
    page(run=str(a_run(runs, "first", 2)))
    assert drawn == ["figures", "head"]


def test_a_run_whose_worker_has_died_can_be_resumed(runs, started):
    number = a_run(runs, "first")
    host, pid, _, token = this_worker().split(" ")
    runs.take(number, f"{host} {pid} 1.00 {token}")
    app = page()
    assert_shows(shown_html(app), snapshot("interrupted: its worker has ended"))
    press(app, "Resume")
    assert started == [number]
    # Queued at once, so that the list is kept up to date while the new worker starts.
    assert (runs.get(number).status, runs.get(number).worker) == (RunStatus.QUEUED, None)


def test_a_stopped_run_says_why(runs):
    number = a_run(runs, "first")
    runs.take(number, "w")
    runs.stop(number, "w", RunStatus.STOPPED, f"no space left {SCRIPT}")
    app = page()
    assert_shows(shown_html(app), snapshot("stopped by an error"))
    assert f"no space left {SCRIPT}" in texts(app)


def test_delete_asks_first(runs):
    number = a_run(runs, "first")
    app = press(page(run=str(number)), "Delete")
    assert_shows(texts(app), snapshot("Its audits stay in the History"))
    press(app, "Keep it")
    assert len(runs.page().runs) == 1
    press(press(app, "Delete"), "Delete the run")
    assert runs.page().runs == ()
    assert "run" not in app.query_params
    assert any("No run yet" in info.value for info in app.info)


def test_a_run_is_renamed_in_its_place(runs):
    number, other = a_run(runs, "first"), a_run(runs, "other")
    app = press(page(run=str(number)), "Rename")
    new_name = app.text_input(key=f"batch_new_name_{number}")
    assert new_name.value == "first"
    new_name.set_value("other")
    press(app, "Save the name")
    assert_shows(
        texts(app), snapshot("There is a run called 'other' already. Choose another name.")
    )
    app.text_input(key=f"batch_new_name_{number}").set_value(f"better {SCRIPT}")
    press(app, "Save the name")
    assert (runs.get(number).name, runs.get(other).name) == (f"better {SCRIPT}", "other")
    assert "&lt;script&gt;" in shown_html(app) and SCRIPT not in shown_html(app)
    assert "Keep the old name" not in [button.label for button in app.button]
    press(press(app, "Rename"), "Keep the old name")
    assert runs.get(number).name == f"better {SCRIPT}"


# the rows of a run


def audited(runs: RunStore, rows: int = 24) -> int:
    """Every row but the last two is done, with a higher score the higher its line."""
    number = a_run(runs, "first", rows)
    runs.take(number, "w")
    for i in range(rows - 2):
        evidence = hand_evidence([0.0], [[(i + 1) / rows]])
        audit = assemble(replace(evidence, answer=evidence.answer), Parameters())
        assert runs.finish(runs.next_row(number).id, "w", audit)
    assert runs.fail(runs.next_row(number).id, "w", f"too long {SCRIPT}")
    return number


def test_a_finished_run_links_to_the_threshold_of_its_labels(runs):
    number = audited(runs, 4)

    def thresholds() -> list[str]:
        found = [link.proto for link in page(run=str(number)).get("page_link")]
        return [each.query_string for each in found if each.label.startswith("Find the thresh")]

    assert thresholds() == [], "a row is left"
    assert runs.fail(runs.next_row(number).id, "w", "too long")
    assert thresholds() == ["runs=first&detector_is=Two-stage"]


def test_a_run_has_one_threshold_on_its_page(runs):
    app = page(run=str(audited(runs)))
    assert not app.slider and not app.file_uploader
    assert [box.key for box in app.selectbox if box.key == "detector"] == []
    assert page().slider(key="threshold").value == 0.5, "the settings of the next run"


def test_where_a_detector_is_chosen_its_auc_on_the_own_run_is_said(runs):
    audited(runs)
    app = page()
    said = [each.proto.body for each in app.sidebar.get("html")]
    (told,) = [each for each in said if "AUC" in each]
    (run,) = runs.page().runs
    found = runs.labelled_scores(run.id)
    auc, n = roc_auc(found.labels, found.scores), len(found.labels)
    assert f"AUC {auc:.3f} on your run “{run.name}” (n = {n}; 0.5 is chance)" in told
    weak = [each for each in app.sidebar.warning if "weak on your data" in each.value]
    assert bool(weak) == (auc < WEAK)
    app.selectbox(key="detector").set_value("summac").run()
    assert not [each for each in app.sidebar.get("html") if "AUC" in each.proto.body]


def test_a_run_without_labels_says_nothing_of_misses(runs):
    number = runs.create(
        NewRun("plain", "rows.jsonl", "rows", (), "embedded", Parameters()),
        [BatchRow(1, "q", ("a",), "answer")],
        [],
    )
    runs.take(number, "w")
    audit = assemble(hand_evidence([0.0], [[0.9]]), Parameters())
    assert runs.finish(runs.next_row(number).id, "w", audit)
    app = page(run=str(number))
    assert len(tables(app)[0].value) == 1
    assert not [each.value for each in app.caption if each.value.startswith("In order")]


def test_rows_are_listed_filtered_ordered_and_paged(runs, monkeypatch):
    monkeypatch.setattr("dashboard.batch.rows.ROWS_A_PAGE", 20)
    number = audited(runs)
    assert "line" not in tables(page(run=str(number)))[0].value
    app = page(run=str(number), columns=["line", "mistake"])
    table = tables(app)[0].value
    # Of lines 12 to 22 the even ones are misses, of 1 to 11 the odd ones false alarms; the even
    # ones of 1 to 11 are hallucinations that were found.
    found, misses = [2, 4, 6, 8, 10], [22, 20, 18, 16, 14, 12]
    assert list(table["line"])[:17] == [*misses, 1, 3, 5, 7, 9, 11, *found]
    assert list(table["mistake"])[:13] == ["miss"] * 6 + ["false alarm"] * 6 + [""]
    assert len(table) == 20
    assert any("22 rows" in caption.value for caption in app.caption)
    assert_shows(texts(app), snapshot("Supported 11 · Hallucinated 11"))
    assert [said.value for said in app.markdown] == snapshot(
        [
            "**By the labels, 5 of 11 hallucinated answers are caught, 6 missed (called "
            "supported); 6 of 11 supported answers are false alarms (called hallucinated).**"
        ]
    )
    app.selectbox(key="order").set_value("caught").run()
    assert list(tables(app)[0].value["line"])[:14] == [*found, *misses, 1, 3, 5]
    order = (
        "In order: found hallucinations (the lowest score first), misses (the highest score "
        "first), false alarms (the lowest score first), then the others as in the file."
    )
    assert order in [caption.value for caption in app.caption]
    app.selectbox(key="order").set_value("highest_score").run()
    assert list(tables(app)[0].value["line"]) == [*range(22, 2, -1)]
    assert order not in [caption.value for caption in app.caption]
    app.selectbox(key="verdict").set_value("supported").run()
    app.selectbox(key="label").set_value(1).run()
    assert not app.exception
    assert list(tables(app)[0].value["line"]) == [21, 19, 17, 15, 13]


def test_failed_and_pending_rows_are_listed_with_reasons(runs):
    number = audited(runs)
    app = page(run=str(number), status="failed")
    failed, _ = text_tables(app)
    assert [(row["line"], row["reason"]) for row in failed] == [("23", f"too long {SCRIPT}")]
    assert rejected(app) == [("9", "no answer")]
    app.selectbox(key="status").set_value("pending").run()
    assert [row["line"] for row in text_tables(app)[0]] == ["24"]
    app.text_input(key="text").set_value("nowhere").run()
    assert len(text_tables(app)) == 1 and rejected(app)


def test_failed_rows_are_run_again(runs, started):
    number = audited(runs)
    app = page(run=str(number))
    assert not any("failed rows" in b.label for b in app.button), "its worker may fail more"
    assert not runs.retry_failed(number)
    runs.finish(
        runs.next_row(number).id, "w", assemble(hand_evidence([0.0], [[0.5]]), Parameters())
    )
    runs.end(number, "w")
    app = press(page(run=str(number), status="failed"), "Run the failed rows again (1)")
    run = runs.get(number)
    assert (run.status, run.progress.failed, run.progress.left) == (RunStatus.QUEUED, 0, 1)
    assert (run.finished_at, started) == (None, [number])
    assert not any(row.get("line") == "23" for table in text_tables(app) for row in table)
    assert runs.take(number, "other") and runs.next_row(number).line == 23
    runs.finish(
        runs.next_row(number).id, "other", assemble(hand_evidence([0.0], [[0.5]]), Parameters())
    )
    runs.end(number, "other")
    assert not runs.retry_failed(number), "none of them has failed"
    assert runs.get(number).status is RunStatus.DONE


@pytest.mark.parametrize("link", ["999", "abc", "9" * 30, "-1"])
def test_a_bad_link_is_a_message(runs, link):
    app = page(run=link)
    assert "cannot be shown" in app.error[0].value


def test_ranking_says_what_it_is_of_or_why_there_is_none():
    both = LabelledScores((0.9, 0.1, 0.8, 0.2), (1, 0, 1, 0), ("a", "b", "c", "d"))
    said = ranking_text(both)
    assert_shows(said, snapshot("Only 4 labelled answers"))
    assert said.startswith("AUC 1.000, 95 % interval 1.000 to 1.000 over 4 source documents")
    assert_shows(said, snapshot("4 labelled rows, 50.0 % of them supported"))
    assert_shows(
        ranking_text(replace(both, labels=(1,) * 4)),
        snapshot("no AUC: every labelled row is supported"),
    )
    one = LabelledScores((0.9,), (1,), ("a",))
    assert ranking_text(one).startswith("1 labelled row, 100.0 % of them supported")
    assert "one source document" in ranking_text(replace(both, groups=("a",) * 4))


def test_a_damaged_workbook_is_a_message(runs):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook><unclosed>")
    app = upload(page(), ("rows.xlsx", packed.getvalue()))
    assert [error.value for error in app.error] == snapshot(
        ["The file cannot be used. Nothing was started."]
    )
    assert_shows(texts(app), snapshot("rows.xlsx: not a whole Excel workbook"))


class _Again(Exception):
    pass


def test_a_page_whose_run_has_ended_is_drawn_again_before_its_card(monkeypatch):
    def rerun():
        raise _Again

    drawn = []
    monkeypatch.setattr(batch_runs, "_draw_run", drawn.append)
    monkeypatch.setattr(batch_runs, "draw_outcome", lambda *_: None)
    monkeypatch.setattr(batch_runs, "any_active", lambda _: False)
    monkeypatch.setattr(batch_runs.st, "rerun", rerun)
    with pytest.raises(_Again):
        batch_runs.draw_listed([object()], True)
    assert not drawn


def test_a_card_that_is_done_empties_the_place_of_its_progress(monkeypatch, url):
    """Else the progress stands beside the new head until all of the page is drawn."""
    places = []
    monkeypatch.setattr(batch_runs, "_draw_done", lambda _: places.append("done"))
    monkeypatch.setattr(batch_runs, "_draw_unfinished", lambda _: places.append("progress"))
    monkeypatch.setattr(batch_runs.st, "empty", lambda: places.append("empty"))
    new = NewRun("a", "a.csv", "rows", (), "embedded", Parameters())
    run = RunStore.open().get(RunStore.open().create(new, [], []))
    for status in (RunStatus.RUNNING, RunStatus.DONE):
        batch_runs._draw_run(replace(run, status=status))
    assert places == ["progress", "empty", "empty", "done"]
