"""Training: the loss by hand, the contamination check on a planted row, minimal pairs."""

from __future__ import annotations

import gzip
import json
import math
import random

import pytest

from provenance_core.claims import claim_prompt
from training.contamination import Evaluated, check, normal
from training.minimal_pairs import ENTAILMENT, NOT_SUPPORTED, plain_pairs, prompt_pairs

PASSAGE = (
    "The old bridge was built in Lyon in 1932 by Anna Berg. It was closed by Paul Roux in 1960, "
    "after a fire had damaged two of its piers. The town reopened it (with new lamps) in 1975."
)


@pytest.fixture
def data(tmp_path):
    (tmp_path / "eval" / "relevance").mkdir(parents=True)
    row = {"context": ["A premise of ours."], "answer": "Bob, the tall one, went home at six."}
    with gzip.open(tmp_path / "eval" / "set.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")
    row = {"query": "Who went home?", "passage": "Bob did."}
    with gzip.open(tmp_path / "eval" / "relevance" / "set.jsonl.gz", "wt") as out:
        out.write(json.dumps(row) + "\n")
    return tmp_path


def test_contamination_finds_a_planted_claim_and_pair(data, tmp_path):
    evaluated = Evaluated.read(data / "eval")
    assert evaluated.holds_claim("Anything.", "bob the tall one -- went HOME at six")
    assert not evaluated.holds_claim("A premise of ours.", "Bob went home.")
    assert evaluated.holds_relevance("who went home", "Bob did!")
    clean = {"premise": "A premise of ours.", "hypothesis": "Bob went home."}
    dirty = {"premise": "Else.", "hypothesis": "Bob, the tall one, went home at six."}
    (tmp_path / "nli_train.jsonl").write_text(json.dumps(clean) + "\n")
    assert check(tmp_path, data) == 0
    (tmp_path / "nli_train.jsonl").write_text(json.dumps(clean) + "\n" + json.dumps(dirty) + "\n")
    assert check(tmp_path, data) == 1


def test_normal_form():
    assert normal("  It’s 3,000 — Café! ") == "it s 3 000 café"


def test_plain_pairs_keep_what_their_label_says():
    kinds = set()
    for seed in range(60):
        for pair in plain_pairs(PASSAGE, "g", random.Random(seed), ["Rome"], "Cats sleep a lot."):
            kinds.add(pair.kind)
            if pair.kind == "swap":
                assert pair.label == NOT_SUPPORTED
                assert normal(pair.hypothesis) not in normal(pair.premise)
            if pair.kind == "removed":
                first = pair.hypothesis.split(".")[0]
                assert first not in pair.premise
    assert kinds == {"copy", "swap", "removed", "foreign"}


def test_prompt_pairs_use_the_papers_prompt_for_right_and_wrong_alike():
    query = "When was the bridge built?"
    lengths = {ENTAILMENT: set(), NOT_SUPPORTED: set()}
    for seed in range(80):
        for pair in prompt_pairs(query, "1932", PASSAGE, "g", random.Random(seed), ["1960"]):
            assert pair.hypothesis.startswith(claim_prompt(query, "x")[:-2])
            if pair.label in lengths:
                lengths[pair.label].add(len(pair.hypothesis.split()) > 14)
            if pair.kind == "prompt":
                assert "1932" in pair.premise
    # Both labels come with short and with long answers, so length tells nothing.
    assert lengths[ENTAILMENT] == lengths[NOT_SUPPORTED] == {True, False}


def test_nli_loss_by_hand():
    torch = pytest.importorskip("torch")
    from training.nli import LABELS, nli_loss

    probabilities = [0.7, 0.2, 0.1]
    logits = torch.log(torch.tensor([probabilities]))
    for label, expected in (
        ("entailment", 0.7),
        ("neutral", 0.2),
        ("contradiction", 0.1),
        ("supported", 0.7),
        ("not_supported", 0.3),
    ):
        loss = nli_loss(logits, torch.tensor([LABELS[label]]))
        assert loss.item() == pytest.approx(-math.log(expected), rel=1e-5)


def test_learning_rate_warms_up_holds_and_decays(tmp_path):
    pytest.importorskip("torch")
    from training.loop import Settings, learning_rate

    settings = Settings(tmp_path, 100, 1.0, 64, 32, 1, 0, warm_up=10, decay_share=0.4)
    assert learning_rate(0, settings) == pytest.approx(0.1)
    assert learning_rate(30, settings) == 1.0
    assert learning_rate(80, settings) == pytest.approx(0.5)
    assert learning_rate(99, settings) == pytest.approx(1 / 40)
