"""Builds a fourth NLI file, for the large model alone: what the earlier stages left of the sets
that people wrote, and rows of the others beside it, so that nothing is forgotten.

The dev rows and the calibration rows of ``training.nli_data`` stay unseen, and so do the files that
nothing is trained on (``mnli_olora.dev``, ``lingnli.dev``, ``healthver.test``, ``control.dev``).
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from training.contamination import Evaluated
from training.minimal_pairs import Pair
from training.nli_data import SEED
from training.nli_second import public_pairs, unseen_premises, write_clean

STAGES = ("nli", "nli_second", "nli_third")
# Rows that no earlier stage has, of each set: the most to take, or None for all.
LEFT_SETS = {
    "mnli_ni.train": None,
    "lingnli.train": None,
    "snli_ni.train": 9000,
    "cad_snli.train": None,
    "mpe.train": 2000,
    "nli4ct.train": None,
    "monli.train": None,
    "climatefever.full": None,
    "covidfact.train": 2000,
}
# Rows of earlier stages, by kind: for each row of the sets above, so many of these in all.
AGAIN = 0.7
AGAIN_MOST = {"snli_ni.train": 0, "mnli_ni.train": 0, "lingnli.train": 0, "mnli_olora.train": 0}
AGAIN_OF_A_KIND = 3500


def earlier_pairs(runs: Path) -> dict[tuple[str, str], Pair]:
    """The distinct pairs of the earlier stages, by premise and hypothesis."""
    found: dict[tuple[str, str], Pair] = {}
    for stage in STAGES:
        with (runs / f"{stage}_train.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                pair = Pair(
                    row["premise"], row["hypothesis"], row["label"], row["kind"], row["premise"]
                )
                found.setdefault((pair.premise, pair.hypothesis), pair)
    return found


def again(earlier: list[Pair], most: int, rng: random.Random) -> list[Pair]:
    """At most ``most`` of the earlier pairs, no kind more often than ``AGAIN_OF_A_KIND``."""
    rng.shuffle(earlier)
    taken: dict[str, int] = {}
    kept: list[Pair] = []
    for pair in earlier:
        count = taken.get(pair.kind, 0)
        if count < AGAIN_MOST.get(pair.kind, AGAIN_OF_A_KIND):
            taken[pair.kind] = count + 1
            kept.append(pair)
    rng.shuffle(kept)
    return kept[:most]


def build(data: Path, runs: Path) -> None:
    """Write ``runs/nli_fourth_train.jsonl``; needs the files of the first three stages."""
    rng = random.Random(SEED + 4)
    earlier = earlier_pairs(runs)
    unseen = unseen_premises(runs)
    left: list[Pair] = []
    for name, most in LEFT_SETS.items():
        rows = public_pairs(data, rng, unseen, {name: None})
        fresh = [pair for pair in rows if (pair.premise, pair.hypothesis) not in earlier]
        left += fresh[:most]
    rows_again = again(list(earlier.values()), int(AGAIN * len(left)), rng)
    write_clean(
        runs / "nli_fourth_train.jsonl", [*left, *rows_again], Evaluated.read(data / "eval"), rng
    )
