"""A worker that is killed at any moment: nothing is lost, nothing is done twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from provenance_core import Parameters
from provenance_core.evaluation.types import BatchRow
from storage import NewRun, RunStatus, RunStore
from storage._engine import get_engine
from storage.worker_process import has_died

REPOSITORY = Path(__file__).parents[1]
KILLS = 20
ROWS = 3 * KILLS
# Every tenth text comes again later, so that kills meet shared audits too.
REPEATED = ROWS // 10


@pytest.fixture
def url(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'runs.db'}"


def a_run(runs: RunStore) -> int:
    texts = [f"Room {i} is red." for i in range(ROWS - REPEATED)]
    texts += texts[:REPEATED]
    rows = [BatchRow(i, "", (answer,), answer) for i, answer in enumerate(texts, 1)]
    return runs.create(
        NewRun("killed", "rows.jsonl", "rows", (), "embedded", Parameters()), rows, []
    )


def start(url: str, run: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "provenance_core", "batch", "--work", str(run)],
        cwd=REPOSITORY,
        env={**os.environ, "PROVENANCE_DATABASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def wait_for(process: subprocess.Popen[bytes], reached) -> None:
    """Wait until ``reached()``, or the process has ended."""
    while not reached() and process.poll() is None:
        time.sleep(0.005)


def test_killed_at_twenty_moments_every_row_is_done_exactly_once(url):
    runs = RunStore.open(url)
    number = a_run(runs)
    chance = random.Random(7)
    done_at_kill = []
    for kill in range(KILLS):
        worker = start(url, number)
        # The first kill falls between the claim and the first row; the others within a row.
        wait_for(worker, lambda: runs.get(number).worker is not None)
        rows = kill * (ROWS - REPEATED) // KILLS
        wait_for(worker, lambda rows=rows: runs.get(number).progress.done >= rows)
        time.sleep(chance.uniform(0.0, 0.03))
        worker.send_signal(signal.SIGKILL)
        said = worker.communicate()[0].decode()
        assert worker.returncode == -signal.SIGKILL, said
        run = runs.get(number)
        assert run.status is RunStatus.RUNNING
        assert has_died(run)
        done_at_kill.append(run.progress.done)
    assert done_at_kill[0] < done_at_kill[-1] < ROWS
    worker = start(url, number)
    said = worker.communicate()[0].decode()
    assert worker.returncode == 0, said
    assert f"{ROWS} audited, 0 failed" in said

    run = runs.get(number)
    assert (run.status, run.progress.done, run.progress.failed) == (RunStatus.DONE, ROWS, 0)
    with get_engine(url).connect() as connection:

        def all_of(statement: str) -> list[tuple]:
            return [tuple(row) for row in connection.execute(text(statement))]

        rows = all_of(
            "SELECT r.answer, a.answer, r.status FROM run_rows r "
            "LEFT JOIN audits a ON a.id = r.audit_id ORDER BY r.line"
        )
        assert len(rows) == ROWS
        assert all(row == (row[0], row[0], "done") for row in rows)
        assert all_of("SELECT id FROM audits WHERE id NOT IN (SELECT audit_id FROM run_rows)") == []
        assert all_of("SELECT count(*), count(DISTINCT digest) FROM audits") == [
            (ROWS - REPEATED, ROWS - REPEATED)
        ]
        # An audit is whole: each has its item, its claim and a score of the pair.
        for table in ("context_items", "chunks", "claims", "sentences"):
            assert all_of(f"SELECT count(*) FROM {table}") == [(ROWS - REPEATED,)], table
        assert all_of("PRAGMA integrity_check") == [("ok",)]


def test_terminated_it_leaves_a_run_to_be_resumed(url):
    runs = RunStore.open(url)
    number = a_run(runs)
    worker = start(url, number)
    wait_for(worker, lambda: runs.get(number).progress.done >= 1)
    worker.send_signal(signal.SIGTERM)
    said = worker.communicate()[0].decode()
    assert worker.returncode == 130, said
    assert "--run killed --resume" in said
    run = runs.get(number)
    assert (run.status, run.worker) == (RunStatus.CANCELLED, None)
    assert 1 <= run.progress.done < ROWS
