"""Memory, handles, threads and child processes over time: a short count, and that a leak shows."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.reliability.load import Load, Use, measure, repeated

FLAT = Load("work", 8, Use(100, 10, 3, 0), Use(104, 10, 3, 0))


@pytest.mark.parametrize(
    ("after", "flat"),
    [
        (Use(104, 10, 3, 0), True),
        (Use(90, 9, 2, 0), True),
        (Use(106, 10, 3, 0), False),
        (Use(104, 11, 3, 0), False),
        (Use(104, 10, 4, 0), False),
        (Use(104, 10, 3, 1), False),
    ],
)
def test_what_counts_as_a_leak(after: Use, flat: bool) -> None:
    assert replace(FLAT, after=after).flat is flat


def test_a_leak_is_seen(tmp_path: Path) -> None:
    kept: list[object] = []
    ended = threading.Event()

    def leak(number: int) -> None:
        kept.append((tmp_path / f"{number}").open("w"))
        kept.append(bytearray(b"x" * 40_000_000))
        thread = threading.Thread(target=ended.wait)
        thread.start()

    sleep = [sys.executable, "-c", "import sys; sys.stdin.read()"]

    def child(number: int) -> None:
        kept.append(subprocess.Popen(sleep, stdin=subprocess.PIPE))

    found = repeated("leaks", 8, leak)
    children = repeated("children", 4, child)
    ended.set()
    for each in kept:
        if isinstance(each, subprocess.Popen):
            each.communicate()
        elif isinstance(each, io.TextIOBase):
            each.close()
    assert found.after.handles == found.before.handles + 6
    assert found.after.threads == found.before.threads + 6
    assert found.after.memory > found.before.memory + 50_000_000
    assert children.after.children == children.before.children + 3
    assert not found.flat


def test_audits_leak_nothing() -> None:
    (audits,) = measure(audits=60, batches=0, pages=0)
    assert audits.flat, audits


def test_what_is_held_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.reliability.load.in_use", lambda: FLAT.before)
    said: list[str] = []
    repeated("work", 2, lambda number: None, said.append)
    assert [each.partition(":")[0] for each in said] == ["work, 1", "work, 2"]


@pytest.mark.slow
def test_batches_and_pages_leak_nothing() -> None:
    said: list[str] = []
    for each in measure(audits=0, batches=6, pages=80, say=said.append):
        assert each.flat, each
    assert said[-1].startswith("page openings, 80: ")
