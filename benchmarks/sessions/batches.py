"""Several batches of the command line into one new database at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.served_app import ROOT
from benchmarks.sessions.measured import Finding
from benchmarks.sessions.texts import own_word, owned_texts
from storage import AuditFilter, AuditStore, RunStatus, RunStore
from storage.errors import DATABASE_URL_VARIABLE


def batches_together(url: str, folder: Path, batches: int, rows: int) -> Finding:
    """``batches`` commands, each over ``rows`` rows of its own, started at once."""
    wanted: Counter[str] = Counter()
    commands = []
    for number in range(batches):
        texts = [owned_texts(own_word(number, "row"), n) for n in range(rows)]
        wanted.update(each.answer for each in texts)
        file = folder / f"batch-{number}.jsonl"
        lines = (
            json.dumps({"query": each.query, "context": each.context, "answer": each.answer})
            for each in texts
        )
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "provenance_core", "batch", str(file)]
        commands.append([*command, "--run", f"run {number}", "--profile", "embedded"])
    environment = {**os.environ, DATABASE_URL_VARIABLE: url}
    start = time.perf_counter()
    running = [
        subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for command in commands
    ]
    said = [each.communicate()[0] for each in running]
    seconds = time.perf_counter() - start
    problems = []
    for number, (each, text) in enumerate(zip(running, said, strict=True)):
        if each.returncode:
            problems.append(f"batch {number} ended with status {each.returncode}: {text[-600:]}")
        elif "locked" in text:
            problems.append(f"batch {number} says: {text[-600:]}")
    problems += _kept_wrong(url, wanted, batches)
    return Finding(
        f"{batches} batches of the command line into one new database at once, {rows} rows each",
        (f"{batches * rows / seconds:.1f} rows a second together, with start and model load",),
        tuple(problems),
    )


def _kept_wrong(url: str, wanted: Counter[str], batches: int) -> list[str]:
    audits = AuditStore.open(url)
    problems = []
    runs = RunStore.open(url).page().runs
    done = [run for run in runs if run.status is RunStatus.DONE]
    if len(done) != batches:
        states = ", ".join(f"{run.name}: {run.status}" for run in runs)
        problems.append(f"{len(done)} of {batches} runs are done ({states})")
    kept = Counter(row.answer for row in audits.rows(audits.numbers(AuditFilter())))
    problems += [f"lost: {answer}" for answer in wanted - kept]
    problems += [f"written twice: {answer}" for answer in kept - wanted]
    return problems
