"""Builds the NLI files of the first stage from ``data/train`` (seeded): training, dev, calibration.

``NLI_SETS`` and ``PASSAGE_SETS`` say what all three stages read; :mod:`training.nli_later` builds
the files of the other two.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from training.command import SEED, Row, read
from training.command import write as write_rows
from training.contamination import Evaluated
from training.minimal_pairs import Pair, plain_pairs, prompt_pairs

ALL = sys.maxsize
# Rows to take of each set in the first stage, to hold out of it for our dev split, and to take in
# the second and third stage.
NLI_SETS = {
    "vitaminc_real.test": (14000, 300, 26000, ALL),
    "vitaminc_synthetic.test": (2500, 0, 2500, 9000),
    "fever_covidfact.dev": (9000, 200, 8000, ALL),
    "mnli_ni.train": (8000, 0, 14000, 10000),
    "mnli_olora.train": (2000, 0, ALL, ALL),
    "taxinli_mnli.dev": (5000, 300, 6000, 6000),
    "lingnli.train": (8000, 0, 12000, 8000),
    "snli_ni.train": (2500, 0, 2000, 1500),
    "cad_snli.train": (2500, 0, 1500, 1500),
    "paws_ni.train": (ALL, 300, ALL, ALL),
    "conjnli_adv.train": (2000, 0, 3000, 0),
    "foolmetwice.dev": (ALL, 0, ALL, ALL),
    "foolmetwice.test": (ALL, 100, ALL, ALL),
    "rte.train": (ALL, 100, ALL, ALL),
    "attributionbench.dev": (ALL, 0, ALL, ALL),
    "attributionbench.test": (ALL, 200, ALL, ALL),
    "healthver.dev": (1500, 0, ALL, ALL),
    "climatefever.full": (1600, 0, 2000, 1500),
    "checkcovid.full": (1200, 0, ALL, ALL),
    "covidfact.train": (1500, 0, 1500, 0),
    "scifact_covidfact.train": (ALL, 0, ALL, ALL),
    "factcg_cg2c_doc.train": (1400, 200, ALL, ALL),
    "negnli_mnli.full": (1200, 0, ALL, ALL),
    "negnli_snli.full": (600, 0, 600, 0),
}
# Rows for the calibration only, of files or parts of files that nothing is trained on. None is
# made by editing its premise: minimal pairs make shared words useless by construction, which
# answers are not.
CALIBRATION_SETS = {
    "lingnli.dev": 900,
    "mnli_olora.dev": 900,
    "healthver.test": 450,
    "attributionbench.test": 450,
    "factcg_cg2c_doc.train": 450,
    "fever_covidfact.dev": 450,
    "rte.train": 450,
    "control.dev": 450,
}
PASSAGE_SETS = {
    "squadshifts_new_wiki.full": 18000,
    "squad2_train_subset.train": 1500,
    "nq_qed.dev": 5000,
    "squadshifts_reddit.full": 6500,
    "squadshifts_amazon_reviews.full": 3500,
    "hotpotqa_mas.train": 1200,
    "covidqa.full": 1500,
    "qamr.dev": 8000,
    "selqa.dev": 4000,
    "selqa.test": 3000,
    "policyqa.dev": 1500,
    "pubmedqa_l.full": 800,
    "subjqa.train": 600,
}
SYNTHETIC = 52000
SYNTHETIC_DEV = 900
MAX_WORDS = 150


def held_out(group: str, share: int) -> bool:
    """Whether a group belongs to the dev split: one in ``share``, by hash."""
    return int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) % share == 0


def public_rows(data: Path, name: str, rng: random.Random) -> list[Pair]:
    """The rows of a set that fit, shuffled; half of those with a question in the claim prompt."""
    loaded = read(data / "train/nli" / f"{name}.jsonl.gz")
    rng.shuffle(loaded)
    pairs: list[Pair] = []
    for row in loaded:
        premise, claim = row["premise"].strip(), row["hypothesis"].strip()
        if not premise or not claim or len(claim.split()) > 70:
            continue
        if len(premise.split()) > MAX_WORDS:
            continue
        question = row.get("question", "")
        if question and rng.random() < 0.5:
            claim = f"The answer to question {question} is {claim.removesuffix('.')}."
        pair = Pair(premise, claim, row["label"], name, premise)
        if name.startswith("paws") and rng.random() < 0.5:
            pair = Pair(claim, premise, row["label"], name, min(premise, claim))
        pairs.append(pair)
    return pairs


def public_pairs(data: Path, rng: random.Random) -> tuple[list[Pair], list[Pair]]:
    """Pairs of the public sets to train on, and those of the dev split."""
    train: list[Pair] = []
    dev: list[Pair] = []
    for name, (take, dev_take, *_) in NLI_SETS.items():
        kept: list[Pair] = []
        out: list[Pair] = []
        for pair in public_rows(data, name, rng):
            (out if dev_take and held_out(pair.group, 6) else kept).append(pair)
        train += kept[:take]
        dev += out[:dev_take]
    return train, dev


def build_calibration(data: Path, out: Path, evaluated: Evaluated) -> None:
    """Write ``out/nli_calibration.jsonl``: rows whose premise no training row has."""
    rng = random.Random(SEED)
    seen = {row["premise"] for row in read(out / "nli_train.jsonl")}
    kept: list[Pair] = []
    for name, take in CALIBRATION_SETS.items():
        kept += [
            p
            for p in public_rows(data, name, rng)
            if p.premise not in seen and not evaluated.holds_claim(p.premise, p.hypothesis)
        ][:take]
    write(out / "nli_calibration.jsonl", kept)
    print(json.dumps({"calibration": Counter(p.kind for p in kept)}, indent=1))


def passage_rows(
    data: Path, name: str, rng: random.Random
) -> tuple[list[Row], dict[str, list[str]]]:
    """The shuffled rows of a relevance set, and each passage's right answers."""
    loaded = [r for r in read(data / "train/relevance" / f"{name}.jsonl.gz") if r["passage"]]
    rng.shuffle(loaded)
    answers: dict[str, list[str]] = defaultdict(list)
    for row in loaded:
        if row.get("answer") and row["label"] == 1:
            answers[row["passage"]].append(row["answer"])
    return loaded, answers


