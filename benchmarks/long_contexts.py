"""Whether a long context that is read in part gets the verdict of one that is read whole.

    python -m benchmarks.long_contexts --data FOLDER --kept ROWS.jsonl --rows 50
    python -m benchmarks.long_contexts --data FOLDER --time

Each row is an answer that people judged, among passages of other answers of its set, shuffled,
until the context has ``--kilobytes``. It is audited twice by the default profile: as the rule has
it (:mod:`provenance_core.audit.nearest_chunks`), and with every chunk read. Prints how many
verdicts are the same, with a 95 % interval by Wilson, how far the scores differ, and the seconds;
pairs that the first audit read are not read again in the second. Rows are kept: a second call goes
on where one stopped. ``--time`` audits answers of ten sentences, of the context word for word and
of ten people's answers, in contexts of 200 KB and 2 MB instead, and prints seconds and memory.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import numpy as np
from scipy.stats import binomtest

from benchmarks.machine import machine_lines
from provenance_core import Provenance
from provenance_core.audit import nearest_chunks
from provenance_core.models.pair_memory import PairMemory
from provenance_core.text.splitting import sentence_bounds
from provenance_core.types import Audit
from training.command import Row, append, kept, read

SETS = ("judged/attributionbench", "judged/lfqa_answer", "judged/factcheckgpt_stance")
MOST_SENTENCES = 3
SEED = 42


def rows(folder: Path, kilobytes: int) -> Iterator[Row]:
    """Answers with their joined contexts, sets and labels in turn, the same ones each time."""
    chance = random.Random(SEED)
    found: list[list[Row]] = []
    for name in SETS:
        every = read(folder / f"{name}.jsonl.gz")
        chance.shuffle(every)
        passages = list(dict.fromkeys(text for row in every for text in row["context"]))
        for label in (1, 0):
            found.append(
                [
                    row | {"context": joined(row["context"], passages, kilobytes, chance)}
                    for row in every
                    if row["label"] == label
                    and len(sentence_bounds(row["answer"])) <= MOST_SENTENCES
                    and any(text.strip() for text in row["context"])
                ][:100]
            )
    for group in zip(*found, strict=False):
        yield from group


def joined(
    own: Sequence[str], passages: Sequence[str], kilobytes: int, chance: random.Random
) -> list[str]:
    """A context's own passages among others, shuffled, of so many kilobytes in all."""
    context = list(dict.fromkeys(own))
    left = 1000 * kilobytes - sum(map(len, context))
    for text in chance.sample(passages, len(passages)):
        if left <= 0:
            break
        if text not in own:
            context.append(text)
            left -= len(text)
    chance.shuffle(context)
    return context


def ten_sentences(folder: Path, kilobytes: int) -> tuple[list[str], dict[str, str]]:
    """A context with the passages of ten answers, and two answers of ten sentences by their kind:
    one sentence of ten passages each, and the first one of each of the ten answers."""
    chance = random.Random(SEED)
    ten = [row for row in islice(rows(folder, 1), 200) if _one(row["answer"], chance)][:10]
    own = [text for row in ten for text in row["context"]]
    passages = [text for row in islice(rows(folder, 2 * kilobytes), 6) for text in row["context"]]
    context = joined(own, list(dict.fromkeys(passages)), kilobytes, chance)
    copied = [found for text in context if (found := _one(text, chance))][:10]
    told = [_one(row["answer"], chance) for row in ten]
    return context, {"word for word": " ".join(copied), "of ten answers": " ".join(told)}


def _one(text: str, chance: random.Random) -> str:
    """A sentence of a text, neither short nor long; "" where it has none."""
    sentences = [text[a:b].strip() for a, b in sentence_bounds(text)]
    usual = [each for each in sentences if 40 <= len(each) <= 250 and each.endswith(".")]
    return chance.choice(usual) if usual else ""


def print_times(provenance: Provenance, folder: Path) -> None:
    """The seconds of audits of ten sentences, and the most memory of the process up to then."""
    provenance.audit(answer="It is red.", context=["The car is red."])
    for kilobytes in (200, 2000):
        context, answers = ten_sentences(folder, kilobytes)
        for kind, answer in answers.items():
            wall, own = time.perf_counter(), time.process_time()
            audit = provenance.audit(answer=answer, context=context, query="What do they say?")
            wall, own = time.perf_counter() - wall, time.process_time() - own
            print(
                f"{kilobytes:,} KB, {len(audit.evidence.chunks):,} chunks, "
                f"{len(audit.sentences)} sentences {kind}: {wall:.1f} s, "
                f"{own:.1f} s of processor, {_peak():,.0f} MiB"
            )


def _peak() -> float:
    """The most memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read_both_ways(provenance: Provenance, row: Row) -> Row:
    """What is kept of a row."""
    asked = {"query": row["query"], "answer": row["answer"], "context": row["context"]}
    memory = PairMemory()
    begun = time.perf_counter()
    part = provenance.audit(**asked, memory=memory)
    between = time.perf_counter()
    with patch.object(nearest_chunks, "READ_WHOLE", sys.maxsize):
        whole = provenance.audit(**asked, memory=memory)
    ended = time.perf_counter()
    return {
        "id": row["id"],
        "label": row["label"],
        "chunks": len(part.evidence.chunks),
        "part": _outcome(part, between - begun),
        "whole": _outcome(whole, ended - between),
    }


def _outcome(audit: Audit, seconds: float) -> Row:
    verdict = str(audit.verdict)
    return {"score": audit.score, "verdict": verdict, "seconds": round(seconds, 2)}


def report(found: Sequence[Row]) -> str:
    """The figures of the rows."""
    same = sum(row["part"]["verdict"] == row["whole"]["verdict"] for row in found)
    interval = binomtest(same, len(found)).proportion_ci(method="wilson")
    gaps = [abs(row["part"]["score"] - row["whole"]["score"]) for row in found]
    seconds = {way: np.median([row[way]["seconds"] for row in found]) for way in ("part", "whole")}
    right = {
        way: sum((row[way]["score"] >= 0.5) == (row["label"] == 1) for row in found)
        for way in ("part", "whole")
    }
    return "\n".join(
        (
            f"{len(found)} answers, {np.median([row['chunks'] for row in found]):.0f} chunks each",
            f"same verdict: {same} ({interval.low:.0%} to {interval.high:.0%})",
            f"scores differ by {np.median(gaps):.3f} in the median, {max(gaps):.3f} at most",
            f"right verdicts: {right['part']} read in part, {right['whole']} read whole",
            f"seconds, median: {seconds['part']:.1f} in part, {seconds['whole']:.1f} more for all",
        )
    )


def main() -> None:
    """Audit what is not kept yet, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the judged sets")
    parser.add_argument("--kept", type=Path, help="file of rows, JSON lines")
    parser.add_argument("--time", action="store_true", help="seconds and memory instead")
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--kilobytes", type=int, default=200)
    given = parser.parse_args()
    provenance = Provenance.load()
    if given.time:
        print(*machine_lines(), sep="\n")
        print_times(provenance, given.data)
        return
    if given.kept is None:
        parser.error("--kept is needed, or --time")
    done = {row["id"] for row in kept(given.kept)}
    wanted = islice(rows(given.data, given.kilobytes), given.rows)
    missing = (row for row in wanted if row["id"] not in done)
    append(given.kept, (read_both_ways(provenance, row) for row in missing))
    print(*machine_lines(), sep="\n")
    print(report(kept(given.kept)))


if __name__ == "__main__":
    main()
