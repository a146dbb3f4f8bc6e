"""``python -m benchmarks.reliability PART``: count, print, and write RELIABILITY.md.

The parts are the commands ``kills``, ``fuzz``, ``payloads`` and ``load``.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.reliability.kills import Moment, kill_often
from benchmarks.reliability.load import Load, measure
from benchmarks.reliability.report import Part, keep

REPOSITORY = Path(__file__).parents[2]
Figures = list[tuple[str, str]]


def _kills(options: argparse.Namespace) -> tuple[Figures, bool]:
    seed = options.seed or time.time_ns()

    def say(moment: Moment) -> None:
        print(f"{'survived' if moment.survived else 'NOT'} {moment}", flush=True)

    moments = kill_often(options.moments, seed, say)
    each = Counter(moment.action for moment in moments)
    figures = [
        ("moments", f"{len(moments):,} ({', '.join(f'{n} {a}' for a, n in each.items())})"),
        ("seed", f"{seed}"),
        ("writes acknowledged before the kill", f"{sum(m.acknowledged for m in moments):,}"),
        ("acknowledged writes lost", f"{sum(m.lost for m in moments):,}"),
        ("written twice", f"{sum(m.doubled for m in moments):,}"),
        (
            "damaged databases, half files, work not taken up again",
            f"{sum(bool(m.problems) for m in moments):,}",
        ),
    ]
    return figures, all(moment.survived for moment in moments)


def _fuzz(options: argparse.Namespace) -> tuple[Figures, bool]:
    from benchmarks.reliability.fuzzing import Tried, read_counted, try_guided, try_rounds

    def say(each: Tried) -> None:
        print(f"round {each.round}, {each.property}: {each.inputs} {each.failure}", flush=True)

    if options.guided:
        try_guided(options.guided, options.seed or time.time_ns() % 2**31)
    found = try_rounds(options.inputs, options.minutes, say) if options.inputs else read_counted()
    return found.figures(), found.holds


def _payloads(_options: argparse.Namespace) -> tuple[Figures, bool]:
    from tests.payloads import payloads

    tests = _pytest(["tests/browser/test_browser_hostile_text.py", "-m", "browser"], {})
    figures = [
        ("payloads", f"{len(payloads()):,}"),
        *((name, f"{value:,}") for name, value in tests.counted.items()),
        ("tests", f"{tests.run:,}"),
        ("tests that failed", f"{tests.failed:,}"),
        ("tests skipped", f"{tests.skipped:,}"),
    ]
    return figures, not (tests.failed or tests.skipped)


def _load(options: argparse.Namespace) -> tuple[Figures, bool]:
    found: list[Load] = measure(options.audits, options.batches, options.pages)
    figures: Figures = []
    for each in found:
        print(each, flush=True)
        figures += each.figures()
    return figures, all(each.flat for each in found)


class _Tests:
    """What a run of pytest says in its JUnit file."""

    def __init__(self, file: Path) -> None:
        suite = ElementTree.parse(file).getroot()[0]
        self.skipped = int(suite.get("skipped", 0))
        self.run = int(suite.get("tests", 0)) - self.skipped
        self.failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        self.seconds = float(suite.get("time", 0))
        self.counted: Counter[str] = Counter()
        for each in suite.iter("property"):
            # Hypothesis has properties of its own, which are no counts.
            if (value := str(each.get("value"))).isdecimal():
                self.counted[str(each.get("name"))] += int(value)


def _pytest(arguments: Sequence[str], environment: dict[str, str]) -> _Tests:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "tests.xml"
        command = [sys.executable, "-m", "pytest", "-q", *arguments, f"--junitxml={out}"]
        subprocess.run(command, cwd=REPOSITORY, env={**os.environ, **environment}, check=False)
        return _Tests(out)


def _machine() -> str:
    names = re.findall(r"model name\s*: (.+)", _read(Path("/proc/cpuinfo")))
    return f"{os.cpu_count()} cores of {names[0] if names else platform.machine()}"


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def main() -> int:
    """Run one part; 1 when something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reliability", description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    kills = parts.add_parser("kills", help="SIGKILL at random moments")
    kills.add_argument("--moments", type=int, default=100)
    kills.add_argument("--seed", type=int, default=0, help="default: from the clock")
    kills.set_defaults(run=_kills)
    fuzz = parts.add_parser("fuzz", help="generated inputs")
    fuzz.add_argument(
        "--inputs", type=int, default=100_000, help="of all commands together; 0 tries none"
    )
    fuzz.add_argument("--minutes", type=float, help="end after so many; the next command goes on")
    fuzz.add_argument(
        "--guided", type=int, default=0, help="inputs a property that Atheris chooses (default: 0)"
    )
    fuzz.add_argument("--seed", type=int, default=0, help="of --guided; default: from the clock")
    fuzz.set_defaults(run=_fuzz)
    parts.add_parser("payloads", help="hostile texts in a browser").set_defaults(run=_payloads)
    load = parts.add_parser("load", help="memory, handles, threads and processes over time")
    load.add_argument("--audits", type=int, default=5_000)
    load.add_argument("--batches", type=int, default=200)
    load.add_argument("--pages", type=int, default=2_000)
    load.set_defaults(run=_load)
    options = parser.parse_args()
    figures, holds = options.run(options)
    keep(
        Part(
            options.part,
            " ".join(["python -m benchmarks.reliability", *sys.argv[1:]]),
            datetime.now(UTC).date().isoformat(),
            _machine(),
            tuple(figures),
            holds,
        )
    )
    for name, value in figures:
        print(f"{name}: {value}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
