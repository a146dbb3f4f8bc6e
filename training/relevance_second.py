"""Builds the relevance model's second-stage file: answer sentences among those of their article.

Each row carries beside its label the cosine of the base encoder, which the loss also follows:
the base has seen a billion pairs that we have not, and the first stage had forgotten part of it.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from training.contamination import Evaluated
from training.loop import base_folder
from training.nli_data import SEED, held_out, rows
from training.relevance_data import HARD, WORDS, window

# Queries taken of each set (all of them when None), and the most negatives of each query.
SETS: dict[str, tuple[int | None, int]] = {
    "selqa.test": (None, 12),
    "selqa.dev": (None, 12),
    "trecqa_wang.train": (None, 40),
    "squad_nqg_sentences.test": (4000, 2),
    "qamr.test": (2000, 1),
    "nq_qed.dev": (None, 2),
    "squad2_train_subset.train": (None, 2),
    "hotpotqa_mas.train": (None, 8),
    "squadshifts_new_wiki.full": (2200, 2),
    "squadshifts_reddit.full": (700, 2),
    "squadshifts_amazon_reviews.full": (700, 2),
    "subjqa.train": (500, 2),
    "policyqa.test": (400, 4),
    "covidqa.full": (300, 2),
}


def build(data: Path, out: Path) -> None:
    """Write ``out/relevance_second_train.jsonl``; queries of the dev file stay unseen."""
    write_with_cosines(data, out / "relevance_second_train.jsonl", SETS, random.Random(SEED + 2))


def write_with_cosines(
    data: Path,
    file: Path,
    sets: Mapping[str, tuple[int | None, int]],
    rng: random.Random,
    most: int = WORDS,
) -> None:
    """Write rows of ``sets`` (queries, negatives), their passages of at most ``most`` words."""
    from sentence_transformers import SentenceTransformer

    evaluated = Evaluated.read(data / "eval")
    train = [
        row
        for name, (queries, negatives) in sets.items()
        for row in _rows_of(data, name, queries, negatives, rng, most)
        if not evaluated.holds_relevance(row["query"], row["passage"])
    ]
    rng.shuffle(train)
    base = SentenceTransformer(str(base_folder()), device="cpu")
    texts = sorted({row[side] for row in train for side in ("query", "passage")})
    vectors = base.encode(texts, normalize_embeddings=True, batch_size=64)
    at = {text: index for index, text in enumerate(texts)}
    with file.open("w", encoding="utf-8") as lines:
        for row in train:
            cosine = float(vectors[at[row["query"]]] @ vectors[at[row["passage"]]])
            lines.write(json.dumps({**row, "cosine": round(cosine, 4)}, ensure_ascii=False) + "\n")
    print(json.dumps({"train": len(train), "sets": Counter(r["kind"] for r in train)}, indent=1))


def _rows_of(
    data: Path, name: str, queries: int | None, negatives: int, rng: random.Random, most: int
) -> list[dict]:
    groups: dict[str, list[dict]] = defaultdict(list)
    for row in rows(data / "train/relevance" / f"{name}.jsonl.gz"):
        groups[row["query"]].append(row)
    names = [query for query in sorted(groups) if not held_out(query, 25)]
    rng.shuffle(names)
    made: list[dict] = []
    for query in names[:queries]:
        group = groups[query]
        rng.shuffle(group)
        group.sort(key=lambda r: r.get("kind") not in HARD)
        positive = [r for r in group if r["label"] == 1][:3]
        made += [
            {
                "query": query,
                "passage": window(r["passage"], r["answer"], rng, most),
                "label": r["label"],
                "kind": name,
            }
            for r in positive + [r for r in group if r["label"] == 0][:negatives]
        ]
    return made
