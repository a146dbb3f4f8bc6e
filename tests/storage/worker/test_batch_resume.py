"""A worker that is killed at any moment: nothing is lost, nothing is done twice."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from provenance_core import Parameters
from provenance_core.files.types import BatchRow
from storage import AuditStore, NewRun, RunStatus, RunStore
from storage.documents import pack_document, unpack_document
from storage.engine import get_engine
from storage.models import Base
from storage.worker.process import has_died

REPOSITORY = Path(__file__).parents[3]
ROWS_A_KILL = 4
# Set it to the seed that a failure shows, and the kills fall as they did.
SEED_VARIABLE = "PROVENANCE_KILL_SEED"
# When it was done, how long it took and by whom differ from run to run.
NOT_COMPARED = {
    "audits": {"created_at", "document"},  # the document without its times is, below
    "runs": {"created_at", "started_at", "finished_at", "heartbeat_at"},
}

# Scores for later audits: a kill between an audit and its scores costs them, nothing else.
CACHES = {"pair_logits"}


@dataclass(frozen=True, slots=True)
class Kept:
    """What a database holds: rows by status, audits, and a SHA-256 of each table's rows."""

    rows: dict[str, int]
    audits: int
    checksums: dict[str, str]


def a_run(runs: RunStore, rows_of_it: int) -> int:
    """Every tenth row has the texts of the one before, so that kills meet shared audits too."""
    texts = [f"Room {i - (i % 10 == 9)} is red." for i in range(rows_of_it)]
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


def wait_for(process: subprocess.Popen[bytes], reached: Callable[[], bool]) -> None:
    """Wait until ``reached()``, or the process has ended."""
    while not reached() and process.poll() is None:
        time.sleep(0.005)


def all_of(url: str, statement: str) -> list[tuple]:
    with get_engine(url).connect() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def kept(url: str) -> Kept:
    """Every column of every table enters a checksum, but those of times."""
    checksums = {}
    for table in Base.metadata.sorted_tables:
        if table.name in CACHES:
            continue
        left_out = NOT_COMPARED.get(table.name, set())
        assert left_out <= set(table.columns.keys())
        columns = ", ".join(f'"{c.name}"' for c in table.columns if c.name not in left_out)
        keys = ", ".join(f'"{c.name}"' for c in table.primary_key)
        digest = hashlib.sha256()
        for row in all_of(url, f'SELECT {columns} FROM "{table.name}" ORDER BY {keys}'):
            digest.update(repr(row).encode())
        if table.name == "audits":
            for (document,) in all_of(url, "SELECT document FROM audits ORDER BY id"):
                plain = unpack_document(document)
                del plain["created_at"], plain["evidence"]["timings"]
                digest.update(repr(plain).encode())
        checksums[table.name] = digest.hexdigest()
    return Kept(
        dict(all_of(url, "SELECT status, count(*) FROM run_rows GROUP BY status")),
        all_of(url, "SELECT count(*) FROM audits")[0][0],
        checksums,
    )


@pytest.mark.parametrize("kills", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_random_moments_it_ends_as_if_never_killed(url, tmp_path, kills):
    total = ROWS_A_KILL * kills
    repeated = total // 10
    seed = int(os.environ.get(SEED_VARIABLE) or time.time_ns())
    repeat = f"{SEED_VARIABLE}={seed}"
    print(repeat)
    chance = random.Random(seed)
    other = f"sqlite:///{tmp_path / 'uninterrupted.db'}"
    uninterrupted = start(other, a_run(RunStore.open(other), total))

    runs = RunStore.open(url)
    number = a_run(runs, total)
    done_at_kill = []
    # Where two kills are due at the same row, the later one falls while the worker starts.
    # The last kill leaves a quarter of the rows, lest the run is done before it falls.
    for due in sorted(chance.randrange(total - kills) for _ in range(kills)):
        worker = start(url, number)
        # The first worker has to have begun: none is dead else.
        wait_for(worker, lambda: runs.get(number).worker is not None)
        wait_for(worker, lambda due=due: runs.get(number).progress.done >= due)
        time.sleep(chance.uniform(0.0, 0.05))
        worker.send_signal(signal.SIGKILL)
        said = worker.communicate()[0].decode()
        assert worker.returncode == -signal.SIGKILL, f"{repeat}\n{said}"
        run = runs.get(number)
        assert run.status is RunStatus.RUNNING, repeat
        assert has_died(run), repeat
        done_at_kill.append(run.progress.done)
    assert done_at_kill == sorted(done_at_kill), repeat
    assert 0 < done_at_kill[-1] < total, repeat
    for process in (start(url, number), uninterrupted):
        said = process.communicate()[0].decode()
        assert process.returncode == 0, f"{repeat}\n{said}"
        assert f"{total} audited, 0 failed" in said, repeat

    run = runs.get(number)
    assert (run.status, run.progress.done, run.progress.failed) == (RunStatus.DONE, total, 0)
    killed = kept(url)
    assert killed == kept(other), repeat
    assert (killed.rows, killed.audits) == ({"done": total}, total - repeated), repeat
    rows = all_of(
        url,
        "SELECT r.answer, a.answer FROM run_rows r LEFT JOIN audits a ON a.id = r.audit_id",
    )
    assert all(of_row == of_audit for of_row, of_audit in rows), repeat
    # An audit is whole: each has its item, and what its score is made from.
    for table in ("context_items", "supports"):
        assert all_of(url, f"SELECT count(*) FROM {table}") == [(total - repeated,)], table
    assert all_of(url, "PRAGMA integrity_check") == [("ok",)], repeat


def test_a_checksum_sees_another_score(url, provenance):
    store = AuditStore.open(url)
    store.save(provenance.audit(query="", answer="Room 1 is red.", context=["Room 1 is red."]))
    before = kept(url)
    with get_engine(url).begin() as connection:
        plain = unpack_document(connection.scalar(text("SELECT document FROM audits")))
        plain["evidence"]["relevance"][0] += 1.0
        changes = {"document": pack_document(plain)}
        connection.execute(text("UPDATE audits SET document = :document"), changes)
    changed = {t for t, c in kept(url).checksums.items() if c != before.checksums[t]}
    assert changed == {"audits"}


def test_terminated_it_leaves_a_run_to_be_resumed(url):
    runs = RunStore.open(url)
    number = a_run(runs, 40)
    worker = start(url, number)
    wait_for(worker, lambda: runs.get(number).progress.done >= 1)
    worker.send_signal(signal.SIGTERM)
    said = worker.communicate()[0].decode()
    # Python itself ends by the signal where it came while an import ran code from a text.
    assert worker.returncode in (130, -signal.SIGINT), said
    assert "--run killed --resume" in said
    run = runs.get(number)
    assert (run.status, run.worker) == (RunStatus.CANCELLED, None)
    assert 1 <= run.progress.done < 40
