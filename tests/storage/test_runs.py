"""Batch runs in the database: rows, workers, sharing, cancelling, resuming."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from provenance_core import InputError, Parameters, assemble
from provenance_core.audit.digest import evidence_digest
from provenance_core.files.batch import FieldMapping, read_batch_file
from provenance_core.files.batch.summary import summarise
from provenance_core.files.types import BatchRow, RejectedRow, Unit
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import (
    AuditStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    ReviewStore,
    RunNotFound,
    RunStatus,
    RunStore,
    StorageError,
    snapshot,
)
from storage.engine import get_engine
from tests.conftest import hand_evidence


@pytest.fixture
def runs(url) -> RunStore:
    return RunStore.open(url)


def an_audit():
    return assemble(hand_evidence([0.1, 0.2], [[0.9, 0.1]]), Parameters())


def a_run(runs: RunStore, rows: int = 3, name: str = "first") -> int:
    return runs.create(
        NewRun(name, "rows.jsonl", "rows", (("answer", "answer"),), "embedded", Parameters()),
        (
            BatchRow(i, "q", ("a", "b"), f"answer {i}", id=f"id-{i}", label=i % 2)
            for i in range(1, rows + 1)
        ),
        [RejectedRow(9, "no answer", "{}")],
    )


def test_what_is_read_in_one_moment_fits_together(runs, url):
    number = a_run(runs)
    runs.take(number, "w")

    def listed() -> int:
        return ItemStore.open(url).page(ItemFilter(runs=(number,))).total

    with snapshot(url):
        assert runs.get(number).progress.done == 0
        assert runs.finish(runs.next_row(number).id, "w", an_audit())
        assert (listed(), runs.get(number).progress.done) == (0, 0)
    assert (listed(), runs.get(number).progress.done) == (1, 1)


def test_a_run_comes_back_with_its_rows_in_order(runs):
    number = a_run(runs, rows=1203)
    run = runs.get(number)
    assert run == runs.named("first")
    assert (run.status, run.progress.total, run.progress.left) == (RunStatus.QUEUED, 1203, 1203)
    assert run.parameters == Parameters()
    assert run.mapping == (("answer", "answer"),)
    assert runs.rejects(number) == (RejectedRow(9, "no answer", "{}", Unit.UNKNOWN),)
    assert runs.take(number, "w")
    for line in (1, 2, 3):
        row = runs.next_row(number)
        items = tuple(item.text for item in row.context)
        assert (row.line, row.answer, items) == (line, f"answer {line}", ("a", "b"))
        assert runs.fail(row.id, "w", "why")
    assert runs.get(number).progress.failed == 3


def test_what_became_of_the_file_and_what_its_tool_said_stay_with_the_run(runs, url, tmp_path):
    path = tmp_path / "results.jsonl"
    said = [
        {"query": "q", "context": "c", "answer": a, "passed": p} for a, p in (("a", "1"), ("b", 0))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in [*said, {**said[0], "context": ""}]))
    mapping = FieldMapping(query="query", context="context", answer="answer", passed="passed")
    file = read_batch_file(path, mapping=mapping)
    summary = summarise(file)
    new = NewRun("tool", path.name, "rows", (), "embedded", Parameters(), summary)
    number = runs.create(new, file.rows, file.rejected)
    assert runs.file_summary(number) == summary
    assert (summary.passed, summary.failed, summary.without_context) == (1, 1, (3,))
    assert str(tmp_path) not in str(summary)
    assert runs.take(number, "w")
    while row := runs.next_row(number):
        assert runs.finish(row.id, "w", an_audit())
    other = runs.under_threshold(number, 0.25)
    assert runs.file_summary(other) is None
    items = ItemStore.open(url).page(ItemFilter(runs=(number,)), ItemOrder.FILE).items
    assert [(item.passed, item.label) for item in items] == [(1, None), (0, None)]
    with pytest.raises(RunNotFound):
        runs.file_summary(99)


def test_names_are_unique_and_a_refused_run_leaves_nothing(runs):
    a_run(runs)
    with pytest.raises(StorageError, match="called 'first' already"):
        a_run(runs)
    assert len(runs.page().runs) == 1
    with pytest.raises(InputError, match="another name, or resume that run"):
        runs.free_name("first")
    with pytest.raises(RunNotFound, match="no run called 'second'"):
        runs.named("second")


def test_a_renamed_run_keeps_its_number_and_is_found_by_its_old_name(runs):
    first, second = a_run(runs), a_run(runs, name="second")
    runs.rename(first, " better ")
    assert (runs.get(first).name, runs.named("better").id, runs.named("first").id) == (
        "better", first, first,
    )  # fmt: skip
    with pytest.raises(InputError, match=r"called 'second' already\. Choose another name"):
        runs.rename(first, "second")
    for name, said in (("  ", "no name"), ("x" * 201, "201 characters")):
        with pytest.raises(InputError, match=said):
            runs.rename(first, name)
    with pytest.raises(RunNotFound, match="no run 99"):
        runs.rename(99, "other")
    assert (runs.get(first).name, runs.get(second).name) == ("better", "second")
    # The name is free again, and a run that has it comes before one that had it.
    assert runs.free_name("first") == "first"
    third = a_run(runs)
    assert runs.named("first").id == third
    runs.rename(third, "other")
    runs.rename(third, "first")
    runs.rename(third, "first")
    assert runs.named("first").id == third
    runs.delete(third)
    assert runs.named("first").id == first


def test_the_number_of_a_deleted_run_is_never_given_again(runs):
    first, second = a_run(runs), a_run(runs, name="second")
    runs.delete(second)
    third = a_run(runs, name="third")
    assert third > second
    with pytest.raises(RunNotFound):
        runs.get(second)
    # An older one leaves the count as it is, and so does the deletion of all.
    for number in (first, third):
        runs.delete(number)
    assert a_run(runs) > third


def test_one_worker_at_a_time_until_it_falls_silent(runs, url):
    number = a_run(runs)
    assert runs.take(number, "one")
    assert runs.take(number, "one")
    assert not runs.take(number, "two")
    row = runs.next_row(number)
    assert not runs.finish(row.id, "two", an_audit())
    assert AuditStore.open(url).count() == 0
    long_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat(timespec="milliseconds")
    with get_engine(url).begin() as connection:
        connection.execute(text("UPDATE runs SET heartbeat_at = :t"), {"t": long_ago})
    assert runs.take(number, "two")
    assert not runs.finish(row.id, "one", an_audit()), "the first worker has lost the run"
    assert runs.finish(row.id, "two", an_audit())
    assert not runs.finish(row.id, "two", an_audit()), "no row is done twice"
    assert AuditStore.open(url).count() == 1


def test_rows_of_the_same_text_share_an_audit(runs, url):
    number = a_run(runs)
    runs.take(number, "w")
    audit = an_audit()
    digest = evidence_digest(audit.evidence, audit.parameters)
    assert runs.audit_of(digest) is None
    runs.finish(runs.next_row(number).id, "w", audit)
    assert runs.share(runs.next_row(number).id, "w", runs.audit_of(digest))
    assert runs.get(number).progress.done == 2
    assert AuditStore.open(url).count() == 1


def test_a_judgement_outlives_its_run_and_is_there_in_the_next(runs, url):
    first = a_run(runs, 1)
    runs.take(first, "w")
    audit = an_audit()
    assert runs.finish(runs.next_row(first).id, "w", audit)
    number = runs.audit_of(evidence_digest(audit.evidence, audit.parameters))
    ReviewStore.open(url).save(number, "Ann", Judgement(JudgedVerdict.HALLUCINATED))
    runs.delete(first)
    second = a_run(runs, 1, "second")
    runs.take(second, "w")
    assert runs.share(runs.next_row(second).id, "w", number)
    (item,) = ItemStore.open(url).page(ItemFilter(runs=(second,))).items
    assert (item.audit_id, item.reviews, item.opinion) == (number, 1, 0)


def test_a_cancelled_run_keeps_what_is_done_and_can_go_on(runs):
    number = a_run(runs)
    runs.take(number, "w")
    first, second = runs.next_row(number), None
    runs.finish(first.id, "w", an_audit())
    second = runs.next_row(number)
    runs.cancel(number)
    assert not runs.finish(second.id, "w", an_audit())
    assert not runs.take(number, "w")
    runs.resume(number)
    assert runs.take(number, "other")
    assert runs.next_row(number).id == second.id
    runs.end(number, "w")
    assert runs.get(number).status is RunStatus.RUNNING, "not w's any more"
    runs.end(number, "other")
    assert runs.get(number).status is RunStatus.DONE
    with pytest.raises(InputError, match=r"done.*Choose another name\.$"):
        runs.free_name("first")


def test_a_deleted_audit_leaves_its_row_and_a_deleted_run_its_audits(runs, url):
    number = a_run(runs)
    runs.take(number, "w")
    runs.finish(runs.next_row(number).id, "w", an_audit())
    audits = AuditStore.open(url)
    other = a_run(runs, name="second")
    runs.delete(number)
    assert audits.count() == 1
    assert [run.id for run in runs.page().runs] == [other]
    assert [run.id for run in runs.names()] == [other]
