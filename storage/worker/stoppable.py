"""Work in a thread of its own, which whoever waits for it can cancel at any time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from threading import Event, Thread
from typing import Generic, TypeVar

from provenance_core.progress import Progress

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class StageShare:
    """The stage that the work is at, and the share of it that is done, in [0, 1]."""

    stage: str
    share: float


class StoppableWork(Generic[ResultT]):
    """Starts ``work`` at once.

    >>> work = StoppableWork(lambda progress: 6 * 7)
    >>> while not work.wait(1.0):
    ...     print(work.progress)
    >>> work.result()
    42
    """

    def __init__(self, work: Callable[[Progress], ResultT]) -> None:
        self._work = work
        self._canceled = Event()
        self._future: Future[ResultT] = Future()
        self.result = self._future.result  # waits for the end; raises what the work raised
        self.cancel = self._canceled.set  # the work ends at its next report; its result is lost
        self.progress = StageShare("Starting", 0.0)
        # A daemon: the process need not wait for it when it ends.
        Thread(target=self._run, daemon=True, name="stoppable-work").start()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; return whether the work has ended."""
        return bool(wait([self._future], seconds).done)

    def _report(self, stage: str, share: float) -> None:
        if self._canceled.is_set():
            raise CancelledError
        self.progress = StageShare(stage, share)

    def _run(self) -> None:
        try:
            self._future.set_result(self._work(Progress(self._report)))
        except BaseException as error:
            self._future.set_exception(error)
