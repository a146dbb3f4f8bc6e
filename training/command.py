"""What both training commands do before they train: read arguments, build data, check
contamination."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from training.contamination import check
from training.data_folder import add_data_option

Build = Callable[[Path, Path], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """The folder of the built files, and what the command line chose (no steps: the default)."""

    runs: Path
    steps: int | None
    threads: int

    def rows(self, name: str) -> list[dict]:
        """The rows of a built file."""
        with (self.runs / name).open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def prepare(description: str | None, builds: Mapping[str, Build]) -> Prepared:
    """Parse the command line, build the files that are missing, in their order, check them.

    Exits with a message when a training pair occurs in an evaluation set.
    """
    parser = argparse.ArgumentParser(description=description)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--steps", type=int, help="of the last stage (default: the module's)")
    parser.add_argument("--threads", type=int, default=2, help="(%(default)s)")
    arguments = parser.parse_args()
    for name, build in builds.items():
        if not (arguments.runs / name).exists():
            build(arguments.data, arguments.runs)
    if check(arguments.runs, arguments.data):
        sys.exit("Training pairs occur in an evaluation set: not training.")
    return Prepared(arguments.runs, arguments.steps, arguments.threads)
