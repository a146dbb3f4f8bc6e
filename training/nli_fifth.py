"""Builds a fifth NLI file, for the large model alone: pairs that people wrote, each premise among
other sentences, as the scorer reads them.

A chunk of the app has 128 tokens. Most premises of the public sets are one sentence, and the long
ones were those of made pairs, whose claims share their words. ``training.premise_neighbours``
prints what a model loses when other sentences stand beside a premise. The label stays, because the
sentences beside it are of other sources. Some claims are two claims in one sentence, whose premises
stand in different places: a sentence of a summary often joins facts, of which one may be wrong. The
dev rows and the calibration rows of ``training.nli_data`` stay unseen, and so do the files that
nothing is trained on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from provenance_core.lexicon.words import content_words
from provenance_core.text.splitting import sentence_bounds
from training.contamination import Evaluated
from training.minimal_pairs import CONTRADICTION, ENTAILMENT, SUPPORTING, Pair
from training.nli_data import MAX_WORDS, SEED, held_out, passage_rows
from training.nli_fourth import again, earlier_pairs
from training.nli_second import public_pairs, unseen_premises, write_clean

# The most rows of each set whose premise is put among other sentences; None for all.
SETS: dict[str, int | None] = {
    "lingnli.train": 7000,
    "mnli_ni.train": 4500,
    "mnli_olora.train": None,
    "taxinli_mnli.dev": 2000,
    "vitaminc_real.test": 6000,
    "vitaminc_synthetic.test": 500,
    "fever_covidfact.dev": 3500,
    "paws_ni.train": 1000,
    "foolmetwice.dev": None,
    "foolmetwice.test": None,
    "rte.train": None,
    "climatefever.full": 1500,
    "checkcovid.full": None,
    "healthver.dev": None,
    "scifact_covidfact.train": None,
    "covidfact.train": 700,
    "cad_snli.train": 1000,
    "conjnli_adv.train": 700,
    "negnli_mnli.full": 1000,
    "factcg_cg2c_doc.train": None,
    "attributionbench.dev": None,
    "attributionbench.test": None,
    "nli4ct.train": 500,
}
# Rows of two claims in one sentence, made of these sets; half of them are supported, and the others
# have one wrong part.
JOINED = 11000
JOINED_SETS: dict[str, int | None] = {
    "lingnli.train": 14000,
    "mnli_ni.train": 9000,
    "mnli_olora.train": None,
    "vitaminc_real.test": 14000,
    "fever_covidfact.dev": 6000,
    "cad_snli.train": 3000,
    "foolmetwice.dev": None,
}
JOINED_WORDS = 18  # the most of one claim
JOINTS = (", and ", ", and ", " and ", ", while ", ", but ", "; ")
# First words of a claim that lose their capital inside a sentence.
LOWERED = frozenset(
    """a after all an at before both by during for from he her his if in it its many most no of on
    one people several she some that the their there these they this those two we when
    while with you""".split()  # noqa: SIM905
)
# Rows of earlier stages, as they are.
AGAIN = 7000
PASSAGES = ("squadshifts_new_wiki.full", "nq_qed.dev", "squadshifts_reddit.full", "selqa.dev")
# Words that a premise and the sentences beside it have together.
CHUNK_WORDS = (40, 110)
# Of so many premises of other rows, the one that shares most words with the claim is taken.
DRAWN = 30


def passage_sentences(data: Path, rng: random.Random) -> list[list[str]]:
    """The sentences of passages that the dev split leaves, of three sentences or more."""
    found: list[list[str]] = []
    for name in PASSAGES:
        for passage in {row["passage"]: None for row in passage_rows(data, name, rng)[0]}:
            if held_out(" ".join(passage.split()[:220]), 20):
                continue
            sentences = [passage[a:b].strip() for a, b in sentence_bounds(passage)]
            if len(sentences) > 2:
                found.append(sentences)
    rng.shuffle(found)
    return found


def ended(sentence: str) -> str:
    """The sentence with a full stop where it has no sign at its end."""
    return sentence if sentence[-1] in ".!?\"')]”" else f"{sentence}."


def neighbours(pair: Pair, premises: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Premises of other rows, endless: each shares most words with the claim among
    :data:`DRAWN`, and at most half of its words with the premise."""
    claim, own = content_words(pair.hypothesis), content_words(pair.premise)
    while True:
        drawn = [
            (text, content_words(text)) for text in rng.sample(premises, min(DRAWN, len(premises)))
        ]
        others = [
            (len(claim & words), text)
            for text, words in drawn
            if 2 * len(own & words) <= len(words)
        ]
        yield max(others)[1] if others else drawn[0][0]


