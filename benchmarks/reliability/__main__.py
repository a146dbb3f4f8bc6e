"""``python -m benchmarks.reliability PART``: count, print, and write RELIABILITY.md.

The parts are the commands ``kills``, ``fuzz`` and ``payloads``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import processor
from benchmarks.reliability.kills import Moment, kill_often
from benchmarks.reliability.report import Part, keep
from provenance_core import Provenance

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
    from tests.fuzz.properties import PROPERTIES

    failed = 0
    number = options.seed or time.time_ns() % 2**31
    for each in PROPERTIES:
        try:
            each.try_inputs(each.share * options.inputs // 2000, number)
        except Exception as error:
            failed += 1
            traceback.print_exception(error)
        print(f"{each.name}: {each.tried.inputs:,}", flush=True)
    slowest = max(PROPERTIES, key=lambda each: each.tried.slowest)
    figures = [
        ("inputs tried", f"{sum(each.tried.inputs for each in PROPERTIES):,}"),
        ("properties", f"{len(PROPERTIES):,}"),
        ("properties that failed", f"{failed:,}"),
        ("slowest input", f"{slowest.tried.slowest:.1f} s of processor, {slowest.name}"),
    ]
    return figures, not failed


def _payloads(options: argparse.Namespace) -> tuple[Figures, bool]:
    from tests.browser_app import CHROMIUM
    from tests.hostile.payloads import few, payloads
    from tests.hostile.tour import PAGES, Seen, Tour

    if CHROMIUM is None:
        raise SystemExit("Chromium is not on this machine: install it.")
    texts = payloads() if options.payloads >= len(payloads()) else few(options.payloads)
    found: list[Seen] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        tour = Tour(folder, Provenance.load("embedded"), texts, options.group)
        with tour.served() as address:
            for name in options.pages or PAGES:
                seen = tour.visit(name, address, folder / "profiles" / name)
                found.append(seen)
                print(seen.page, seen.looks, seen.shown, *seen.wrong, sep="\n  ", flush=True)
    figures = [("payloads", f"{len(texts):,}")]
    figures += [
        (
            seen.page,
            f"{seen.looks:,} views with {seen.shown:,} texts, {seen.requests:,} requests; "
            f"{len(seen.wrong):,} times one ran, left its place or asked another machine",
        )
        for seen in found
    ]
    return figures, not any(seen.wrong for seen in found)


def main() -> int:
    """Run one part; 1 when something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reliability", description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    kills = parts.add_parser("kills", help="SIGKILL at random moments")
    kills.add_argument("--moments", type=int, default=100)
    kills.add_argument("--seed", type=int, default=0, help="default: from the clock")
    kills.set_defaults(run=_kills)
    fuzz = parts.add_parser("fuzz", help="generated inputs")
    fuzz.add_argument("--inputs", type=int, default=100_000, help="of all properties together")
    fuzz.add_argument("--seed", type=int, default=0, help="default: from the clock")
    fuzz.set_defaults(run=_fuzz)
    hostile = parts.add_parser("payloads", help="hostile texts in a browser")
    hostile.add_argument("--payloads", type=int, default=200)
    hostile.add_argument("--group", type=int, default=50, help="texts shown at a time")
    hostile.add_argument("--pages", nargs="*", help="default: all, with reports and exports")
    hostile.set_defaults(run=_payloads)
    options = parser.parse_args()
    figures, holds = options.run(options)
    keep(
        Part(
            options.part,
            " ".join(["python -m benchmarks.reliability", *sys.argv[1:]]),
            datetime.now(UTC).date().isoformat(),
            f"{os.cpu_count()} cores of {processor()}",
            tuple(figures),
            holds,
        )
    )
    for name, value in figures:
        print(f"{name}: {value}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
