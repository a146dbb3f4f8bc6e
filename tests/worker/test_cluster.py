"""A run on a Ray cluster: as a local run, also when a machine is lost in the middle."""

from __future__ import annotations

import threading

import pytest

from provenance_core import ModelError, default_parameters
from provenance_core.files.types import BatchRow
from storage import AuditStore, ItemFilter, ItemStore, NewRun, RunStatus
from tests.commands import run_command
from worker import cluster
from worker.cluster import Cluster, work_on_cluster
from worker.rows import Outcome, Stores, work

ROWS = 24


@pytest.fixture
def url(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'cluster.db'}"


def a_run(stores: Stores, name: str, rows: int) -> int:
    """Every row's texts are its own; the last cannot be audited."""
    texts = [f"Room {i} is red." for i in range(1, rows)]
    given = [
        BatchRow(i, "", (text,), text, id=f"r{i}", label=i % 2) for i, text in enumerate(texts, 1)
    ]
    given.append(BatchRow(rows, "", ("Room.",), "   "))
    new = NewRun(name, "rows.jsonl", "rows", (), "embedded", default_parameters("embedded"))
    return stores.runs.create(new, given, [])


def test_without_ray_the_message_says_what_to_install(url, monkeypatch):
    import builtins

    stores = Stores.open(url)
    run = a_run(stores, "run", 3)
    load = builtins.__import__

    def without(name, *given, **more):
        if name == "ray":
            raise ImportError(name)
        return load(name, *given, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModelError, match=r"pip install 'provenance\[cluster\]'"):
        work_on_cluster(stores, run, "w", Cluster())
    found = stores.runs.get(run)
    assert found.status is RunStatus.STOPPED and "Ray is not installed" in found.message


def test_an_address_is_of_a_cluster(url, tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text('{"answer": "It is red.", "context": "It is red."}\n', encoding="utf-8")
    done = run_command("batch", str(file), "--run", "r", "--address", "10.0.0.1:6379")
    assert done.returncode == 2 and "add --engine ray" in done.stderr


@pytest.mark.slow
def test_a_lost_machine_costs_no_row_and_the_audits_are_those_of_a_local_run(
    url, provenance, monkeypatch
):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster as Machines

    machines = Machines(initialize_head=True, head_node_args={"num_cpus": 1})
    other = machines.add_node(num_cpus=1)
    monkeypatch.setattr(cluster, "_WINDOW", 12)
    stores = Stores.open(url)
    run = a_run(stores, "on the cluster", ROWS)
    lost = threading.Event()

    def lose(progress) -> None:
        if not lost.is_set() and progress.done >= 2:
            lost.set()
            machines.remove_node(other, allow_graceful=False)

    try:
        ray.init(address=machines.address, log_to_driver=False)
        given = Cluster(machines.address, scorers=2)
        assert work_on_cluster(stores, run, "w", given, on_progress=lose) is Outcome.DONE
    finally:
        ray.shutdown()
        machines.shutdown()
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
