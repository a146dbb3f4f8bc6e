"""A property: what must hold of every input of a kind, and how it is tried on many."""

from __future__ import annotations

import functools
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

# Seconds of processor that one input may take before it counts as endless: inputs are a few
# kilobytes, which take milliseconds.
ENDLESS = 120


@dataclass(slots=True)
class Tried:
    """``inputs``: how many were tried. ``slowest``: most seconds of processor that one took."""

    inputs: int = 0
    slowest: float = 0.0


@dataclass(frozen=True, slots=True)
class Property:
    """``check`` is called with a value of each of ``inputs`` by its name, and raises where the
    property does not hold. ``share``: inputs out of 2,000 that are its."""

    name: str
    check: Callable[..., None]
    inputs: Mapping[str, SearchStrategy[object]]
    share: int
    tried: Tried = field(default_factory=Tried, compare=False)

    def try_inputs(self, count: int, number: int) -> None:
        """Try ``count`` inputs, the same for the same ``number``; raises what ``check`` raised,
        with a note of the smallest input that was found."""
        self._test(count, number)()

    def _test(self, count: int, number: int) -> Callable[[], None]:
        @functools.wraps(self.check)
        def counted(**given_inputs: object) -> None:
            self.tried.inputs += 1
            started = time.process_time()
            try:
                with _ended_in_time():
                    self.check(**given_inputs)
            except Exception as error:
                error.add_note(f"{self.name}: {given_inputs!r}")
                raise
            self.tried.slowest = max(self.tried.slowest, time.process_time() - started)

        chosen = settings(
            max_examples=count,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate, Phase.shrink],
            report_multiple_bugs=False,
        )
        test: Callable[[], None] = seed(number)(chosen(given(**self.inputs)(counted)))
        return test


@contextmanager
def _ended_in_time() -> Iterator[None]:
    """TimeoutError in work that does not end, where the system has such a clock."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def refuse(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"one input takes more than {ENDLESS} seconds of processor")

    before = signal.signal(signal.SIGPROF, refuse)
    signal.setitimer(signal.ITIMER_PROF, ENDLESS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
