"""The worker of a batch run: audits its rows one after another and keeps each at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from provenance_core import Audit, InputError, Provenance, assemble
from provenance_core.audit.digest import measurement_digest
from provenance_core.detectors import asked_model
from provenance_core.errors import ProvenanceError, failing_alone
from provenance_core.models.heap import TRIM_EVERY, trim_heap
from provenance_core.models.pair_memory import PairMemory
from provenance_core.progress import Progress as StageProgress
from provenance_core.text.checked_texts import CheckedTexts, check_texts
from provenance_core.text.cited_items import find_cited
from storage.audits import AuditStore
from storage.errors import RunNotFound, StorageError
from storage.pair_scores import PairScoreStore
from storage.retention import keep_to_retention
from storage.runs import PendingRow, Progress, Run, RunStatus, RunStore
from storage.worker.process import dead_worker

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
# Seconds between two signs of life during one audit; a run that was cancelled is left then.
_BEAT_EVERY = 5.0
# Seconds waited before a write is tried again; after the last, the fault is taken as lasting.
# Beside SQLite's own waiting, this stays below the silence after which a worker counts as dead.
PATIENCE = (1.0, 5.0, 15.0, 30.0)


class Outcome(StrEnum):
    """How work on a run ended. REFUSED: another worker has it, or it waits for no worker. LOST:
    it was cancelled, deleted or taken over meanwhile."""

    DONE = "done"
    REFUSED = "refused"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Stores:
    """What a worker reads and writes, in one database."""

    runs: RunStore
    audits: AuditStore
    pairs: PairScoreStore

    @classmethod
    def open(cls, url: str | None = None) -> Stores:
        """Open the three stores of one database. Raises StorageError where it cannot be opened."""
        return cls(RunStore.open(url), AuditStore.open(url), PairScoreStore.open(url))


class _Lost(ProvenanceError):
    """The run is no longer this worker's."""


def work(
    stores: Stores,
    run_id: int,
    worker: str,
    *,
    load: Callable[[str], Provenance] = Provenance.load,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    patience: tuple[float, ...] = PATIENCE,
) -> Outcome:
    """Audit the rows of a run that are left, until it is done or no longer this worker's. A row
    that cannot be audited is failed with its reason. A row whose texts the same models audited
    before shares that audit; under other parameters, its scores are put together anew without a
    model; of other texts, only pairs that no audit scored yet are scored. Ctrl+C leaves the run as
    cancelled. An error that lasts (of the models or the database) leaves it as stopped with the
    message, and is raised: RunNotFound where there is no such run, ModelError where the models
    cannot be loaded, and StorageError where the database refuses longer than ``patience`` waits."""
    run = stores.runs.get(run_id)
    if not stores.runs.take(run_id, worker, dead_worker(run)):
        _LOG.info("event=run_refused run=%d", run_id)
        return Outcome.REFUSED
    keep_to_retention()
    left = run.progress.left
    _LOG.info("event=run_started run=%d profile=%s rows_left=%d", run_id, run.profile, left)
    try:
        with end_kept(stores.runs, run_id, worker):
            provenance = load(run.profile)
            return _Work(stores, run, worker, provenance, on_progress, patience).all_rows()
    except _Lost:
        _LOG.warning("event=run_lost run=%d", run_id)
        return Outcome.LOST


@contextmanager
def end_kept(runs: RunStore, run_id: int, worker: str) -> Iterator[None]:
    """Keep how the work in this block ended a run where an error ended it: Ctrl+C as cancelled,
    another error as stopped with its message. Each goes on."""
    try:
        yield
    except _Lost:
        raise
    except KeyboardInterrupt:
        _LOG.info("event=run_interrupted run=%d", run_id)
        _stop(runs, run_id, worker, RunStatus.CANCELLED, "")
        raise
    except Exception as error:
        _LOG.error("event=run_stopped run=%d error=%s", run_id, type(error).__name__)
        _stop(runs, run_id, worker, RunStatus.STOPPED, str(error) or type(error).__name__)
        raise


def _stop(runs: RunStore, run_id: int, worker: str, status: RunStatus, message: str) -> None:
    # When it cannot be said, the run is free again once this worker is gone.
    try:
        runs.stop(run_id, worker, status, message)
    except StorageError:
        _LOG.warning("event=run_end_not_kept run=%d status=%s", run_id, status)


