"""Contenders in processes of their own, measured in turn."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CONTENDER = Path(__file__).with_name("contender.py")
ROOT = Path(__file__).parents[2]


class ContenderFailed(Exception):
    """A contender cannot be measured; the message says why."""


@dataclass(frozen=True, slots=True)
class Contender:
    """``given``: what its process is told (``contender.py``). ``python``: the interpreter."""

    name: str
    given: dict[str, Any]
    python: str = sys.executable


@dataclass(slots=True)
class Measured:
    """What was measured of one contender. ``cold``: seconds from nothing to the first answer, of
    which ``first`` are the answer's own. ``failure``: why there is no more, or ""."""

    name: str
    cold: float = 0.0
    first: float = 0.0
    seconds: list[float] = field(default_factory=list)
    mebibytes: float = 0.0
    scores: list[list[float]] = field(default_factory=list)
    failure: str = ""


class Process:
    """A running contender. Use it as a context manager: it ends with the block."""

    def __init__(self, contender: Contender, limit: float, log: Path) -> None:
        self._limit = limit
        self._log = log
        self._out = log.open("w", encoding="utf-8")
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [contender.python, str(CONTENDER), json.dumps(contender.given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._out,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Its answer. ContenderFailed when it ends, or takes longer than the limit."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ContenderFailed(self._last_words()) from None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(self._limit):
                raise ContenderFailed(f"more than {self._limit:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            raise ContenderFailed(self._last_words())
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._out.close()

    def _last_words(self) -> str:
        self._process.wait()
        lines = self._log.read_text(encoding="utf-8").strip().splitlines()
        return (lines or ["it ended without a word"])[-1][:200]


def in_turn(
    contenders: list[Contender], request: dict[str, Any], rounds: int, limit: float, scratch: Path
) -> list[Measured]:
    """Start each, have it answer ``request`` once, then ``rounds`` times more in turn, so that what
    else the machine does meets all of them alike. ``limit``: seconds of one answer."""
    found = [Measured(each.name) for each in contenders]
    running: list[Process] = []
    try:
        for number, (each, measured) in enumerate(zip(contenders, found, strict=True)):
            start = time.perf_counter()
            process = Process(each, limit, scratch / f"contender-{number}.log")
            running.append(process)
            first = {"pairs": request["pairs"][:1]} if "pairs" in request else {}
            _answer(process, measured, {**request, **first})
            measured.cold = time.perf_counter() - start
            measured.first = sum(measured.seconds)
            measured.seconds.clear()
        for turn in range(rounds):
            for process, measured in zip(running, found, strict=True):
                if not measured.failure:
                    _answer(process, measured, {**request, "scores": turn == 0})
    finally:
        for process in running:
            process.close()
    return found


def _answer(process: Process, measured: Measured, request: dict[str, Any]) -> None:
    try:
        answer = process.ask(request)
    except ContenderFailed as failure:
        measured.failure = str(failure)
        return
    measured.seconds.append(answer["seconds"])
    measured.mebibytes = answer["mebibytes"] or 0.0
    measured.scores = answer.get("scores") or measured.scores
