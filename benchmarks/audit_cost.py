"""Audits a second a core, and a million audits: ``python -m benchmarks.audit_cost --data DIR``.

Audits of three sentences with contexts of three sizes, one thread, after a first audit that loads
the models. What counts is processor time, which other programs on the machine take no part in,
though they do make a core slower. The rest is arithmetic, with an hourly price that is assumed:

    hours = 1,000,000 * core seconds / cores / 3600;  cost = hours * price

``--machine NAME CORES PRICE`` puts machines and prices in the place of the assumed ones. Cores are
whole ones: a virtual processor that is one of two threads of a core counts half.
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow
import pyarrow.parquet

from benchmarks.machine import machine_lines
from benchmarks.speed.inputs import SETS, real_rows
from provenance_core import Provenance
from provenance_core.audit.serialization import audit_to_json
from provenance_core.files.types import LabelledRow
from provenance_core.text.splitting import sentence_bounds

AUDITS = 1_000_000
WORDS = (100, 1_000, 5_000)
_WORDS_AN_ITEM = 100
_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine to rent. ``cores``: whole ones. ``price``: dollars an hour, assumed."""

    name: str
    cores: int
    price: float


# List prices on demand as remembered, not looked up: they differ by region and day.
MACHINES = (
    Machine("AWS c7a.4xlarge", 16, 0.82),
    Machine("AWS c7a.16xlarge", 64, 3.28),
    Machine("Azure F16als v6", 16, 0.72),
    Machine("Google c3d-highcpu-16", 8, 0.65),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Audits of one size of context. ``seconds``: of processor time, each. ``chunks``: the median.
    ``bytes``: of an audit in Parquet, as ``batch --out`` compresses it, the mean."""

    words: int
    seconds: tuple[float, ...]
    chunks: int
    bytes: int

    @property
    def mean(self) -> float:
        """Core seconds an audit, which a million of them add up to."""
        return statistics.mean(self.seconds)


def request(rows: Sequence[LabelledRow], at: int, words: int) -> dict[str, object]:
    """Query, answer of three sentences and context of ``words`` words of the row ``at``, filled up
    from the rows after it."""
    turned = [*rows[at:], *rows[:at]]
    context: list[str] = []
    answer: list[str] = []
    for row in turned:
        if len(context) < words:
            context += " ".join(row.context).split()
        if len(answer) < _SENTENCES:
            answer += [row.answer[a:b].strip() for a, b in sentence_bounds(row.answer)]
        if len(context) >= words and len(answer) >= _SENTENCES:
            break
    cut = context[:words]
    items = range(0, len(cut), _WORDS_AN_ITEM)
    return {
        "query": turned[0].query,
        "answer": " ".join(answer[:_SENTENCES]),
        "context": [" ".join(cut[at : at + _WORDS_AN_ITEM]) for at in items],
    }


def measure(
    provenance: Provenance, rows: Sequence[LabelledRow], words: int, audits: int
) -> Measured:
    """Processor time of so many audits of different rows."""
    seconds, chunks, texts = [], [], []
    for number in range(audits):
        given = request(rows, number * len(rows) // audits, words)
        began = time.process_time()
        audit = provenance.audit(**given)  # type: ignore[arg-type]
        seconds.append(time.process_time() - began)
        chunks.append(len(audit.evidence.chunks))
        texts.append(audit_to_json(audit))
    written = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"audit": texts}), written, compression="zstd")
    return Measured(
        words,
        tuple(seconds),
        round(statistics.median(chunks)),
        len(written.getvalue()) // audits,
    )


def lines_of(found: Sequence[Measured], machines: Sequence[Machine]) -> list[str]:
    """The two tables: what was measured, and what a million audits take by it."""
    lines = [
        f"{'context, words':>14} {'chunks':>7} {'audits':>7} {'core s: median':>15} {'mean':>7} "
        f"{'audits/s a core':>16} {'KB an audit':>12}"
    ]
    lines += [
        f"{each.words:>14,} {each.chunks:>7} {len(each.seconds):>7} "
        f"{statistics.median(each.seconds):>15.3f} {each.mean:>7.3f} {1 / each.mean:>16.2f} "
        f"{each.bytes / 1000:>12.0f}"
        for each in found
    ]
    lines += ["", f"{AUDITS:,} audits"]
    lines.append(f"{'machine':<22} {'cores':>5} {'assumed $/h':>12} " + " ".join(
        f"{f'{each.words:,} words':>18}" for each in found
    ))  # fmt: skip
    for machine in machines:
        cells = []
        for each in found:
            hours = AUDITS * each.mean / machine.cores / 3600
            cells.append(f"{f'{hours:,.1f} h, ${hours * machine.price:,.0f}':>18}")
        lines.append(
            f"{machine.name:<22} {machine.cores:>5} {machine.price:>12.2f} " + " ".join(cells)
        )
    return lines


def main() -> int:
    """Measure and print; status 2 without data."""
    summary, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.audit_cost",
        description=summary,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of .jsonl.gz files")
    parser.add_argument("--profile", nargs="+", default=["embedded", "cascade"])
    parser.add_argument("--audits", type=int, default=30, help="of each size (%(default)s)")
    parser.add_argument(
        "--machine",
        nargs=3,
        action="append",
        metavar=("NAME", "CORES", "PRICE"),
        help="a machine, its whole cores, and dollars an hour",
    )
    options = parser.parse_args()
    given = [
        Machine(name, int(cores), float(price)) for name, cores, price in options.machine or ()
    ]
    rows = real_rows(options.data)
    if not rows:
        print(f"error: {options.data} holds none of {', '.join(SETS)} (.jsonl.gz)", file=sys.stderr)
        return 2
    # One thread, as a scorer with one core.
    os.environ["OMP_NUM_THREADS"] = "1"
    print("\n".join(machine_lines()))
    for profile in options.profile:
        provenance = Provenance.load(profile)
        provenance.audit(answer="It is red.", context=["It is red."])
        found = [measure(provenance, rows, words, options.audits) for words in WORDS]
        print(f"\nprofile {profile}, {_SENTENCES} sentences an answer, one thread")
        print("\n".join(lines_of(found, given or MACHINES)), flush=True)
    print(f"\n{machine_lines()[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
