"""Audits that read every chunk beside audits that read the sources only:
``python -m benchmarks.sources_only DATA/dev``.

Audits answers of ``data/dev`` whose context has more chunks than selection keeps both ways, with
the models of the profile, and prints for each profile the AUC of both, how many scores and verdicts
differ and by how much, the cells that were read, and the factor in the processor time of an audit.
Of the other answers both ways read the same. One answer after another, both ways taking turns.

``--untimed`` keeps the pairs of one way for the other, which halves the time that this takes.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from provenance_core import Audit, InputError, Parameters, Provenance, default_parameters
from provenance_core.files.labelled import LabelledRow, read_labelled_file
from provenance_core.models.pair_memory import PairMemory
from provenance_core.statistics.metrics import roc_auc
from provenance_core.text.chunking import chunk_context
from provenance_core.types import Cells, ContextItem


@dataclass(frozen=True, slots=True)
class Both:
    """An answer audited both ways: scores in [0, 1], processor seconds, cells read of all."""

    dataset: str
    label: int
    every: Audit
    sources: Audit
    seconds: tuple[float, float]


def long_rows(folder: Path, provenance: Provenance, most: int) -> list[tuple[str, LabelledRow]]:
    """At most ``most`` rows of all files, shuffled by seed 0, whose context has more chunks than
    the default parameters select, with the name of their file."""
    rows = [
        (path.name.partition(".")[0], row)
        for path in sorted(folder.glob("*.jsonl*"))
        for row in read_labelled_file(path).rows
        if row.context
    ]
    random.Random(0).shuffle(rows)
    parameters, found = default_parameters(), []
    for name, row in rows:
        chunks = chunk_context(
            [ContextItem(i, text) for i, text in enumerate(row.context)],
            max_tokens=parameters.chunk_tokens,
            overlap_sentences=parameters.overlap_sentences,
            count_tokens=provenance.nli.count_tokens,
        )
        if len(chunks) > parameters.top_k:
            found.append((name, row))
        if len(found) == most:
            break
    return found


def audited(
    provenance: Provenance, row: LabelledRow, parameters: Parameters, memory: PairMemory | None
) -> tuple[Audit, float]:
    """The audit, and its processor seconds."""
    began = time.process_time()
    audit = provenance.audit(
        query=row.query,
        answer=row.answer,
        context=list(row.context),
        parameters=parameters,
        memory=memory,
    )
    return audit, time.process_time() - began


def both_ways(
    provenance: Provenance, rows: Sequence[tuple[str, LabelledRow]], *, timed: bool
) -> list[Both]:
    """Each row audited both ways."""
    every = default_parameters(provenance.profile)
    sources = replace(every, cells=Cells.SOURCES)
    found = []
    for place, (dataset, row) in enumerate(rows):
        memory = None if timed else PairMemory()
        ways = (sources, every) if place % 2 else (every, sources)
        try:
            made = {way.cells: audited(provenance, row, way, memory) for way in ways}
        except InputError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        (whole, slow), (part, fast) = made[Cells.ALL], made[Cells.SOURCES]
        found.append(Both(dataset, row.label, whole, part, (slow, fast)))
    return found


def mean_auc(found: Sequence[Both], scores: Sequence[float]) -> float:
    """Mean over the sets with both labels, x 100."""
    sets: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for each, score in zip(found, scores, strict=True):
        sets[each.dataset].append((each.label, score))
    aucs = [roc_auc(*zip(*rows, strict=True)) for rows in sets.values()]
    told = [100 * auc for auc in aucs if auc is not None]
    return float(np.mean(told)) if told else float("nan")


def lines(profile: str, found: Sequence[Both], *, timed: bool) -> list[str]:
    """What is printed of a profile."""
    every = [each.every.score for each in found]
    sources = [each.sources.score for each in found]
    apart = np.abs(np.array(every) - np.array(sources))
    verdicts = sum(each.every.verdict is not each.sources.verdict for each in found)
    cells = sum(each.every.evidence.sentence_scores.read.size for each in found)
    read = sum(int(each.sources.evidence.sentence_scores.read.sum()) for each in found)
    said = [
        f"{profile}: {len(found)} answers",
        f"  cells read        {read:,} of {cells:,} ({read / cells:.0%})",
        f"  AUC               all {mean_auc(found, every):.1f}, "
        f"sources {mean_auc(found, sources):.1f}",
        f"  scores            {int((apart == 0).sum())} the same, "
        f"{int((apart > 0.05).sum())} differ by more than 0.05; mean difference "
        f"{apart.mean():.4f}, 95 % within {np.quantile(apart, 0.95):.3f}, largest "
        f"{apart.max():.3f}",
        f"  verdicts          {verdicts} differ",
    ]
    if timed:
        slow, fast = (sum(each.seconds[way] for each in found) for way in (0, 1))
        said.append(
            f"  processor seconds all {slow:.1f}, sources {fast:.1f}: factor {slow / fast:.2f}"
        )
    return said


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; status 2 without data."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of .jsonl.gz files")
    parser.add_argument("--rows", type=int, default=20, help="answers (%(default)s)")
    parser.add_argument("--profiles", nargs="+", default=["embedded", "cascade"])
    parser.add_argument("--untimed", action="store_true", help="no factor, in half the time")
    options = parser.parse_args(arguments)
    for profile in options.profiles:
        provenance = Provenance.load(profile)
        rows = long_rows(options.data, provenance, options.rows)
        if not rows:
            print(f"error: {options.data} holds no rows with long contexts", file=sys.stderr)
            return 2
        provenance.audit(answer="It is red.", context=["It is red."])
        found = both_ways(provenance, rows, timed=not options.untimed)
        print("\n".join(lines(profile, found, timed=not options.untimed)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
