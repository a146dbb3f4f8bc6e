"""What both training commands do before they train: arguments, data, contamination check."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from training.contamination import check


@dataclass(frozen=True, slots=True)
class Prepared:
    """The rows to train on, the run's folder, and what the command line chose."""

    rows: list[dict]
    run: Path
    steps: int
    threads: int


def prepare(
    task: str, description: str | None, steps: int, build: Callable[[Path, Path], None]
) -> Prepared:
    """Parse the command line of ``task``, build its files where they are missing, check them.

    Exits with a message when a training pair occurs in an evaluation set.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--steps", type=int, default=steps, help="(%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="(%(default)s)")
    arguments = parser.parse_args()
    source = arguments.runs / f"{task}_train.jsonl"
    if not source.exists():
        build(arguments.data, arguments.runs)
    if check(arguments.runs, arguments.data):
        sys.exit("Training pairs occur in an evaluation set: not training.")
    with source.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return Prepared(rows, arguments.runs / task, arguments.steps, arguments.threads)
