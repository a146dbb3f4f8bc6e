"""Builds the NLI files of the second and third stage; each needs the files of those before it.

The second has more rows, whole documents, and the manner of generated answers. The third has the
public sets again, more of them, and rewritten sentences. The dev rows and the calibration rows of
:mod:`training.nli_data`, and the held-out documents of the second stage, stay unseen.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path

from provenance_core.lexicon.words import content_words
from provenance_core.text.splitting import sentence_bounds
from training.answer_styles import abstention_pairs, detail_pairs, framing_pair, fused_pairs, opened
from training.command import SEED, Row, read
from training.contamination import Evaluated
from training.minimal_pairs import CONTRADICTION, Pair, names_in, plain_pairs
from training.nli_data import (
    MAX_WORDS,
    NLI_SETS,
    PASSAGE_SETS,
    held_out,
    passage_rows,
    prompted,
    public_rows,
    write,
)
from training.rewrites import (
    dialogue_pairs,
    number_pairs,
    order_pairs,
    spliced_pairs,
    summary_pairs,
)
from training.statements import statement_pairs

# Documents over the window, cut down to the sentences that share most with the claim.
LONG_SETS = ("factcg_cg2c_doc.train", "attributionbench.dev", "attributionbench.test")
SYNTHETIC, REWRITTEN, STATEMENTS = 56000, 42000, 30000
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


def nearest_sentences(document: str, claim: str, words: int) -> str:
    """Sentences of ``document`` that share most words with ``claim``, in their order."""
    sentences = [document[a:b].strip() for a, b in sentence_bounds(document)]
    wanted = content_words(claim)
    order = sorted(range(len(sentences)), key=lambda i: -len(wanted & content_words(sentences[i])))
    kept: list[int] = []
    total = 0
    for index in order:
        length = len(sentences[index].split())
        if total + length > words:
            break
        kept.append(index)
        total += length
    return " ".join(sentences[i] for i in sorted(kept))


def documents(data: Path, name: str, *, held: bool) -> list[Pair]:
    """Rows of a set whose premise is over the window: the third of the premises that is held
    out, or the rest."""
    pairs = []
    for row in read(data / "train/nli" / f"{name}.jsonl.gz"):
        premise, claim = row["premise"].strip(), row["hypothesis"].strip()
        fits = MAX_WORDS < len(premise.split()) < 700 and len(claim.split()) <= 60
        if fits and held_out(premise, 3) == held:
            pairs.append(Pair(premise, claim, row["label"], f"{name} (long)", premise))
    return pairs


def long_rows(data: Path, name: str, rng: random.Random) -> list[Pair]:
    """The rows of :func:`documents` that are not held out, cut down to what is near the claim."""
    pairs = []
    for pair in documents(data, name, held=False):
        near = nearest_sentences(pair.premise, pair.hypothesis, rng.choice((90, 120, MAX_WORDS)))
        if near:
            pairs.append(replace(pair, premise=near))
    return pairs


def public_pairs(data: Path, rng: random.Random, unseen: set[str], stage: int) -> list[Pair]:
    """Rows of the public sets for the second or third ``stage``, but those with a premise in
    ``unseen``."""
    train: list[Pair] = []
    for name, takes in NLI_SETS.items():
        if not (take := takes[stage]):
            continue
        kept = [p for p in public_rows(data, name, rng) if p.premise not in unseen][:take]
        train += kept
        if name.startswith("paws"):
            # A paraphrase holds in both directions.
            train += [replace(p, premise=p.hypothesis, hypothesis=p.premise) for p in kept]
        if name in LONG_SETS:
            train += long_rows(data, name, rng)
    return [p for p in train if p.premise not in unseen]


PairsOfRow = Callable[[Row, str, str, list[str], list[str], random.Random], list[Pair]]


def made_pairs(data: Path, rng: random.Random, pairs_of: PairsOfRow, most: int) -> list[Pair]:
    """At most ``most`` pairs that ``pairs_of`` makes of the passages that the dev split leaves."""
    train: list[Pair] = []
    for name, take in PASSAGE_SETS.items():
        loaded, answers = passage_rows(data, name, rng)
        names = sorted(names_in(" ".join(row["passage"] for row in loaded[:400])))
        made: list[Pair] = []
        for index, row in enumerate(loaded):
            if len(made) >= take:
                break
            passage = " ".join(row["passage"].split()[:220])
            if held_out(passage, 20):
                continue
            foreign = loaded[index - 1]["passage"]
            made += pairs_of(row, passage, foreign, names, answers[row["passage"]], rng)
        train += [p for p in made[:take] if len(p.premise.split()) <= MAX_WORDS]
    rng.shuffle(train)
    return train[:most]


def passage_pairs(
    row: Row, passage: str, foreign: str, names: list[str], others: list[str], rng: random.Random
) -> list[Pair]:
    """The pairs of one row of a relevance set."""
    found = prompted(row, passage, others, rng)
    if not found or rng.random() < 0.25:
        roll = rng.random()
        if roll < 0.45:
            plain = list(plain_pairs(passage, passage, rng, names, foreign))
        elif roll < 0.70:
            plain = list(detail_pairs(passage, foreign, rng))
        elif roll < 0.92:
            plain = list(fused_pairs(passage, rng, names))
        else:
            plain = list(abstention_pairs(passage, foreign, rng))
        if plain and rng.random() < 0.3:
            plain = opened(plain, rng)
        found += plain
    if rng.random() < 0.015:
        found.append(framing_pair(passage, rng))
    # A copied sentence with another number or a negation is contradicted, not just absent.
    return [
        replace(p, label=CONTRADICTION) if p.kind in ("number", "negated") else p
        for p in found
        if len(p.premise.split()) <= MAX_WORDS
    ]


def rewritten_pairs(
    row: Row, passage: str, foreign: str, names: list[str], others: list[str], rng: random.Random
) -> list[Pair]:
    """The pairs of one row of a relevance set: one or two kinds of them."""
    if (made := prompted(row, passage, others, rng)) and rng.random() < 0.6:
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


def unseen_premises(out: Path) -> set[str]:
    """Premises of the dev rows and the calibration rows, which no later stage may see."""
    files = (out / "nli_dev.jsonl", out / "nli_calibration.jsonl")
    return {row["premise"] for file in files for row in read(file)}


def write_clean(
    path: Path, pairs: Iterable[Pair], evaluated: Evaluated, rng: random.Random
) -> None:
    """Shuffle and write the pairs that are in no evaluation set; print how many of each kind."""
    train = [p for p in pairs if not evaluated.holds_claim(p.premise, p.hypothesis)]
    rng.shuffle(train)
    write(path, train)
    counts = {"sets": Counter(p.kind for p in train), "labels": Counter(p.label for p in train)}
    print(json.dumps({"train": len(train), **counts}, indent=1))


def build_second(data: Path, out: Path) -> None:
    """Write ``out/nli_second_train.jsonl`` and ``out/nli_documents.jsonl`` (held out)."""
    rng = random.Random(SEED + 1)
    evaluated = Evaluated.read(data / "eval")
    pairs = chain(
        public_pairs(data, rng, unseen_premises(out), 2),
        made_pairs(data, rng, passage_pairs, SYNTHETIC),
    )
    write_clean(out / "nli_second_train.jsonl", pairs, evaluated, rng)
    held = [p for name in LONG_SETS for p in documents(data, name, held=True)]
    clean = (p for p in held if not evaluated.holds_claim(p.premise, p.hypothesis))
    write(out / "nli_documents.jsonl", clean)


def build_third(data: Path, out: Path) -> None:
    """Write ``out/nli_third_train.jsonl``."""
    rng = random.Random(SEED + 3)
    pairs = chain(
        public_pairs(data, rng, unseen_premises(out), 3),
        made_pairs(data, rng, rewritten_pairs, REWRITTEN),
        statements(data, rng),
    )
    write_clean(out / "nli_third_train.jsonl", pairs, Evaluated.read(data / "eval"), rng)
