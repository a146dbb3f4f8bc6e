"""``python -m provenance_core run``: runs as a list, and renamed."""

from __future__ import annotations

import pytest

from provenance_core import Parameters
from provenance_core.files.types import BatchRow
from storage import RunStore
from storage.runs import NewRun
from tests.commands import run_command


@pytest.fixture
def runs(url) -> RunStore:
    return RunStore.open(url)


def create(runs: RunStore, name: str) -> int:
    new = NewRun(name, "rows.jsonl", "rows", (), "embedded", Parameters())
    return runs.create(new, [BatchRow(1, "", ("It is red.",), "It is red.")], ())


def test_runs_are_listed_the_newest_first(runs):
    assert run_command("run", "--list").stdout == "There are no runs.\n"
    create(runs, "May\x1b[31m")
    create(runs, "June")
    head, june, may = run_command("run", "--list").stdout.splitlines()
    assert head.split()[:2] == ["run", "status"]
    assert june.split()[:6] == ["2", "queued", "0", "0", "0", "1"] and june.endswith("  June")
    assert may.split()[0] == "1" and "\x1b" not in may


def test_a_run_is_renamed_and_found_by_both_names(runs):
    number = create(runs, "May")
    done = run_command("run", "--rename", "May", "--to", " May, corrected ")
    assert (done.returncode, done.stdout) == (0, "run 1: May is now called May, corrected\n")
    assert runs.get(number).name == "May, corrected"
    assert runs.named("May").id == number


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        (("--rename", "May", "--to", "June"), 2, "There is a run called 'June' already"),
        (("--rename", "May", "--to", " "), 2, "name"),
        (("--rename", "April", "--to", "x"), 1, "There is no run called 'April'"),
        (("--rename", "May"), 2, "--rename and --to go together"),
        (("--list", "--to", "x"), 2, "--rename and --to go together"),
        ((), 2, "--list"),
    ],
)
def test_what_cannot_be_done_says_why(runs, given, status, said):
    create(runs, "May")
    create(runs, "June")
    refused = run_command("run", *given)
    assert refused.returncode == status and said in refused.stderr
    assert [run.name for run in runs.page().runs] == ["June", "May"]