def prompted(row: Row, passage: str, others: list[str], rng: random.Random) -> list[Pair]:
    """Pairs in the claim prompt, where a row of a relevance set has a short answer."""
    if row.get("answer") and row["label"] == 1 and len(row["answer"].split()) <= 12:
        return list(prompt_pairs(row["query"], row["answer"], passage, passage, rng, others))
    return []


def synthetic_pairs(data: Path, rng: random.Random) -> tuple[list[Pair], list[Pair]]:
    """Pairs made of passages to train on, and those of the dev split."""
    names = ["London", "Michael Brown", "India", "Google", "Mary", "Texas", "Chicago", "Spain"]
    train: list[Pair] = []
    dev: list[Pair] = []
    for name, take in PASSAGE_SETS.items():
        loaded, answers = passage_rows(data, name, rng)
        made: list[Pair] = []
        for index, row in enumerate(loaded):
            if len(made) >= take:
                break
            passage = " ".join(row["passage"].split()[:220])
            found = prompted(row, passage, answers[row["passage"]], rng)
            if not found or rng.random() < 0.25:
                found += plain_pairs(passage, passage, rng, names, loaded[index - 1]["passage"])
            (dev if held_out(passage, 20) else made).extend(
                p for p in found if len(p.premise.split()) <= MAX_WORDS
            )
        train += made[:take]
    rng.shuffle(train)
    rng.shuffle(dev)
    return train[:SYNTHETIC], dev[:SYNTHETIC_DEV]


def write(path: Path, pairs: Iterable[Pair]) -> None:
    """Write the pairs without their group."""
    write_rows(path, (pair.row() for pair in pairs))


def build(data: Path, out: Path) -> None:
    """Write ``out/nli_train.jsonl``, ``nli_dev.jsonl`` and ``nli_calibration.jsonl``; print what
    the check for contamination dropped."""
    rng = random.Random(SEED)
    public, synthetic = public_pairs(data, rng), synthetic_pairs(data, rng)
    found, dev = public[0] + synthetic[0], public[1] + synthetic[1]
    groups = {p.group for p in dev}
    found = [p for p in found if p.group not in groups]
    evaluated = Evaluated.read(data / "eval")
    train = [p for p in found if not evaluated.holds_claim(p.premise, p.hypothesis)]
    dropped = Counter(p.kind for p in found) - Counter(p.kind for p in train)
    rng.shuffle(train)
    write(out / "nli_train.jsonl", train)
    write(out / "nli_dev.jsonl", dev)
    counts = {"sets": Counter(p.kind for p in train), "labels": Counter(p.label for p in train)}
    print(
        json.dumps({"train": len(train), "dev": len(dev), "dropped": dropped, **counts}, indent=1)
    )
    build_calibration(data, out, evaluated)
