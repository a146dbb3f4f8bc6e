"""Generated inputs by the hundred thousand, in rounds that go on where the last command ended.

What each property tried, and what it found, is kept in ``benchmarks/.cache/fuzz``, outside git.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.fuzz.properties import PROPERTIES
from tests.fuzz.property import Property

REPOSITORY = Path(__file__).parents[2]
STATE = REPOSITORY / "benchmarks" / ".cache" / "fuzz"
_ROUNDS = "rounds.jsonl"
_GUIDED = "guided"
_COUNT = "count.json"
_FAILED = "crash-*"
# Inputs of one round, which the properties share out.
ROUND = 2000


@dataclass(frozen=True, slots=True)
class Tried:
    """One property in one round. ``slowest``: seconds of processor that the slowest input took.
    ``failure``: how it failed, with the smallest input; "" where it held."""

    round: int
    property: str
    inputs: int
    slowest: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """What is on disk. ``tried``: the last time that each property was tried in each round.
    ``fixed``: failures of tries that held when they were made again. ``guided``: inputs chosen
    by the code that they reach; ``guided_failures``: files with those that failed."""

    tried: tuple[Tried, ...]
    fixed: int
    guided: int
    guided_failures: tuple[Path, ...]

    @property
    def inputs(self) -> int:
        """Inputs of all rounds."""
        return sum(each.inputs for each in self.tried)

    @property
    def failed(self) -> tuple[Tried, ...]:
        """Tries that do not hold."""
        return tuple(each for each in self.tried if each.failure)

    @property
    def holds(self) -> bool:
        """Whether everything was tried and held."""
        return bool(self.tried) and not (self.failed or self.guided_failures)

    def figures(self) -> list[tuple[str, str]]:
        """Rows of the page."""
        guided = [("inputs chosen by the code that they reach", f"{self.guided:,}")]
        slowest = max(self.tried, key=lambda each: each.slowest, default=None)
        return [
            ("inputs tried", f"{self.inputs:,}"),
            *(guided if self.guided else []),
            ("properties", f"{len({each.property for each in self.tried}):,}"),
            ("rounds that failed", f"{len(self.failed) + len(self.guided_failures):,}"),
            ("rounds that failed once, fixed since", f"{self.fixed:,}"),
            *(
                [("slowest input", f"{slowest.slowest:.1f} s of processor, {slowest.property}")]
                if slowest
                else []
            ),
        ]


def read_counted(state: Path = STATE) -> Counted:
    """What earlier commands tried."""
    latest: dict[tuple[int, str], Tried] = {}
    fixed = 0
    file = state / _ROUNDS
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        each = Tried(**json.loads(line))
        key = (each.round, each.property)
        fixed += bool(key in latest and latest[key].failure and not each.failure)
        latest[key] = each
    guided = [json.loads(each.read_text()) for each in sorted(state.glob(f"{_GUIDED}/*/{_COUNT}"))]
    failures = tuple(sorted(state.glob(f"{_GUIDED}/*/{_FAILED}")))
    return Counted(tuple(latest.values()), fixed, sum(guided), failures)


def try_rounds(
    inputs: int,
    minutes: float | None,
    say: Callable[[Tried], None],
    state: Path = STATE,
    properties: tuple[Property, ...] = PROPERTIES,
) -> Counted:
    """Try what is missing of ``inputs``.

    What is on disk now. First, what failed is tried again.
    """
    state.mkdir(parents=True, exist_ok=True)
    end = None if minutes is None else time.monotonic() + 60 * minutes
    counted = read_counted(state)
    total = counted.inputs
    for number, each in _missing(counted, properties):
        if total >= inputs and not _failed(counted, number, each):
            break
        if end is not None and time.monotonic() > end:
            break
        found = _try(each, number)
        with (state / _ROUNDS).open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(asdict(found))}\n")
        total += found.inputs
        say(found)
    return read_counted(state)


def _failed(counted: Counted, number: int, each: Property) -> bool:
    return any((t.round, t.property) == (number, each.name) for t in counted.failed)


def _missing(counted: Counted, properties: tuple[Property, ...]) -> Iterator[tuple[int, Property]]:
    """Failures first, then what no round has tried yet, without end."""
    by_name = {each.name: each for each in properties}
    for failed in counted.failed:
        if failed.property in by_name:
            yield failed.round, by_name[failed.property]
    done = {(each.round, each.property) for each in counted.tried}
    number = 0
    while True:
        # Round 0 is that of the tests.
        number += 1
        for each in properties:
            if (number, each.name) not in done:
                yield number, each


def _try(each: Property, number: int) -> Tried:
    before = each.tried.inputs
    each.tried.slowest = 0.0
    failure = ""
    try:
        each.try_inputs(each.share, number)
    except Exception as error:
        failure = "".join(traceback.format_exception(error))
    return Tried(number, each.name, each.tried.inputs - before, each.tried.slowest, failure)


def try_guided(inputs: int, seed: int) -> Counted:
    """``inputs`` more of each property, chosen by the code that they reach; each by a process of
    its own, as a fuzzer ends its process. ModuleNotFoundError without Atheris."""
    if importlib.util.find_spec("atheris") is None:
        raise ModuleNotFoundError("Atheris is not installed: pip install atheris")
    for number, each in enumerate(PROPERTIES):
        folder = STATE / _GUIDED / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        given = [each.name, str(folder), str(inputs), str(seed)]
        command = [sys.executable, "-m", "benchmarks.reliability.guided", *given]
        with (folder / "log.txt").open("w", encoding="utf-8") as log:
            status = subprocess.run(command, cwd=REPOSITORY, stdout=log, stderr=log, check=False)
        print(f"{each.name}: {'held' if status.returncode == 0 else f'NOT, see {log.name}'}")
    return read_counted(STATE)