def among_others(
    pair: Pair,
    premises: Sequence[str],
    passages: Sequence[list[str]],
    rng: random.Random,
    second: str = "",
) -> Pair:
    """The pair with its premise among the sentences of a passage, or of other rows' premises.
    ``second``: another premise that has to stand there as well."""
    most = rng.randint(*CHUNK_WORDS) - len(pair.premise.split()) - len(second.split())
    if rng.random() < 0.4:
        sentences = rng.choice(passages)
        beside = iter(sentences[rng.randrange(len(sentences) - 1) :])
    elif rng.random() < 0.5:
        beside = iter(rng.sample(premises, min(12, len(premises))))
    else:
        beside = neighbours(pair, premises, rng)
    kept: list[str] = []
    for sentence in beside:
        most -= len(sentence.split())
        if most < 0:
            break
        kept.append(ended(sentence))
    for own in (pair.premise, second):
        if own:
            kept.insert(rng.randint(0, len(kept)), ended(own))
    return replace(pair, premise=" ".join(kept))


def joined(first: Pair, second: Pair, joint: str) -> Pair:
    """Both claims in one sentence. It is supported where both are, contradicted where one is, and
    of the other label otherwise. The premise is the first one's."""
    labels = (first.label, second.label)
    wrong = [label for label in labels if label not in SUPPORTING]
    label = CONTRADICTION if CONTRADICTION in wrong else (wrong or [ENTAILMENT])[0]
    head, *rest = second.hypothesis.split(" ", 1)
    tail = " ".join([head.lower() if head.lower() in LOWERED else head, *rest])
    hypothesis = f"{first.hypothesis.rstrip('.!; ')}{joint}{ended(tail)}"
    return replace(first, hypothesis=hypothesis, label=label, kind="joined claims")


def joined_pairs(
    rows: Sequence[Pair], passages: Sequence[list[str]], most: int, rng: random.Random
) -> Iterator[Pair]:
    """``most`` pairs of two claims whose premises stand among other sentences."""
    fit = [
        pair
        for pair in rows
        if 3 < len(pair.hypothesis.split()) <= JOINED_WORDS and len(pair.premise.split()) <= 40
    ]
    right = [pair for pair in fit if pair.label in SUPPORTING]
    wrong = [pair for pair in fit if pair.label not in SUPPORTING]
    premises = [pair.premise for pair in fit]
    for at in range(most):
        both = [rng.choice(right), rng.choice(wrong if at % 2 else right)]
        rng.shuffle(both)
        one = joined(both[0], both[1], rng.choice(JOINTS))
        yield among_others(one, premises, passages, rng, both[1].premise)


def build(data: Path, runs: Path) -> None:
    """Write ``runs/nli_fifth_train.jsonl``; needs the files of the first three stages."""
    rng = random.Random(SEED + 5)
    passages = passage_sentences(data, rng)
    unseen = unseen_premises(runs)
    made: list[Pair] = []
    for name, most in SETS.items():
        rows = public_pairs(data, rng, unseen, {name: most})
        premises = [pair.premise for pair in rows if len(pair.premise.split()) <= 60]
        for pair in rows:
            short = len(pair.premise.split()) < CHUNK_WORDS[1] and len(premises) > DRAWN
            made.append(among_others(pair, premises, passages, rng) if short else pair)
    pool = public_pairs(data, rng, unseen, JOINED_SETS)
    made += joined_pairs(pool, passages, JOINED, rng)
    made = [pair for pair in made if len(pair.premise.split()) <= MAX_WORDS]
    rows_again = again(list(earlier_pairs(runs).values()), AGAIN, rng)
    write_clean(
        runs / "nli_fifth_train.jsonl", [*made, *rows_again], Evaluated.read(data / "eval"), rng
    )
