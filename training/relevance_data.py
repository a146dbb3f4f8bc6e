"""Builds the relevance training and dev files from ``data/train/relevance`` (seeded)."""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from pathlib import Path

from training.contamination import Evaluated
from training.data_folder import add_data_option
from training.nli_data import SEED, held_out, rows

# Queries taken of each set; each brings one relevant chunk and at most two others.
QUERIES = {
    "squad_nqg_sentences.test": 2500,
    "selqa.test": 1200,
    "selqa.dev": 600,
    "squadshifts_new_wiki.full": 1500,
    "squadshifts_reddit.full": 600,
    "squadshifts_amazon_reviews.full": 600,
    "qamr.dev": 1000,
    "nq_qed.dev": 900,
    "hotpotqa_mas.train": 150,
    "trecqa_wang.train": 250,
    "squad2_train_subset.train": 300,
    "policyqa.dev": 500,
    "covidqa.full": 400,
    "subjqa.train": 300,
    "pubmedqa_l.full": 200,
    "aquamuse_nq_ni520.train": 200,
    "qasper_ni460.train": 300,
}
HARD = {"same_article", "distractor", "unanswerable", "nearby_sentence"}
WORDS = 80


def window(passage: str, answer: str | None, rng: random.Random, most: int = WORDS) -> str:
    """At most ``most`` words of ``passage``, with the answer in them where there is one."""
    words = passage.split()
    if len(words) <= most:
        return passage
    at = passage.find(answer) if answer else -1
    if at >= 0:
        middle = len(passage[:at].split())
        first = max(0, min(len(words) - most, middle - rng.randrange(10, most - 10)))
    else:
        first = rng.choice((0, rng.randrange(len(words) - most + 1)))
    return " ".join(words[first : first + most])


def build(data: Path, out: Path) -> None:
    """Write ``out/relevance_train.jsonl`` and ``out/relevance_dev.jsonl``."""
    rng = random.Random(SEED)
    evaluated = Evaluated.read(data / "eval")
    train: list[dict] = []
    dev: list[dict] = []
    dropped = 0
    for name, take in QUERIES.items():
        groups: dict[str, list[dict]] = defaultdict(list)
        for row in rows(data / "train/relevance" / f"{name}.jsonl.gz"):
            groups[row["query"]].append(row)
        queries = sorted(groups)
        rng.shuffle(queries)
        taken = taken_dev = 0
        for query in queries:
            group = groups[query]
            positive = [r for r in group if r["label"] == 1]
            negative = [r for r in group if r["label"] == 0]
            rng.shuffle(negative)
            negative.sort(key=lambda r: r.get("kind") not in HARD)
            if not positive and name != "aquamuse_nq_ni520.train" and rng.random() < 0.7:
                continue
            is_dev = held_out(query, 25)
            if is_dev:
                if taken_dev >= take // 15 or not positive or not negative:
                    continue
                chosen, target, taken_dev = positive[:2] + negative[:8], dev, taken_dev + 1
            else:
                if taken >= take:
                    continue
                chosen, target, taken = positive[:1] + negative[:2], train, taken + 1
            for row in chosen:
                if evaluated.holds_relevance(query, row["passage"]):
                    dropped += 1
                    continue
                target.append(
                    {
                        "query": query,
                        "passage": window(row["passage"], row["answer"], rng),
                        "label": row["label"],
                        "kind": name,
                    }
                )
    rng.shuffle(train)
    out.mkdir(parents=True, exist_ok=True)
    for file, made in (("relevance_train.jsonl", train), ("relevance_dev.jsonl", dev)):
        with (out / file).open("w", encoding="utf-8") as lines:
            for row in made:
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"train {len(train)}, dev {len(dev)}, dropped {dropped} found in an evaluation set")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    arguments = parser.parse_args()
    build(arguments.data, arguments.out)
