"""A run on a Ray cluster: as a local run, also when a machine is lost in the middle."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from provenance_core import ContextItem, ModelError, default_parameters
from provenance_core.files.batch import read_batch_file
from provenance_core.files.results import Origin, results_at
from provenance_core.files.types import BatchRow
from storage import AuditStore, ItemFilter, ItemStore, NewRun, PendingRow, RunStatus
from storage.errors import StorageError
from storage.worker import cluster
from storage.worker.cluster import Cluster, connect, scored, work_on_cluster
from storage.worker.results import audit_into
from storage.worker.rows import Outcome, Stores, work
from tests.cli.test_batch_results import alike, read
from tests.commands import run_command

ROWS = 24
MACHINE = {"num_cpus": 1, "include_dashboard": False}


@pytest.fixture
def url(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'cluster.db'}"


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    """A Ray cluster of one machine."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster as Machines

    found = Machines(initialize_head=True, head_node_args={**MACHINE, "num_gpus": 1})
    yield found
    found.shutdown()


@pytest.fixture
def machines(started) -> Iterator[Any]:
    """The cluster, to which this process is not connected yet."""
    import ray

    yield started
    ray.shutdown()


def a_run(stores: Stores, name: str, rows: int) -> int:
    """Every row's texts are its own; the last cannot be audited."""
    texts = [f"Room {i} is red." for i in range(1, rows)]
    given = [
        BatchRow(i, "", (text,), text, id=f"r{i}", label=i % 2) for i, text in enumerate(texts, 1)
    ]
    given.append(BatchRow(rows, "", ("Room.",), "   "))
    new = NewRun(name, "rows.jsonl", "rows", (), "embedded", default_parameters("embedded"))
    return stores.runs.create(new, given, [])


@pytest.fixture
def without_ray(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)


def test_without_ray_the_message_says_what_to_install(url, without_ray):
    stores = Stores.open(url)
    run = a_run(stores, "run", 3)
    with pytest.raises(ModelError, match="pip install 'provenance-check"):
        work_on_cluster(stores, run, "w", Cluster())
    found = stores.runs.get(run)
    assert found.status is RunStatus.STOPPED and "Ray is not installed" in found.message


def test_what_ended_the_run_is_said_though_the_database_refuses(url, without_ray, monkeypatch):
    def refuse(*_given: object) -> None:
        raise StorageError("database is locked")

    stores = Stores.open(url)
    monkeypatch.setattr(type(stores.runs), "stop", refuse)
    with pytest.raises(ModelError, match="Ray is not installed"):
        work_on_cluster(stores, a_run(stores, "run", 3), "w", Cluster())


def test_an_address_is_of_a_cluster(url, tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text('{"answer": "It is red.", "context": "It is red."}\n', encoding="utf-8")
    given = ("batch", str(file), "--run", "r", "--address", "10.0.0.1:6379")
    done = run_command(*given, variables={"PROVENANCE_DATABASE_URL": url})
    assert done.returncode == 2 and "add --engine ray" in done.stderr


@pytest.mark.slow
def test_a_lost_machine_costs_no_row_and_the_audits_are_those_of_a_local_run(
    machines, url, provenance, monkeypatch
):
    other = machines.add_node(**MACHINE)
    monkeypatch.setattr(cluster, "_WINDOW", 6)
    stores = Stores.open(url)
    run = a_run(stores, "on the cluster", ROWS)
    lost = threading.Event()

    def lose(progress) -> None:
        if not lost.is_set() and progress.done >= 2:
            lost.set()
            machines.remove_node(other, allow_graceful=False)

    given = Cluster(machines.address, scorers=2)
    assert work_on_cluster(stores, run, "w", given, on_progress=lose) is Outcome.DONE
    assert lost.is_set()
    found = stores.runs.get(run)
    assert (found.status, found.progress.done, found.progress.failed) == (
        RunStatus.DONE,
        ROWS - 1,
        1,
    )
    local = a_run(stores, "local", ROWS)
    # Not shared with the audits of the cluster, but made anew.
    monkeypatch.setattr(stores.runs, "audit_of", lambda *given: None)
    work(stores, local, "w2", load=lambda _: provenance)
    items = ItemStore.open(url)
    listed = [
        [(i.row_id, i.label, i.score, i.verdict) for i in items.each(ItemFilter((n,)))]
        for n in (run, local)
    ]
    assert listed[0] == listed[1]
    assert len({row[0] for row in listed[0]}) == ROWS - 1
    assert AuditStore.open(url).count() == 2 * (ROWS - 1)


@pytest.mark.slow
def test_parquet_on_a_cluster_that_loses_a_machine_is_parquet_of_a_local_batch(
    machines, tmp_path, provenance, monkeypatch
):
    rows = [
        {"id": f"r{i}", "context": [f"Room {i} is red.", "Doors are blue."],
         "answer": f"Room {i} is {'red' if i % 2 else 'green'}.", "label": i % 2}
        for i in range(ROWS)
    ]  # fmt: skip
    rows[5]["answer"] = ""
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    file = read_batch_file(path)
    parameters = default_parameters("embedded")
    origin = Origin(path.name, "", file.format, (), "embedded", parameters, "1")
    other = machines.add_node(**MACHINE)
    monkeypatch.setattr(cluster, "_WINDOW", 6)
    lost = threading.Event()

    def lose(done: int, total: int) -> None:
        if not lost.is_set() and done >= 2:
            lost.set()
            machines.remove_node(other, allow_graceful=False)

    given = Cluster(machines.address, scorers=2)
    with results_at(str(tmp_path / "cluster"), origin) as results:
        audit_into(results, file.rows, file.rejected, origin, given, on_progress=lose)
    assert lost.is_set()
    with results_at(str(tmp_path / "local"), origin) as results:
        audit_into(results, file.rows, file.rejected, origin, load=lambda _: provenance)
    assert alike(tmp_path / "cluster") == alike(tmp_path / "local")
    found = read(tmp_path / "cluster")
    assert [row["line"] for row in found] == list(range(1, ROWS + 1))
    assert [row["outcome"] for row in found].count("rejected") == 1


ONE_ROW = [PendingRow(1, 1, "", "It is red.", (ContextItem(0, "It is red.", "Cars"),))]


@pytest.mark.slow
def test_scorers_get_the_gpus_that_they_ask_for(machines, tmp_path, monkeypatch):
    """Ray counts GPUs without having any, and tells a scorer in its environment which it has."""
    seen = tmp_path / "seen"

    class Noting(cluster._Scorer):
        def __call__(self, batch):
            seen.write_text(os.environ.get("CUDA_VISIBLE_DEVICES", "none"), encoding="utf-8")
            return super().__call__(batch)

    monkeypatch.setattr(cluster, "_Scorer", Noting)
    given = Cluster(machines.address, gpus=0.5)
    connect(given)
    (done,) = scored(ONE_ROW, "embedded", default_parameters("embedded"), given)
    assert (done.id, done.reason) == (1, "") and '"Cars"' in done.audit
    assert seen.read_text(encoding="utf-8") == "0"


@pytest.mark.slow
def test_a_scorer_without_its_models_stops_the_batch_with_a_message(machines):
    given = Cluster(machines.address)
    connect(given)
    with pytest.raises(ModelError, match=r"The cluster cannot go on .*no profile 'none'"):
        list(scored(ONE_ROW, "none", default_parameters("embedded"), given))
