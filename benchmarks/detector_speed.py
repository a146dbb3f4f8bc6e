"""Pairs and seconds an audit of every detector: ``python -m benchmarks.detector_speed --data DIR``.

On the first rows of a seeded shuffle of the sets at hand (self-check on those with answers of other
systems), one audit after another, detectors taking turns on each row so that what else the machine
does falls on all alike. Medians, and the largest.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.speed.inputs import SETS, real_rows
from provenance_core import DETECTORS, Provenance, default_parameters
from provenance_core.errors import InputError
from provenance_core.evaluation.scorers import LEAST_OTHER_ANSWERS
from provenance_core.files.types import LabelledRow


@dataclass(slots=True)
class Measured:
    """Of each audit by one detector: pairs of texts scored for entailment, and seconds."""

    pairs: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def context_of(row: LabelledRow, detector: str) -> tuple[str, ...]:
    """What ``detector`` reads of the row; nothing where the row lacks it."""
    if DETECTORS[detector].traits.context == "context":
        return row.texts
    return row.other_answers if len(row.other_answers) >= LEAST_OTHER_ANSWERS else ()


def main() -> int:
    """Measure and print the table; status 2 without data."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of .jsonl.gz files")
    parser.add_argument("--rows", type=int, default=40, help="rows (%(default)s)")
    options = parser.parse_args()
    rows = real_rows(options.data)
    if not rows:
        print(f"error: {options.data} holds none of {', '.join(SETS)} (.jsonl.gz)", file=sys.stderr)
        return 2
    names = [name for name, detector in DETECTORS.items() if not detector.unavailable()]
    # Self-check needs rows of its own kind; the others do not mind them.
    first = rows[: options.rows]
    first += [row for row in rows[options.rows :] if context_of(row, "selfcheck")][:10]
    provenance = Provenance.load()
    provenance.audit(answer="It is red.", context=["It is red."])
    found = {name: Measured() for name in names}
    for row in first:
        for name in names:
            context = context_of(row, name)
            if not context:
                continue
            began = time.perf_counter()
            try:
                audit = provenance.audit(
                    query=row.query,
                    answer=row.answer,
                    context=list(context),
                    parameters=default_parameters(detector=name),
                )
            except InputError:
                continue
            found[name].seconds.append(time.perf_counter() - began)
            found[name].pairs.append(audit.evidence.tokens.pairs)
    print(f"{len(os.sched_getaffinity(0))} processor threads; NLI pairs and seconds an audit\n")
    print(
        f"{'detector':<20} {'audits':>6} {'pairs: median':>14} {'most':>6} "
        f"{'seconds: median':>16} {'mean':>6} {'most':>6}"
    )
    for name, measured in found.items():
        if measured.seconds:
            print(
                f"{name:<20} {len(measured.seconds):>6} {statistics.median(measured.pairs):>14.0f} "
                f"{max(measured.pairs):>6} {statistics.median(measured.seconds):>16.2f} "
                f"{statistics.mean(measured.seconds):>6.2f} {max(measured.seconds):>6.2f}"
            )
        else:
            print(f"{name:<20} no row that it applies to")
    return 0


if __name__ == "__main__":
    sys.exit(main())
