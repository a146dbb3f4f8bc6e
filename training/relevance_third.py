"""Builds the relevance model's third-stage file: whole passages, most candidates of each query.

The first two stages cut passages to 80 words; those that people rank are two or three times as
long. Again each row carries the cosine of the base encoder.
"""

from __future__ import annotations

import random
from pathlib import Path

from training.nli_data import SEED
from training.relevance_second import write_with_cosines

# Queries taken of each set (all of them when None), and the most negatives of each query.
SETS: dict[str, tuple[int | None, int]] = {
    "selqa.test": (None, 8),
    "selqa.dev": (None, 8),
    "trecqa_wang.train": (None, 40),
    "squad_nqg_sentences.test": (1500, 2),
    "nq_qed.dev": (None, 2),
    "squad2_train_subset.train": (None, 2),
    "hotpotqa_mas.train": (None, 9),
    "squadshifts_new_wiki.full": (1200, 2),
    "squadshifts_reddit.full": (300, 2),
    "squadshifts_amazon_reviews.full": (600, 2),
    "subjqa.train": (None, 6),
    "policyqa.dev": (300, 3),
    "covidqa.full": (300, 3),
    "aquamuse_nq_ni520.train": (None, 2),
}
MOST_WORDS = 165


def build(data: Path, out: Path) -> None:
    """Write ``out/relevance_third_train.jsonl``; queries of the dev file stay unseen."""
    file = out / "relevance_third_train.jsonl"
    write_with_cosines(data, file, SETS, random.Random(SEED + 4), MOST_WORDS)
