"""Distillation: the loss by hand, pairs without a label, a teacher that goes on."""

from __future__ import annotations

import gzip
import json
import math
import random

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

import torch

from training.distil import (
    NO_LABEL,
    TEMPERATURE,
    distil_loss,
    document_pairs,
    exchanged_pairs,
    question_pairs,
    say,
)
from training.loop import LABELS
from training.minimal_pairs import Pair


def count(texts):
    return [len(text.split()) for text in texts]


def softened(logits):
    powers = [math.exp(logit / TEMPERATURE) for logit in logits]
    return [power / sum(powers) for power in powers]


TEACHER, STUDENT = [2.0, 0.0, -2.0], [0.5, 1.0, -1.0]


def divergence():
    p, q = softened(TEACHER), softened(STUDENT)
    return TEMPERATURE**2 * sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))


def loss_of(*labels):
    targets = torch.tensor([[*TEACHER, float(label)] for label in labels])
    return distil_loss(torch.tensor([STUDENT] * len(labels)), targets).item()


def test_a_pair_without_a_label_follows_the_teacher_alone():
    assert loss_of(-1) == pytest.approx(divergence(), rel=1e-5)
    same = distil_loss(torch.tensor([TEACHER]), torch.tensor([[*TEACHER, -1.0]]))
    assert same.item() == pytest.approx(0.0, abs=1e-6)


def test_a_labelled_pair_follows_teacher_and_label_by_halves():
    powers = [math.exp(logit) for logit in STUDENT]
    for label, said in (
        ("entailment", powers[0]),
        ("contradiction", powers[2]),
        ("supported", powers[0]),
        ("not_supported", powers[1] + powers[2]),
    ):
        expected = (divergence() - math.log(said / sum(powers))) / 2
        assert loss_of(LABELS[label]) == pytest.approx(expected, rel=1e-5)
        assert loss_of(LABELS[label], -1) == pytest.approx((expected + divergence()) / 2, rel=1e-5)


class Counting:
    """Says the length of both texts and 0, and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def predict(self, pairs):
        self.asked += pairs
        return np.array([[len(first), len(second), 0] for first, second in pairs], float)


def test_a_teacher_that_stopped_is_asked_only_for_the_rest(tmp_path):
    pairs = [("a" * n, "b") for n in range(5)]
    path = tmp_path / "said.bin"
    say(Counting(), pairs[:2], path)
    path.write_bytes(path.read_bytes() + b"part")  # of a row
    teacher = Counting()
    said = say(teacher, pairs, path)
    assert teacher.asked == pairs[2:]
    assert said.tolist() == [[n, 1, 0] for n in range(5)]
    assert say(Counting(), pairs[:3], path).shape == (3, 3)


def test_a_claim_meets_every_chunk_of_its_document():
    document = "One mill stands here. " * 30 + "Its owner is Ida Holm."
    pair = Pair(document, "Ida Holm owns it.", "supported", "kind", document)
    made = list(document_pairs([pair], count))
    assert len(made) > 1
    assert " ".join(p.premise for p in made) == document
    assert {(p.hypothesis, p.label) for p in made} == {("Ida Holm owns it.", NO_LABEL)}


def test_a_claim_meets_the_nearest_other_premise_of_its_kind():
    rows = [
        {"premise": premise, "hypothesis": claim, "kind": kind}
        for premise, claim, kind in (
            ("The mill has twelve rooms.", "The mill has ten rooms.", "a"),
            ("The mill burnt down.", "There was a fire.", "a"),
            ("Cats sleep.", "Cats are awake.", "a"),
            ("The mill has ten rooms.", "It has rooms.", "b"),
        )
    ]
    made = list(exchanged_pairs(rows, random.Random(1)))
    assert (made[0].premise, made[0].hypothesis) == ("The mill burnt down.", rows[0]["hypothesis"])
    # The only premise of its kind has no other one.
    assert len(made) == 3
    assert {p.label for p in made} == {NO_LABEL}


def test_answers_meet_passages_of_their_question(tmp_path):
    folder = tmp_path / "train" / "relevance"
    folder.mkdir(parents=True)
    rows = [
        {"query": "Who owns it?", "passage": f"Mill {n} is Ida's.", "answer": "Ida", "label": 1}
        for n in range(60)
    ]
    rows += [{"query": "Who owns it?", "passage": "No mill.", "answer": None, "label": 0}]
    with gzip.open(folder / "set.jsonl.gz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    made = question_pairs(tmp_path, "set", random.Random(1), count)
    assert {p.hypothesis for p in made} == {"The answer to question Who owns it? is Ida."}
    # A passage of the dev split is left out.
    assert 40 < len({p.premise for p in made}) < 61
