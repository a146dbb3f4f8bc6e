"""Score rows with the machines of a Ray cluster, while this process keeps the audits.

A row is done once its audit is kept, so that a machine that is lost costs no row and doubles none:
Ray gives its rows to another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from provenance_core import InputError, ModelError, Parameters, Provenance
from provenance_core.app_folder import is_installed
from provenance_core.audit.serialization import audit_from_json, audit_to_json, from_plain, to_plain
from provenance_core.errors import failing_alone
from provenance_core.types import ContextItem
from storage.runs import PendingRow, Progress, Run
from storage.worker.process import dead_worker
from storage.worker.rows import Outcome, Stores, end_kept

_LOG = logging.getLogger(__name__)
# Each process of the cluster finds this package in its own machine's installed app.
_FINDS_THE_APP = {"worker_process_setup_hook": "provenance_core.app_folder.search_app_first"}
# Rows of each scorer that are handed out together: they fit this process's memory, and take long
# beside the seconds in which the scorers load their models.
_WINDOW = 500
# Rows in one task: few, since a lost machine's task is done again from its beginning.
_TASK = 4


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster. ``address``: of its head, "" for one of this machine's own that is started
    for the run. ``scorers``: processes with models. ``cores`` and ``gpus``: of each of them, and
    several may share a GPU (0.5)."""

    address: str = ""
    scorers: int = 1
    cores: int = 1
    gpus: float = 0.0

    @property
    def window(self) -> int:
        """Rows that are handed out together."""
        return _WINDOW * self.scorers


@dataclass(frozen=True, slots=True)
class Scored:
    """What became of a row. ``id``: its number as given. ``audit``: JSON, "" where there is none.
    ``reason``: why there is none, or ""."""

    id: int
    audit: str
    reason: str


class _Scorer:
    """A process of the cluster with the models of a profile."""

    def __init__(self, profile: str, parameters: Mapping[str, Any]) -> None:
        self._provenance = Provenance.load(profile)
        self._parameters = from_plain(Parameters, parameters)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """The audit of each row as JSON, or why there is none."""
        audits, reasons = [], []
        for query, answer, context, names in zip(
            batch["query"], batch["answer"], batch["context"], batch["names"], strict=True
        ):
            audit, reason = "", ""
            try:
                with failing_alone():
                    made = self._provenance.audit(
                        query=query,
                        answer=answer,
                        context=[
                            ContextItem(index, str(text), str(name))
                            for index, (text, name) in enumerate(zip(context, names, strict=True))
                        ],
                        parameters=self._parameters,
                    )
                    audit = audit_to_json(made)
            except InputError as error:
                reason = str(error)
            audits.append(audit)
            reasons.append(reason)
        return {"id": list(batch["id"]), "audit": audits, "reason": reasons}


def work_on_cluster(
    stores: Stores,
    run_id: int,
    worker: str,
    cluster: Cluster,
    *,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Outcome:
    """Audit the rows of a run that are left on a cluster, as :func:`storage.worker.rows.work` does.
    Every machine needs this program in the same version, and the models. Raises RunNotFound where
    there is no such run, ModelError where Ray is not installed or the cluster cannot be reached,
    and StorageError where the database refuses."""
    run = stores.runs.get(run_id)
    if not stores.runs.take(run_id, worker, dead_worker(run)):
        return Outcome.REFUSED
    with end_kept(stores.runs, run_id, worker):
        connect(cluster)
        return _all_rows(stores, run, worker, cluster, on_progress)


def connect(cluster: Cluster) -> None:
    """Connect this process to a cluster, or start one on this machine. Raises ModelError where ray
    is not installed, or the cluster cannot be reached."""
    try:
        import ray
    except ImportError:
        raise ModelError(
            "Ray is not installed. Install it on every machine: pip install "
            "'provenance-check[cluster]'"
        ) from None
    if ray.is_initialized():
        return
    try:
        ray.init(
            address=cluster.address or None,
            log_to_driver=False,
            include_dashboard=False,
            logging_level=logging.ERROR,
            runtime_env=_FINDS_THE_APP if is_installed() else None,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ModelError(
            f"The Ray cluster {cluster.address} cannot be reached ({error}). Start its head by "
            "ray start --head, and give the address that it prints."
        ) from error


def _all_rows(
    stores: Stores, run: Run, worker: str, cluster: Cluster, on_progress: Callable[[Progress], None]
) -> Outcome:
    progress = run.progress
    while rows := stores.runs.pending(run.id, cluster.window):
        for found in scored(rows, run.profile, run.parameters, cluster):
            if found.reason:
                kept = stores.runs.fail(found.id, worker, found.reason)
                progress = replace(progress, failed=progress.failed + kept)
            else:
                kept = stores.runs.finish(found.id, worker, audit_from_json(found.audit))
                progress = replace(progress, done=progress.done + kept)
            if not kept and not stores.runs.beat(run.id, worker):
                _LOG.warning("event=run_lost run=%d", run.id)
                return Outcome.LOST
            on_progress(progress)
    stores.runs.end(run.id, worker)
    return Outcome.DONE


def scored(
    rows: Sequence[PendingRow], profile: str, parameters: Parameters, cluster: Cluster
) -> Iterator[Scored]:
    """Score rows on a cluster that this process is connected to, as they come. Raises ModelError
    where a scorer fails, for instance because its machine lacks the models."""
    import ray.data
    from ray.exceptions import RayError

    ray.data.DataContext.get_current().enable_progress_bars = False
    items = [
        {
            "id": row.id,
            "query": row.query,
            "answer": row.answer,
            "context": [item.text for item in row.context],
            "names": [item.name for item in row.context],
        }
        for row in rows
    ]
    blocks = max(1, len(items) // _TASK)
    data = ray.data.from_items(items, override_num_blocks=blocks)
    done = data.map_batches(
        _Scorer,
        fn_constructor_args=(profile, to_plain(parameters)),
        batch_size=_TASK,
        num_cpus=cluster.cores,
        num_gpus=cluster.gpus or None,
        compute=ray.data.ActorPoolStrategy(
            min_size=1, max_size=cluster.scorers, initial_size=cluster.scorers
        ),
    )
    try:
        for found in done.iter_rows():
            yield Scored(int(found["id"]), str(found["audit"]), str(found["reason"]))
    except RayError as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise ModelError(
            f"The cluster cannot go on ({said}). What was audited is kept; go on with --resume."
        ) from error
