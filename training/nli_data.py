"""Builds the NLI training and dev files from ``data/train`` (seeded, one row a line)."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
from collections import Counter, defaultdict
from pathlib import Path

from training.contamination import Evaluated
from training.data_folder import add_data_option
from training.minimal_pairs import Pair, plain_pairs, prompt_pairs

SEED = 20261121
# Rows to take of each set (None: all), and rows to hold out of it for our dev split.
NLI_SETS = {
    "vitaminc_real.test": (14000, 300),
    "vitaminc_synthetic.test": (2500, 0),
    "fever_covidfact.dev": (9000, 200),
    "mnli_ni.train": (8000, 0),
    "mnli_olora.train": (2000, 0),
    "taxinli_mnli.dev": (5000, 300),
    "lingnli.train": (8000, 0),
    "snli_ni.train": (2500, 0),
    "cad_snli.train": (2500, 0),
    "paws_ni.train": (None, 300),
    "conjnli_adv.train": (2000, 0),
    "foolmetwice.dev": (None, 0),
    "foolmetwice.test": (None, 100),
    "rte.train": (None, 100),
    "attributionbench.dev": (None, 0),
    "attributionbench.test": (None, 200),
    "healthver.dev": (1500, 0),
    "climatefever.full": (1600, 0),
    "checkcovid.full": (1200, 0),
    "covidfact.train": (1500, 0),
    "scifact_covidfact.train": (None, 0),
    "factcg_cg2c_doc.train": (1400, 200),
    "negnli_mnli.full": (1200, 0),
    "negnli_snli.full": (600, 0),
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


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def held_out(group: str, share: int) -> bool:
    """Whether a group belongs to the dev split: one in ``share``, by hash."""
    return int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) % share == 0


def public_rows(data: Path, name: str, rng: random.Random) -> list[Pair]:
    """The rows of a set that fit, shuffled; half of those with a question in the claim prompt."""
    loaded = rows(data / "train/nli" / f"{name}.jsonl.gz")
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
    train: list[Pair] = []
    dev: list[Pair] = []
    for name, (take, dev_take) in NLI_SETS.items():
        kept: list[Pair] = []
        out: list[Pair] = []
        for pair in public_rows(data, name, rng):
            (out if dev_take and held_out(pair.group, 6) else kept).append(pair)
        train += kept[:take]
        dev += out[:dev_take]
    return train, dev


def build_calibration(data: Path, out: Path) -> None:
    """Write ``out/nli_calibration.jsonl``: rows whose premise no training row has."""
    rng = random.Random(SEED)
    with (out / "nli_train.jsonl").open(encoding="utf-8") as lines:
        seen = {json.loads(line)["premise"] for line in lines}
    evaluated = Evaluated.read(data / "eval")
    kept: list[Pair] = []
    for name, take in CALIBRATION_SETS.items():
        found = [
            p
            for p in public_rows(data, name, rng)
            if p.premise not in seen and not evaluated.holds_claim(p.premise, p.hypothesis)
        ]
        kept += found[:take]
    write(out / "nli_calibration.jsonl", kept)
    print(json.dumps({"calibration": Counter(p.kind for p in kept)}, indent=1))


def passage_rows(
    data: Path, name: str, rng: random.Random
) -> tuple[list[dict], dict[str, list[str]]]:
    """The shuffled rows of a relevance set, and each passage's right answers."""
    loaded = [r for r in rows(data / "train/relevance" / f"{name}.jsonl.gz") if r["passage"]]
    rng.shuffle(loaded)
    answers: dict[str, list[str]] = defaultdict(list)
    for row in loaded:
        if row.get("answer") and row["label"] == 1:
            answers[row["passage"]].append(row["answer"])
    return loaded, answers


def synthetic_pairs(data: Path, rng: random.Random) -> tuple[list[Pair], list[Pair]]:
    train: list[Pair] = []
    dev: list[Pair] = []
    for name, take in PASSAGE_SETS.items():
        loaded, answers = passage_rows(data, name, rng)
        names = ["London", "Michael Brown", "India", "Google", "Mary", "Texas", "Chicago", "Spain"]
        made: list[Pair] = []
        made_dev: list[Pair] = []
        for index, row in enumerate(loaded):
            if len(made) >= take:
                break
            passage = " ".join(row["passage"].split()[:220])
            foreign = loaded[index - 1]["passage"]
            found: list[Pair] = []
            if row.get("answer") and row["label"] == 1 and len(row["answer"].split()) <= 12:
                found += prompt_pairs(
                    row["query"], row["answer"], passage, passage, rng, answers[row["passage"]]
                )
            if not found or rng.random() < 0.25:
                found += plain_pairs(passage, passage, rng, names, foreign)
            (made_dev if held_out(passage, 20) else made).extend(
                p for p in found if len(p.premise.split()) <= MAX_WORDS
            )
        train += made[:take]
        dev += made_dev
    rng.shuffle(train)
    rng.shuffle(dev)
    return train[:SYNTHETIC], dev[:SYNTHETIC_DEV]


def write(path: Path, pairs: list[Pair]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for p in pairs:
            out.write(
                json.dumps(
                    {
                        "premise": p.premise,
                        "hypothesis": p.hypothesis,
                        "label": p.label,
                        "kind": p.kind,
                    },
                    ensure_ascii=False,
                )
                + "\n"
            )


def build(data: Path, out: Path) -> None:
    """Write ``out/nli_train.jsonl`` and ``out/nli_dev.jsonl``; log what contamination dropped."""
    rng = random.Random(SEED)
    train, dev = (
        a + b for a, b in zip(public_pairs(data, rng), synthetic_pairs(data, rng), strict=True)
    )
    groups = {p.group for p in dev}
    train = [p for p in train if p.group not in groups]
    evaluated = Evaluated.read(data / "eval")
    before = len(train)
    dropped = Counter(p.kind for p in train if evaluated.holds_claim(p.premise, p.hypothesis))
    train = [p for p in train if not evaluated.holds_claim(p.premise, p.hypothesis)]
    rng.shuffle(train)
    out.mkdir(parents=True, exist_ok=True)
    write(out / "nli_train.jsonl", train)
    write(out / "nli_dev.jsonl", dev)
    print(
        json.dumps(
            {
                "train": len(train),
                "dev": len(dev),
                "dropped": before - len(train),
                "dropped_by_set": dropped,
                "sets": Counter(p.kind for p in train),
                "labels": Counter(p.label for p in train),
            },
            indent=1,
        )
    )
    build_calibration(data, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    arguments = parser.parse_args()
    build(arguments.data, arguments.out)
