"""A piece of work in a thread of its own, which whoever waits for it can give up at any time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Event, Thread
from typing import Generic, TypeVar

from provenance_core.progress import Progress

ResultT = TypeVar("ResultT")


class _GivenUp(Exception):
    """Raised in the work where it reports how far it is, once nobody waits for it."""


@dataclass(frozen=True, slots=True)
class HowFar:
    """The stage of a work, and the share of it that is done, in [0, 1]."""

    stage: str
    share: float


class StoppableWork(Generic[ResultT]):
    """Begins ``work`` at once.

    Examples
    --------
    >>> work = StoppableWork(lambda progress: 6 * 7)
    >>> while not work.ended_within(1.0):
    ...     print(work.how_far)
    >>> work.result()
    42
    """

    def __init__(self, work: Callable[[Progress], ResultT]) -> None:
        self._work = work
        self._given_up = Event()
        self._result: Future[ResultT] = Future()
        self.how_far = HowFar("Starting", 0.0)
        # The process need not wait for it when it ends.
        Thread(target=self._run, daemon=True, name="stoppable-work").start()

    def ended_within(self, seconds: float) -> bool:
        """Wait for the end of the work.

        Whether it has ended.
        """
        return bool(wait([self._result], seconds).done)

    def result(self) -> ResultT:
        """Give what the work returned, after its end.

        Its result. Raises Exception What the work raised.
        """
        return self._result.result()

    def give_up(self) -> None:
        """Have the work end where it next reports its progress; its result is lost."""
        self._given_up.set()

    def _report(self, stage: str, share: float) -> None:
        if self._given_up.is_set():
            raise _GivenUp
        self.how_far = HowFar(stage, share)

    def _run(self) -> None:
        try:
            self._result.set_result(self._work(Progress(self._report)))
        except BaseException as error:
            self._result.set_exception(error)
