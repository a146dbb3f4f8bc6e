"""Whether memory, handles, threads and child processes grow with the work that is done."""

from __future__ import annotations

import gc
import logging
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
from streamlit.testing.v1 import AppTest

from benchmarks.page_openings import reading_database
from benchmarks.reliability.victims import APP, answer
from provenance_core import Parameters, Provenance
from provenance_core.files.types import BatchRow
from provenance_core.models.pair_memory import PairMemory
from storage import AuditStore, NewRun, PairScoreStore, RunStatus, RunStore
from storage.worker.process import start_worker

# What memory may grow by between the first quarter and the end.
MOST_GROWTH = 0.05
_PAGES = ("audit", "batch", "review", "history", "thresholds", "compare", "benchmarks", "models")
_MEBIBYTE = 2**20
_ROWS = 50


@dataclass(frozen=True, slots=True)
class Use:
    """What this process holds. ``memory``: resident bytes; ``handles``: open files and sockets."""

    memory: int
    handles: int
    threads: int
    children: int

    @property
    def text(self) -> str:
        """In words."""
        return (
            f"{self.memory / _MEBIBYTE:,.0f} MiB, {self.handles} handles, {self.threads} threads, "
            f"{self.children} child processes"
        )


@dataclass(frozen=True, slots=True)
class Load:
    """``count`` times the same work. ``before``: what was held after its first quarter, when every
    library is loaded and every cache is warm; ``after``: at the end."""

    work: str
    count: int
    before: Use
    after: Use

    @property
    def growth(self) -> float:
        """Share by which memory grew."""
        return self.after.memory / self.before.memory - 1

    @property
    def flat(self) -> bool:
        """Whether nothing grew with the work."""
        same = (
            self.after.handles <= self.before.handles,
            self.after.threads <= self.before.threads,
            self.after.children <= self.before.children,
        )
        return all(same) and self.growth <= MOST_GROWTH

    def figures(self) -> list[tuple[str, str]]:
        """A row of the page each: the count, and what was held before and after."""
        a, b = self.before, self.after
        return [
            (self.work, f"{self.count:,}"),
            (
                f"{self.work}: memory after a quarter, at the end",
                f"{a.memory / _MEBIBYTE:,.0f} MiB, {b.memory / _MEBIBYTE:,.0f} MiB "
                f"({self.growth:+.1%})",
            ),
            (
                f"{self.work}: handles, threads, child processes",
                f"{a.handles}, {a.threads}, {a.children}; at the end {b.handles}, {b.threads}, "
                f"{b.children}",
            ),
        ]


def measure(
    audits: int, batches: int, pages: int, say: Callable[[str], None] | None = None
) -> list[Load]:
    """Audit and save, start and cancel batches, and open pages, that many times each.

    One for each kind of work that was done.
    """
    with (
        _quiet(),
        tempfile.TemporaryDirectory() as folder,
        reading_database(f"sqlite:///{folder}/load.db"),
    ):
        works: list[tuple[str, int, Callable[[int], None]]] = [
            ("audits that are saved", audits, _auditing()),
            ("batches started and cancelled", batches, _batch),
            ("page openings", pages, _open_page),
        ]
        return [repeated(name, count, work, say) for name, count, work in works if count]


@contextmanager
def _quiet() -> Iterator[None]:
    """No line of the log below an error."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def repeated(
    name: str,
    count: int,
    work: Callable[[int], None],
    say: Callable[[str], None] | None = None,
) -> Load:
    """``work`` with the numbers from 1 to ``count``, and what the process held; ``say`` is told
    after each tenth, where it is given."""
    before = None
    for number in range(1, count + 1):
        work(number)
        if number == max(count // 4, 1):
            before = in_use()
        if say is not None and number % max(count // 10, 1) == 0:
            say(f"{name}, {number:,}: {in_use().text}")
    assert before is not None
    return Load(name, count, before, in_use())


def in_use() -> Use:
    """What this process holds now, garbage collected."""
    gc.collect()
    process = psutil.Process()
    return Use(
        process.memory_info().rss,
        process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
        process.num_threads(),
        len(process.children(recursive=True)),
    )


def _auditing() -> Callable[[int], None]:
    provenance, store = Provenance.load("embedded"), AuditStore.open()

    def audit(number: int) -> None:
        memory = PairMemory(PairScoreStore.open())
        store.save(
            provenance.audit(
                answer=f"{answer(number)} It is big.",
                context=[f"Room {number} is red.", f"Room {number} is not small."],
                memory=memory,
            )
        )
        memory.hand_over()

    return audit


def _batch(number: int) -> None:
    """A run whose worker is cancelled once it has taken it, and ends by itself."""
    runs = RunStore.open()
    rows = [BatchRow(n, "", (answer(n),), f"{answer(n)} {number}") for n in range(1, _ROWS + 1)]
    new = NewRun(f"run {number}", "rows.jsonl", "rows", (), "embedded", Parameters())
    run = runs.create(new, rows, [])
    worker = start_worker(run)
    while runs.get(run).worker is None and worker.poll() is None:
        time.sleep(0.02)
    runs.cancel(run)
    worker.wait()
    if runs.get(run).status is not RunStatus.CANCELLED:
        raise RuntimeError(f"run {run} is {runs.get(run).status}")


def _open_page(number: int) -> None:
    app = AppTest.from_file(APP, default_timeout=600)
    app.switch_page(f"pages/{_PAGES[number % len(_PAGES)]}.py")
    app.run()
    if app.exception:
        raise RuntimeError(app.exception[0].value)
