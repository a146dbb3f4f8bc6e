"""Work on a run with the machines of a Ray cluster: they score, and this process keeps the audits.

A row is done once its audit is in the database, so that a machine that is lost costs no row and
doubles none: Ray gives its rows to another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from provenance_core import InputError, ModelError, Parameters, Provenance
from provenance_core.audit.serialization import (
    audit_from_json,
    audit_to_json,
    from_plain,
    to_plain,
)
from storage.runs import PendingRow, Progress, Run, RunStatus
from worker.process import dead_worker
from worker.rows import Outcome, Stores

_LOG = logging.getLogger(__name__)
# Rows that are handed out together: they fit this process's memory.
_WINDOW = 2_000
# Rows in one task: few, since a lost machine's task is done again from its beginning.
_TASK = 4


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster. ``address``: of its head, "" for one of this machine's own that is started
    for the run. ``scorers``: processes with models. ``cores``: of each of them."""

    address: str = ""
    scorers: int = 1
    cores: int = 1


class _Scorer:
    """A process of the cluster with the models of a profile."""

    def __init__(self, profile: str, parameters: Mapping[str, Any]) -> None:
        self._provenance = Provenance.load(profile)
        self._parameters = from_plain(Parameters, parameters)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """The audit of each row as JSON, or why there is none."""
        audits, reasons = [], []
        for query, answer, context in zip(
            batch["query"], batch["answer"], batch["context"], strict=True
        ):
            audit, reason = "", ""
            try:
                audit = audit_to_json(
                    self._provenance.audit(
                        query=query,
                        answer=answer,
                        context=[str(text) for text in context],
                        parameters=self._parameters,
                    )
                )
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
    """Audit the rows of a run that are left on a cluster, until it is done or no longer this
    worker's.

    In all else it works as :func:`worker.rows.work`. Every machine needs this program in the same
    version, and the models.

    Parameters
    ----------
    stores : Stores
        What is read and written, in one database.
    run_id : int
        Number of the run.
    worker : str
        Name of this worker, by :func:`worker.process.this_worker`.
    cluster : Cluster
        Where the rows are scored.
    on_progress : Callable[[Progress], None], optional
        Called after each row.

    Returns
    -------
    Outcome
        How the work ended.

    Raises
    ------
    RunNotFound
        There is no such run.
    ModelError
        Ray is not installed, or the cluster cannot be reached.
    StorageError
        The database refuses.
    """
    run = stores.runs.get(run_id)
    if not stores.runs.take(run_id, worker, dead_worker(run)):
        return Outcome.REFUSED
    try:
        _connect(cluster)
        return _all_rows(stores, run, worker, cluster, on_progress)
    except KeyboardInterrupt:
        stores.runs.stop(run_id, worker, RunStatus.CANCELLED, "")
        raise
    except Exception as error:
        message = str(error) or type(error).__name__
        stores.runs.stop(run_id, worker, RunStatus.STOPPED, message)
        raise


def _connect(cluster: Cluster) -> None:
    try:
        import ray
    except ImportError:
        raise ModelError(
            "Ray is not installed. Install it on every machine: pip install 'provenance[cluster]'"
        ) from None
    if ray.is_initialized():
        return
    try:
        ray.init(
            address=cluster.address or None,
            log_to_driver=False,
            include_dashboard=False,
            logging_level=logging.ERROR,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ModelError(
            f"The Ray cluster {cluster.address} cannot be reached ({error}). Start its head by "
            "ray start --head, and give the address that it prints."
        ) from error


def _all_rows(
    stores: Stores,
    run: Run,
    worker: str,
    cluster: Cluster,
    on_progress: Callable[[Progress], None],
) -> Outcome:
    progress = run.progress
    while rows := stores.runs.pending(run.id, _WINDOW):
        for found in _scored(rows, run, cluster):
            number = int(found["id"])
            if found["reason"]:
                kept = stores.runs.fail(number, worker, str(found["reason"]))
                progress = replace(progress, failed=progress.failed + kept)
            else:
                audit = audit_from_json(found["audit"])
                kept = stores.runs.finish(number, worker, audit)
                progress = replace(progress, done=progress.done + kept)
            if not kept and not stores.runs.beat(run.id, worker):
                _LOG.warning("event=run_lost run=%d", run.id)
                return Outcome.LOST
            on_progress(progress)
    stores.runs.end(run.id, worker)
    return Outcome.DONE


def _scored(rows: Sequence[PendingRow], run: Run, cluster: Cluster) -> Iterator[Mapping[str, Any]]:
    """Rows of ``id``, ``audit`` (JSON, or "") and ``reason``, as they come."""
    import ray.data

    ray.data.DataContext.get_current().enable_progress_bars = False
    items = [
        {
            "id": row.id,
            "query": row.query,
            "answer": row.answer,
            "context": list(row.context),
        }
        for row in rows
    ]
    blocks = max(1, len(items) // _TASK)
    data = ray.data.from_items(items, override_num_blocks=blocks)
    scored = data.map_batches(
        _Scorer,
        fn_constructor_args=(run.profile, to_plain(run.parameters)),
        batch_size=_TASK,
        num_cpus=cluster.cores,
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=cluster.scorers),
    )
    yield from scored.iter_rows()
