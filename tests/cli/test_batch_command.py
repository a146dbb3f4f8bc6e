"""``python -m provenance_core batch`` as a user starts it."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from provenance_core import Parameters
from provenance_core.files.types import BatchRow
from provenance_core.statistics.eta import in_words, measured_pace
from storage import ItemFilter, ItemStore, NewRun, RunStatus, RunStore
from storage.worker.process import log_path, start_worker, this_worker
from tests.commands import Done, run_command

REPOSITORY = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("loaded_once")


def batch(url: str, *arguments: object) -> Done:
    return run_command("batch", *arguments, variables={"PROVENANCE_DATABASE_URL": url})


@pytest.fixture
def rows(tmp_path) -> Path:
    path = tmp_path / "rows.jsonl"
    row = {"query": "", "context": ["The sky is blue."], "answer": "The sky is blue.", "label": 1}
    records = [row, {**row, "answer": "Grass sings.", "label": 0}, {**row, "answer": ""}, row]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_the_summary_as_json(rows, tmp_path):
    done = run_command("batch", rows, "--out", tmp_path / "out", "--json")
    assert done.returncode == 4, done.stderr
    found = json.loads(done.stdout)
    assert (found["audited"], found["rejected"]) == (3, 1)
    file = found["file"]
    assert (file["read"], file["rows"], file["unit"]) == (4, 3, "line")
    assert [group["lines"] for group in file["refused"]] == [[3]]


def test_a_file_becomes_a_run_with_an_audit_a_row(url, rows):
    done = batch(url, rows, "--run", "first", "--threshold", "0.25")
    # Rows of the file were refused.
    assert done.returncode == 4, done.stderr
    assert done.stdout == "Run 1, first: 3 audited, 0 failed, 1 rejected\n"
    assert f"{rows}:3: " in done.stderr
    *_, counted, refused = done.stderr.splitlines()
    assert counted == "4 rows read, 3 to audit, 1 refused"
    assert (
        refused.startswith("refused (line 3): no answer; write the answer") and "First:" in refused
    )
    run = RunStore.open(url).named("first")
    assert (run.status, run.file_name) == (RunStatus.DONE, "rows.jsonl")
    assert run.parameters.threshold == 0.25
    page = ItemStore.open(url).page(ItemFilter(runs=(run.id,)))
    assert {item.threshold for item in page.items} == {0.25}
    assert len({item.audit_id for item in page.items}) == 2

    taken = batch(url, rows, "--run", "first")
    assert (taken.returncode, len(RunStore.open(url).page().runs)) == (2, 1)
    assert "a run called 'first' already" in taken.stderr
    again = batch(url, "--run", "first", "--resume")
    assert (again.returncode, again.stdout) == (4, done.stdout)
    listed = batch(url, "--list")
    assert listed.returncode == 0
    assert listed.stdout.splitlines()[1].split() == [
        "1", "done", "3", "0", "1", "3", *run.created_at[:16].split("T"), "first",
    ]  # fmt: skip


def test_keys_are_mapped(url, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("quelle,antwort\nThe sky is blue.,Blue.\n")
    done = batch(url, path, "--run", "mapped", "--map", "context=quelle", "answer=antwort")
    assert done.returncode == 0, done.stderr
    assert dict(RunStore.open(url).named("mapped").mapping) == {
        "context": "quelle",
        "answer": "antwort",
    }


def a_run(url: str) -> int:
    rows = [BatchRow(1, "", ("The sky is blue.",), "The sky is blue.")]
    new = NewRun("first", "rows.jsonl", "rows", (), "embedded", Parameters())
    return RunStore.open(url).create(new, rows, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--run", "new"], "name the FILE"),
        (["--run", "new", "--resume"], "no run called 'new' to resume"),
        (
            ["--run", "first", "--resume", "--top-k", "3"],
            "keeps its format, profile and parameters",
        ),
        (["other.jsonl", "--run", "first", "--resume"], "is of rows.jsonl, not of other.jsonl"),
        (["nowhere.jsonl", "--run", "new"], "nowhere.jsonl"),
        (["--work", "1", "--threshold", "0.1"], "leave out all else"),
        (["rows.jsonl", "--run", "new", "--retry-failed"], "add --resume"),
        (["rows.jsonl", "--run", "new", "--map", "reply=a"], "'reply=a' is not FIELD=KEY"),
        (["rows.jsonl", "--run", "new", "--threshold", "7"], "threshold"),
        (["rows.jsonl"], "--run"),
    ],
)
def test_bad_arguments_say_what_to_mend_and_write_nothing(url, arguments, said):
    a_run(url)
    done = batch(url, *arguments)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert [run.status for run in RunStore.open(url).page().runs] == [RunStatus.QUEUED]


def test_a_run_that_another_process_works_on_is_left_alone(url):
    number = a_run(url)
    runs = RunStore.open(url)
    assert runs.take(number, this_worker())
    done = batch(url, "--work", number)
    assert done.returncode == 1
    assert "another process works on" in done.stderr
    assert runs.get(number).progress.done == 0


def test_a_cancelled_run_is_resumed_by_name_but_not_by_work(url):
    number = a_run(url)
    runs = RunStore.open(url)
    runs.cancel(number)
    refused = batch(url, "--work", number)
    assert refused.returncode == 1
    assert "is cancelled; resume it" in refused.stderr
    assert batch(url, "--run", "first", "--resume").returncode == 0
    assert runs.get(number).status is RunStatus.DONE


def test_failed_rows_are_tried_again_when_asked(url):
    number = a_run(url)
    runs = RunStore.open(url)
    worker = this_worker()
    assert runs.take(number, worker)
    assert runs.fail(runs.next_row(number).id, worker, "the disk was full")
    runs.end(number, worker)
    done = batch(url, "--run", "first", "--resume")
    assert (done.returncode, done.stdout) == (4, "Run 1, first: 0 audited, 1 failed, 0 rejected\n")
    again = done.stderr.strip().rpartition("provenance_core batch ")[2].split()
    assert again == ["--run", "first", "--resume", "--retry-failed"]
    done = batch(url, *again)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Run 1, first: 1 audited, 0 failed, 0 rejected\n"


def test_a_database_that_cannot_be_opened_is_a_message(tmp_path):
    done = batch(f"sqlite:///{tmp_path}", "--list")
    assert done.returncode == 1
    assert "cannot be opened" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_started_worker_does_the_run_and_keeps_a_log(url, tmp_path):
    number = a_run(url)
    assert log_path(number) == tmp_path / f"app.run-{number}.log"
    worker = start_worker(number)
    assert worker.wait(300) == 0
    assert os.getsid(0) != worker.pid
    assert RunStore.open(url).get(number).status is RunStatus.DONE
    assert "1 audited" in log_path(number).read_text()


def test_the_log_of_another_database_is_in_the_data_folder():
    path = log_path(3, "postgresql://u:secret@host/db")
    assert path == REPOSITORY / "data" / "provenance.run-3.log"


def test_pace_is_measured_or_not_said():
    pace = measured_pace(10, 5.0, 100)
    assert (pace.rows_a_second, pace.seconds_left) == (2.0, 50.0)
    assert str(pace) == "2.0 rows a second, 50 s left"
    assert measured_pace(0, 5.0, 100) is None
    assert [in_words(s) for s in (59.4, 60, 3661)] == ["59 s", "1 min 0 s", "1 h 1 min"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_pipe_is_read_as_a_file(url, tmp_path, kind):
    """As of ``batch <(command)``: it can be read once alone, and by this process alone."""
    texts = {
        "jsonl": json.dumps({"query": "", "answer": "A cat.", "context": ["A cat sat."]}) + "\n",
        "csv": "query,answer,context\n,A cat.,A cat sat.\n",
    }
    pipe = tmp_path / f"rows.{kind}"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(texts[kind],), daemon=True)
    writer.start()
    done = batch(url, pipe, "--run", "piped")
    writer.join()
    assert (done.returncode, done.stdout) == (0, "Run 1, piped: 1 audited, 0 failed, 0 rejected\n")
