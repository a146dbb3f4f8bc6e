"""Builds the relevance model's files from ``data/train/relevance`` (seeded).

The first stage has one relevant and at most two other passages a query. The second has answer
sentences among those of their article, the third whole passages, which are two or three times as
long, and most candidates of each query. Each row of the later two carries beside its label the
cosine of the base encoder, which the loss also follows: the base has seen a billion pairs that we
have not, and the first stage had forgotten part of it.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from training.command import SEED, Row, read, write
from training.contamination import Evaluated
from training.loop import base_folder
from training.nli_data import ALL, held_out

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
# Of the second and of the third stage: queries taken of each set, and the most negatives of each.
LATER: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "selqa.test": ((ALL, 12), (ALL, 8)),
    "selqa.dev": ((ALL, 12), (ALL, 8)),
    "trecqa_wang.train": ((ALL, 40), (ALL, 40)),
    "squad_nqg_sentences.test": ((4000, 2), (1500, 2)),
    "qamr.test": ((2000, 1), (0, 0)),
    "nq_qed.dev": ((ALL, 2), (ALL, 2)),
    "squad2_train_subset.train": ((ALL, 2), (ALL, 2)),
    "hotpotqa_mas.train": ((ALL, 8), (ALL, 9)),
    "squadshifts_new_wiki.full": ((2200, 2), (1200, 2)),
    "squadshifts_reddit.full": ((700, 2), (300, 2)),
    "squadshifts_amazon_reviews.full": ((700, 2), (600, 2)),
    "subjqa.train": ((500, 2), (ALL, 6)),
    "policyqa.test": ((400, 4), (0, 0)),
    "policyqa.dev": ((0, 0), (300, 3)),
    "covidqa.full": ((300, 2), (300, 3)),
    "aquamuse_nq_ni520.train": ((0, 0), (ALL, 2)),
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


def by_query(data: Path, name: str) -> dict[str, list[Row]]:
    """The rows of each query of a set."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in read(data / "train/relevance" / f"{name}.jsonl.gz"):
        groups[row["query"]].append(row)
    return groups


def taken(row: Row, name: str, rng: random.Random, most: int = WORDS) -> Row:
    """What a training file has of a row."""
    passage = window(row["passage"], row["answer"], rng, most)
    return {"query": row["query"], "passage": passage, "label": row["label"], "kind": name}


def build(data: Path, out: Path) -> None:
    """Write ``out/relevance_train.jsonl`` and ``out/relevance_dev.jsonl``."""
    rng = random.Random(SEED)
    evaluated = Evaluated.read(data / "eval")
    train: list[Row] = []
    dev: list[Row] = []
    dropped = 0
    for name, take in QUERIES.items():
        groups = by_query(data, name)
        queries = sorted(groups)
        rng.shuffle(queries)
        left = {True: take // 15, False: take}
        for query in queries:
            positive, negative = (
                [row for row in groups[query] if row["label"] == label] for label in (1, 0)
            )
            rng.shuffle(negative)
            negative.sort(key=lambda r: r.get("kind") not in HARD)
            if not positive and name != "aquamuse_nq_ni520.train" and rng.random() < 0.7:
                continue
            is_dev = held_out(query, 25)
            if not left[is_dev] or (is_dev and not (positive and negative)):
                continue
            left[is_dev] -= 1
            chosen = positive[:2] + negative[:8] if is_dev else positive[:1] + negative[:2]
            for row in chosen:
                if evaluated.holds_relevance(query, row["passage"]):
                    dropped += 1
                else:
                    (dev if is_dev else train).append(taken(row, name, rng))
    rng.shuffle(train)
    write(out / "relevance_train.jsonl", train)
    write(out / "relevance_dev.jsonl", dev)
    print(f"train {len(train)}, dev {len(dev)}, dropped {dropped} found in an evaluation set")


def later_rows(data: Path, stage: int, rng: random.Random, most: int) -> list[Row]:
    """Rows of the second (0) or third (1) stage; queries of the dev file stay unseen."""
    made: list[Row] = []
    for name, takes in LATER.items():
        queries, negatives = takes[stage]
        if not queries:
            continue
        groups = by_query(data, name)
        names = [query for query in sorted(groups) if not held_out(query, 25)]
        rng.shuffle(names)
        for query in names[:queries]:
            group = groups[query]
            rng.shuffle(group)
            group.sort(key=lambda r: r.get("kind") not in HARD)
            positive = [r for r in group if r["label"] == 1][:3]
            negative = [r for r in group if r["label"] == 0][:negatives]
            made += [taken(row, name, rng, most) for row in positive + negative]
    return made


def build_later(name: str, stage: int, seed: int, most: int, data: Path, out: Path) -> None:
    """Write ``out/relevance_NAME_train.jsonl``, its passages of at most ``most`` words."""
    from sentence_transformers import SentenceTransformer

    evaluated = Evaluated.read(data / "eval")
    rng = random.Random(seed)
    train = [
        row
        for row in later_rows(data, stage, rng, most)
        if not evaluated.holds_relevance(row["query"], row["passage"])
    ]
    rng.shuffle(train)
    base = SentenceTransformer(str(base_folder()), device="cpu")
    texts = sorted({row[side] for row in train for side in ("query", "passage")})
    vectors = base.encode(texts, normalize_embeddings=True, batch_size=64)
    at = dict(zip(texts, vectors, strict=True))
    for row in train:
        row["cosine"] = round(float(at[row["query"]] @ at[row["passage"]]), 4)
    write(out / f"relevance_{name}_train.jsonl", train)
    print(json.dumps({"train": len(train), "sets": Counter(r["kind"] for r in train)}, indent=1))


build_second = partial(build_later, "second", 0, SEED + 2, WORDS)
build_third = partial(build_later, "third", 1, SEED + 4, 165)
