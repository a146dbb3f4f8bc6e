"""How the seconds of an audit grow with its chunks and its sentences, and those of a file and their
memory with its rows: profile ``embedded``, each size once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.speed.contenders import profiles
from benchmarks.speed.inputs import answer_of, long_context
from benchmarks.speed.processes import ROOT, in_turn
from provenance_core.files.types import LabelledRow

CHUNKS = (10, 100, 1_000, 5_000)
SENTENCES = (1, 3, 10, 30)
ROWS = (20, 100, 400, 800, 1_600)
_KIBI = 1024


def growth_lines(
    rows: list[LabelledRow], request: Mapping[str, object], limit: float, scratch: Path
) -> list[str]:
    """Three short tables. ``request``: query, answer and context of an audit. ``limit``: seconds of
    one size, at most; a longer one is said not to be measured, and ends its table."""
    return [
        "Seconds of an audit of 3 sentences by its chunks, profile embedded, once each",
        *_audit_lines("chunk", {n: {"context": long_context(rows, n)} for n in CHUNKS}, request,
                      limit, scratch),
        "",
        "Seconds of an audit of 10 items of 100 words by the sentences of its answer",
        *_audit_lines("sentence", {n: {"answer": answer_of(rows, n)} for n in SENTENCES}, request,
                      limit, scratch),
        "",
        "Seconds of a file by its rows, real ones, from nothing to the end of the run",
        *_file_lines(rows, limit, scratch),
    ]  # fmt: skip


def _audit_lines(
    what: str,
    sizes: Mapping[int, Mapping[str, object]],
    request: Mapping[str, object],
    limit: float,
    scratch: Path,
) -> list[str]:
    lines: list[str] = []
    for size, other in sizes.items():
        (found,) = in_turn(profiles()[:1], {**request, **other}, 0, limit, scratch)
        if found.failure:
            return [*lines, f"{size:6,}  not measured: {found.failure}"]
        # Only the first answer was asked for: start and load are not part of it.
        lines.append(
            f"{size:6,}  {found.first:8.2f} s, {1000 * found.first / size:6.1f} ms a {what}, "
            f"{found.mebibytes:,.0f} MiB"
        )
    return lines


def _file_lines(rows: Sequence[LabelledRow], limit: float, scratch: Path) -> list[str]:
    lines: list[str] = []
    for size in ROWS:
        file = scratch / f"rows_{size}.jsonl"
        given = ({"query": r.query, "context": r.texts, "answer": r.answer} for r in rows[:size])
        file.write_text("".join(json.dumps(each) + "\n" for each in given), encoding="utf-8")
        command = [sys.executable, "-m", "provenance_core", "batch", str(file)]
        command += ["--run", str(size), "--profile", "embedded"]
        store = {"PROVENANCE_DATABASE_URL": f"sqlite:///{scratch / f'rows_{size}.db'}"}
        start = time.perf_counter()
        running = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **store}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        _, status, used = os.wait4(running.pid, 0)
        seconds = time.perf_counter() - start
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode:
            return [*lines, f"{size:6,}  not measured: exit status {running.returncode}"]
        lines.append(
            f"{size:6,}  {seconds:8.2f} s, {1000 * seconds / size:6.1f} ms a row, "
            f"{used.ru_maxrss / _KIBI:,.0f} MiB"
        )
        if seconds > limit:
            return lines
    return lines
