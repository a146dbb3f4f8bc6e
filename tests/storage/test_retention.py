"""Deleting by age: what goes, what stays, and that no byte of it is left in the files."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from provenance_core import Audit, Parameters, Provenance
from provenance_core.files.types import BatchRow
from storage import AuditNotFound, AuditStore, NewRun, RunStore, StorageError
from storage.actions import action_log
from storage.database import time_text
from storage.models import Base, RunRecord
from storage.retention import RETENTION_DAYS, RetentionStore, keep_to_retention, retention_days
from storage.worker.rows import Outcome, Stores, work
from tests.commands import run_command

SECRET = "Zanzibar"
ROW = BatchRow(1, f"Where is {SECRET}?", (f"{SECRET} is an island.",), f"{SECRET} is a city.")


def days_ago(days: float) -> str:
    return time_text(datetime.now(UTC) - timedelta(days=days))


def aged(audit: Audit, days: float) -> Audit:
    return replace(audit, created_at=days_ago(days))


def an_audit(provenance: Provenance) -> Audit:
    return provenance.audit(query=ROW.query, answer=ROW.answer, context=ROW.context)


def a_run(url: str, provenance: Provenance, days: float, *, done: bool = True) -> int:
    """A run of one row, made so many days ago."""
    stores = Stores.open(url)
    number = stores.runs.create(
        NewRun(f"{SECRET} {days}", "rows.jsonl", "rows", (), "embedded", Parameters()), [ROW], []
    )
    if done:
        assert work(stores, number, "w", load=lambda _: provenance) is Outcome.DONE
    with stores.runs._writing("") as session:
        session.get_one(RunRecord, number).created_at = days_ago(days)
    return number


def bytes_of(folder: Path) -> dict[str, int]:
    """How often the secret stands in each file of the database, its journals and logs."""
    files = [file for file in folder.iterdir() if file.is_file()]
    return {file.name: file.read_bytes().count(SECRET.encode()) for file in files}


def test_only_what_is_older_goes(url: str, provenance: Provenance) -> None:
    store, audit = AuditStore.open(url), an_audit(provenance)
    old, young = store.save(aged(audit, 31)), store.save(aged(audit, 29))
    run_old = a_run(url, provenance, 31)
    run_young = a_run(url, provenance, 29)
    waiting = a_run(url, provenance, 99, done=False)
    retention = RetentionStore.open(url)
    assert retention.expired(30).runs == (run_old,)
    found = retention.delete_expired(30)
    assert (found.audits, found.runs) == ((old,), (run_old,))
    with pytest.raises(AuditNotFound):
        store.load(old)
    assert store.load(young).audit.score == audit.score
    assert {run.id for run in RunStore.open(url).page().runs} == {run_young, waiting}
    assert retention.delete_expired(30).audits == ()
    lines = [json.loads(line) for line in action_log(url).read_text().splitlines()]
    assert [(line["who"], line["action"], line["numbers"]) for line in lines] == [
        ("retention", "delete runs older than 30 days", [run_old]),
        ("retention", "delete audits older than 30 days", [old]),
    ]


def test_no_byte_of_what_was_deleted_is_left(
    url: str, tmp_path: Path, provenance: Provenance
) -> None:
    store = AuditStore.open(url)
    a_run(url, provenance, 31)
    for _ in range(30):
        store.save(aged(an_audit(provenance), 31))
    assert sum(bytes_of(tmp_path).values()) > 30
    # The audit of the run is of today; of its name nothing is kept either.
    store.delete(1)
    RetentionStore.open(url).delete_expired(30)
    assert store.count() == 0
    assert set(bytes_of(tmp_path).values()) == {0}


def test_no_byte_of_an_audit_that_a_person_deleted_is_left(
    url: str, tmp_path: Path, provenance: Provenance
) -> None:
    """Not in the row of its run either, nor in the log of what was written."""
    stores = Stores.open(url)
    number = stores.runs.create(
        NewRun("run", "rows.jsonl", "rows", (), "embedded", Parameters()), [ROW], []
    )
    work(stores, number, "w", load=lambda _: provenance)
    assert sum(bytes_of(tmp_path).values()) > 0
    stores.audits.delete(1)
    assert set(bytes_of(tmp_path).values()) == {0}
    assert stores.runs.get(number).progress.done == 1
    for table in Base.metadata.sorted_tables:
        with stores.audits._reading("") as session:
            assert SECRET not in str(session.execute(table.select()).all()), table.name


def test_the_thread_deletes_at_its_start_and_again(
    url: str, provenance: Provenance, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert keep_to_retention() is None, "nothing is deleted by age unless it is asked for"
    monkeypatch.setenv(RETENTION_DAYS.variable, "30")
    store, audit = AuditStore.open(url), an_audit(provenance)
    told: list[int] = []
    store.save(aged(audit, 31))
    ended = threading.Event()
    thread = keep_to_retention(lambda: told.append(1), 0.05, ended)
    assert thread is not None
    for many in (1, 2):
        for _ in range(200):
            if store.count() == 0 and len(told) == many:
                break
            time.sleep(0.05)
        assert (store.count(), len(told)) == (0, many)
        store.save(aged(audit, 31))
    ended.set()
    thread.join(60)


def test_the_command(url: str, provenance: Provenance, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AuditStore.open(url)
    number = store.save(aged(an_audit(provenance), 31))
    assert run_command("retention").returncode == 2
    assert "No age is given" in run_command("retention").stderr
    listed = run_command("retention", "--days", 30, "--dry-run")
    assert f"1 audits older than 30 days would be deleted: {number}" in listed.stdout
    assert store.count() == 1
    monkeypatch.setenv(RETENTION_DAYS.variable, "30")
    assert f"deleted: {number}" in run_command("retention").stdout
    assert store.count() == 0


def test_a_setting_that_is_no_number_deletes_nothing_and_is_said(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(RETENTION_DAYS.variable, "a month")
    with pytest.raises(StorageError, match="PROVENANCE_RETENTION_DAYS is 'a month'"):
        retention_days()
    assert keep_to_retention() is None
    assert "a month" in run_command("health").stdout
