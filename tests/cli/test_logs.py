"""What commands log: events as key=value, never what a user wrote."""

from __future__ import annotations

import json
import logging
import re

import pytest

from provenance_core.cli.exit_codes import ExitCode
from provenance_core.cli.logs import LOG_LEVEL, logged
from provenance_core.errors import InputError
from tests.commands import Done, run_command

SECRET = "Zanzibar"

pytestmark = pytest.mark.usefixtures("loaded_once")


@pytest.fixture
def batch(tmp_path):
    path = tmp_path / "rows.jsonl"
    row = {"query": "", "context": [f"{SECRET} is an island."], "answer": f"{SECRET} is one."}
    texts = [row, {**row, "answer": "x" * 200_000}]
    path.write_text("".join(f"{json.dumps(text)}\n" for text in texts), encoding="utf-8")

    def run(level: str) -> Done:
        url = f"sqlite:///{tmp_path / f'{level}.db'}"
        variables = {LOG_LEVEL.variable: level, "PROVENANCE_DATABASE_URL": url}
        return run_command("batch", path, "--run", SECRET, variables=variables)

    return run


def test_a_batch_logs_its_events_without_a_text_of_its_rows(batch):
    done = batch("info")
    events = [line for line in done.stderr.splitlines() if "event=" in line]
    names = re.findall(r"event=(\w+)", "\n".join(events))
    assert {"command_started", "database_opened", "run_started", "run_ended"} <= set(names)
    assert "command=batch status=4" in events[-1]  # the second row is too long
    for line in events:
        assert re.search(r" level=\w+ logger=[\w.]+ event=\w+( \w+=\S+)*$", line), line
        assert SECRET not in line


def test_nothing_is_logged_where_nothing_went_wrong(batch):
    assert "event=" not in batch("warning").stderr


def test_an_unknown_level_is_refused_with_the_known_ones(batch):
    done = batch("loud")
    assert done.returncode == ExitCode.USAGE
    assert "PROVENANCE_LOG is 'loud'" in done.stderr and "warning" in done.stderr


def test_a_command_leaves_no_handler_behind():
    with pytest.raises(InputError), logged({}):
        raise InputError("refused")
    assert not logging.getLogger("storage").handlers
