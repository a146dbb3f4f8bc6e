"""Builds the third stage's NLI file: the public sets again, more of them, and rewritten sentences.

The dev rows and the calibration rows of ``training.nli_data``, and the held-out documents of
``training.nli_second``, stay unseen.
"""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path

from training.contamination import Evaluated
from training.minimal_pairs import Pair, prompt_pairs
from training.nli_data import (
    SEED,
    held_out,
    passage_rows,
)
from training.nli_second import (
    made_pairs,
    passage_pairs,
    public_pairs,
    unseen_premises,
    write_clean,
)
from training.rewrites import (
    dialogue_pairs,
    number_pairs,
    order_pairs,
    spliced_pairs,
    summary_pairs,
)
from training.statements import statement_pairs

NLI_SETS = {
    "vitaminc_real.test": None,
    "vitaminc_synthetic.test": 9000,
    "fever_covidfact.dev": None,
    "mnli_ni.train": 10000,
    "mnli_olora.train": None,
    "taxinli_mnli.dev": 6000,
    "lingnli.train": 8000,
    "snli_ni.train": 1500,
    "cad_snli.train": 1500,
    "paws_ni.train": None,
    "foolmetwice.dev": None,
    "foolmetwice.test": None,
    "rte.train": None,
    "attributionbench.dev": None,
    "attributionbench.test": None,
    "healthver.dev": None,
    "climatefever.full": 1500,
    "checkcovid.full": None,
    "scifact_covidfact.train": None,
    "factcg_cg2c_doc.train": None,
    "negnli_mnli.full": None,
}
REWRITTEN = 42000
# Questions on one passage each; HotpotQA's need two.
QUESTION_SETS = (
    "squadshifts_new_wiki.full",
    "squadshifts_reddit.full",
    "squadshifts_amazon_reviews.full",
    "squad2_train_subset.train",
    "nq_qed.dev",
    "qamr.dev",
    "qamr.test",
    "covidqa.full",
    "policyqa.dev",
    "policyqa.test",
)
STATEMENTS = 30000


def rewritten_pairs(
    row: dict, passage: str, foreign: str, names: list[str], others: list[str], rng: random.Random
) -> list[Pair]:
    """The pairs of one row of a relevance set: one or two kinds of them."""
    if row.get("answer") and row["label"] == 1 and len(row["answer"].split()) <= 12:
        made = list(prompt_pairs(row["query"], row["answer"], passage, passage, rng, others))
        if made and rng.random() < 0.6:
            return made
    roll = rng.random()
    if roll < 0.24:
        return list(order_pairs(passage, rng))
    if roll < 0.40:
        return list(spliced_pairs(passage, rng))
    if roll < 0.58:
        return list(summary_pairs(passage, rng, names))
    if roll < 0.80:
        return list(dialogue_pairs(passage, foreign, rng, names))
    if roll < 0.88:
        return list(number_pairs(passage, rng))
    return passage_pairs(row, passage, foreign, names, others, rng)


def statements(data: Path, rng: random.Random) -> list[Pair]:
    """Statements of questions and answers on the passages that the dev split leaves."""
    train: list[Pair] = []
    for name in QUESTION_SETS:
        loaded, answers = passage_rows(data, name, rng)
        for row in loaded:
            passage = " ".join(row["passage"].split()[:220])
            if row["label"] != 1 or not row.get("answer") or held_out(passage, 20):
                continue
            others = answers[row["passage"]]
            train += statement_pairs(row["query"], row["answer"], passage, rng, others)
    rng.shuffle(train)
    return train[:STATEMENTS]


def build(data: Path, out: Path) -> None:
    """Write ``out/nli_third_train.jsonl``; needs the files of the first two stages."""
    rng = random.Random(SEED + 3)
    pairs = chain(
        public_pairs(data, rng, unseen_premises(out), NLI_SETS),
        made_pairs(data, rng, rewritten_pairs, REWRITTEN),
        statements(data, rng),
    )
    write_clean(out / "nli_third_train.jsonl", pairs, Evaluated.read(data / "eval"), rng)
