"""Rewritten sentences as training pairs: order, omission, exchanged roles, marked changes."""

from __future__ import annotations

import random

import pytest

from training import relevance_data
from training.contamination import normal
from training.minimal_pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_SUPPORTED
from training.relevance import softened
from training.rewrites import (
    dialogue_pairs,
    number_pairs,
    order_pairs,
    reordered,
    roles_exchanged,
    shortened,
    spliced_pairs,
    summary_pairs,
)
from training.span_head import changed_span, whole_words

PASSAGE = (
    "The old bridge over the river was built by Anna Berg in 1932. It was closed in 1960, after "
    "a fire had damaged two of its piers. The town council bought a ferry for the summer months. "
    "Paul Roux and Maria Diaz led the repair of the bridge, which took 7 years. "
    "The new bridge has four lanes and a path for walkers."
)
FOREIGN = "A comet was seen by Tycho Brahe in Prague. It was bright in 1577, and then it faded."
NAMES = ["Rome", "John Hall"]


def made_by(maker, seeds=120):
    pairs = [pair for seed in range(seeds) for pair in maker(random.Random(seed))]
    assert pairs
    return pairs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The old bridge was built here in 1932.", "In 1932, the old bridge was built here."),
        ("In the year 1932, Anna Berg built it.", "Anna Berg built it in the year 1932."),
        ("Berlin and Rome are large cities.", "Rome and Berlin are large cities."),
        ("The cat sleeps on a mat all day.", None),
    ],
)
def test_another_order_keeps_every_word(text, expected):
    assert reordered(text, random.Random(0)) == expected


def test_exchanged_roles_keep_the_words_and_change_the_sentence():
    text = "The dog of Anna Berg bit the postman in Lyon."
    for seed in range(30):
        changed = roles_exchanged(text, random.Random(seed))
        assert changed is not None
        assert changed != text
        assert sorted(normal(changed).split()) == sorted(normal(text).split())


@pytest.mark.parametrize("text", ["Anna Berg and Paul Roux sang.", "He sat there and slept."])
def test_parts_about_an_and_are_not_exchanged(text):
    assert all(roles_exchanged(text, random.Random(seed)) is None for seed in range(20))


def test_shortened_sentences_add_nothing_but_a_number_in_words_or_digits():
    spelt = {"2": "two", "two": "2", "7": "seven", "four": "4"}
    for seed in range(80):
        rng = random.Random(seed)
        for sentence in PASSAGE.split(". "):
            words = set(normal(sentence).split())
            words |= {spelt[word] for word in words if word in spelt}
            shorter = shortened(sentence, rng)
            assert set(normal(shorter).split()) <= words
            assert shorter.endswith(".")


def test_labels_of_each_kind():
    makers = [
        lambda rng: order_pairs(PASSAGE, rng),
        lambda rng: spliced_pairs(PASSAGE, rng),
        lambda rng: summary_pairs(PASSAGE, rng, NAMES),
        lambda rng: dialogue_pairs(PASSAGE, FOREIGN, rng, NAMES),
        lambda rng: number_pairs(PASSAGE, rng),
    ]
    pairs = [pair for maker in makers for pair in made_by(maker)]
    assert {(p.kind, p.label) for p in pairs} == {
        ("reordered", ENTAILMENT),
        ("roles", NOT_SUPPORTED),
        ("short", ENTAILMENT),
        ("spliced", NOT_SUPPORTED),
        ("summary", ENTAILMENT),
        ("summary_swap", NOT_SUPPORTED),
        ("reply", ENTAILMENT),
        ("reply_wrong", NOT_SUPPORTED),
        ("reply_wrong", NEUTRAL),
        ("number_right", ENTAILMENT),
        ("number_wrong", CONTRADICTION),
    }
    for pair in pairs:
        inside = normal(pair.hypothesis) in normal(pair.premise)
        if pair.label in (NOT_SUPPORTED, CONTRADICTION):
            assert not inside, pair
        if pair.kind == "number_right":
            assert inside


def test_a_splice_joins_two_sentences_that_are_both_in_the_premise():
    for pair in made_by(lambda rng: spliced_pairs(PASSAGE, rng)):
        if pair.kind == "spliced":
            first = normal(pair.hypothesis).split()[:3]
            assert " ".join(first) in normal(pair.premise)


def test_changed_span_covers_whole_words():
    assert changed_span("It has 12 rooms.", "It has 15 rooms.") == (7, 9)
    wrong = "Built by Paul Roux in Lyon."
    start, end = changed_span("Built by Anna Berg in Lyon.", wrong)
    assert wrong[start:end] == "Paul Roux"
    assert changed_span("It has 12 rooms.", "It has rooms.") is None
    assert whole_words("a longer word", 4, 5) == (2, 8)


@pytest.mark.parametrize(
    ("label", "cosine", "low", "high"), [(1, 0.9, 0.98, 1.0), (0, 0.9, 0.2, 0.25), (0, 0, 0, 0.01)]
)
def test_relevance_targets_move_towards_the_base_encoder(label, cosine, low, high):
    assert low <= softened({"label": label, "cosine": cosine}, 0.25) <= high


def test_relevance_rows_leave_the_dev_queries_out(tmp_path, monkeypatch):
    import gzip
    import json

    from training.nli_data import held_out

    folder = tmp_path / "train" / "relevance"
    folder.mkdir(parents=True)
    rows = [
        {"query": f"q{i}", "passage": f"p{i} {j}", "label": int(j == 0), "answer": None}
        for i in range(100)
        for j in range(4)
    ]
    with gzip.open(folder / "set.jsonl.gz", "wt") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    monkeypatch.setattr(relevance_data, "LATER", {"set": ((100, 2), (0, 0))})
    made = relevance_data.later_rows(tmp_path, 0, random.Random(0), 80)
    assert not relevance_data.later_rows(tmp_path, 1, random.Random(0), 80)
    asked = {row["query"] for row in made}
    assert asked == {f"q{i}" for i in range(100) if not held_out(f"q{i}", 25)}
    assert len(made) == 3 * len(asked)  # one relevant and two others