class _Work:
    def __init__(
        self,
        stores: Stores,
        run: Run,
        worker: str,
        provenance: Provenance,
        on_progress: Callable[[Progress], None],
        patience: tuple[float, ...],
    ) -> None:
        self._runs = stores.runs
        self._audits = stores.audits
        self._pairs = stores.pairs
        self._run = run
        self._worker = worker
        self._provenance = provenance
        self._on_progress = on_progress
        self._patience = patience
        self._last_beat = time.monotonic()

    def all_rows(self) -> Outcome:
        progress = self._run.progress
        rows = 0
        while row := self._patiently(lambda: self._runs.next_row(self._run.id)):
            progress = self._one_row(row, progress)
            self._on_progress(progress)
            rows += 1
            if rows % TRIM_EVERY == 0:
                trim_heap()
        self._patiently(lambda: self._runs.end(self._run.id, self._worker))
        # Cancelled at the last moment, it is not done.
        ended = self._patiently(self._status)
        _LOG.info("event=run_ended run=%d status=%s", self._run.id, ended)
        return Outcome.DONE if ended is RunStatus.DONE else Outcome.LOST

    def _status(self) -> RunStatus | None:
        try:
            return self._runs.get(self._run.id).status
        except RunNotFound:
            return None

    def _one_row(self, row: PendingRow, progress: Progress) -> Progress:
        failure = ""
        try:
            with failing_alone():
                kept = self._audit(row)
        except InputError as error:
            failure = str(error)
            _LOG.info("event=row_failed row=%d error=%s", row.id, type(error).__name__)
            kept = self._patiently(lambda: self._runs.fail(row.id, self._worker, failure))
        if not kept:
            # Not this worker's any more; or a shared audit was deleted, or a write that seemed
            # to fail had been kept: then the next row is asked for.
            self._patiently(self._beat)
            return progress
        if failure:
            return replace(progress, failed=progress.failed + 1)
        return replace(progress, done=progress.done + 1)

    def _audit(self, row: PendingRow) -> bool:
        """Keep an audit for the row: one that is there, or one made now."""
        texts = check_texts(answer=row.answer, context=row.context, query=row.query)
        digest = self._digest(texts)
        parameters = self._run.parameters
        known = self._patiently(lambda: self._runs.audit_of(digest, parameters, texts.given))
        if known is not None:
            return self._patiently(lambda: self._runs.share(row.id, self._worker, known))
        audit = self._put_together(digest, texts)
        # One for each row, so that memory does not grow with the file.
        memory = PairMemory(self._pairs)
        if audit is None:
            audit = self._provenance.audit_texts(
                texts, parameters, StageProgress(self._on_stage), memory
            )
        kept = self._patiently(lambda: self._runs.finish(row.id, self._worker, audit))
        if kept:
            memory.hand_over()
        return kept

    def _digest(self, texts: CheckedTexts) -> str:
        """JudgeError when the run asks a judge and none is set."""
        return measurement_digest(
            texts.query,
            texts.answer,
            [item.text for item in texts.given],
            self._run.parameters,
            self._provenance.models_of(self._run.parameters),
            asked_model(self._run.parameters),
        )

    def _put_together(self, digest: str, texts: CheckedTexts) -> Audit | None:
        """The audit from the scores of one under other parameters, if there is one to read."""
        number = self._patiently(lambda: self._runs.audit_of(digest))
        if number is None:
            return None
        try:
            evidence = self._audits.load(number).audit.evidence
        except StorageError:
            # Deleted meanwhile, or of another version: the models are asked.
            _LOG.info("event=stored_scores_not_read audit=%d", number)
            return None
        if any(notice.code == "score_differs" for notice in evidence.notices):
            return None
        names = [item.name for item in texts.given]
        if names != [item.name for item in evidence.context]:
            # Citations name items by their titles.
            items = tuple(
                replace(item, name=name) for item, name in zip(evidence.context, names, strict=True)
            )
            cited = find_cited(evidence.answer, evidence.sentences, items)
            evidence = replace(evidence, context=items, citations=cited)
        return assemble(replace(evidence, profile=self._run.profile), self._run.parameters)

    def _on_stage(self, stage: str, done: float) -> None:
        if time.monotonic() - self._last_beat >= _BEAT_EVERY:
            # A fault that lasts shows itself when the row is kept.
            try:
                self._beat()
            except StorageError:
                _LOG.warning("event=heartbeat_not_kept run=%d", self._run.id)

    def _beat(self) -> None:
        if not self._runs.beat(self._run.id, self._worker):
            raise _Lost
        self._last_beat = time.monotonic()

    def _patiently(self, call: Callable[[], T]) -> T:
        """``call``, again after a while when the database refuses: it may be busy."""
        for pause in self._patience:
            try:
                return call()
            except StorageError:
                _LOG.warning("event=database_refused run=%d seconds=%g", self._run.id, pause)
                time.sleep(pause)
        return call()
