"""Training: the loss by hand, the contamination check on a planted row, minimal pairs."""

from __future__ import annotations

import gzip
import json
import math
import random

import pytest

from provenance_core.text.claims import claim_prompt
from training.answer_styles import abstention_pairs, detail_pairs, framing_pair, fused_pairs, opened
from training.contamination import Evaluated, check, normal
from training.minimal_pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NOT_SUPPORTED,
    plain_pairs,
    prompt_pairs,
)
from training.nli_later import nearest_sentences, passage_pairs

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
            if pair.kind in ("swap", "number", "negated"):
                assert pair.label == NOT_SUPPORTED
                assert normal(pair.hypothesis) not in normal(pair.premise)
            if pair.kind == "removed":
                first = pair.hypothesis.split(".")[0]
                assert first not in pair.premise
    assert kinds == {"copy", "swap", "number", "negated", "removed", "foreign"}


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


FOREIGN = "A comet was seen by Tycho Brahe in Prague. It was bright in 1577, and then faded."


def made_by(maker, seeds=80):
    pairs = [pair for seed in range(seeds) for pair in maker(random.Random(seed))]
    assert pairs
    return pairs


def test_details_left_out_are_entailed_and_foreign_ones_are_not():
    pairs = made_by(lambda rng: detail_pairs(PASSAGE, FOREIGN, rng))
    assert {(p.kind, p.label) for p in pairs} == {
        ("detail_out", ENTAILMENT),
        ("detail_in", NEUTRAL),
    }
    for pair in pairs:
        words = set(normal(pair.hypothesis).split())
        assert (words <= set(normal(pair.premise).split())) == (pair.kind == "detail_out")


def test_abstentions_say_of_a_name_in_the_passage_that_it_is_missing():
    for pair in made_by(lambda rng: abstention_pairs(PASSAGE, FOREIGN, rng)):
        held = any(name in pair.hypothesis for name in ("Lyon", "Anna Berg", "Paul Roux"))
        denies = any(word in pair.hypothesis.lower() for word in ("not ", "no "))
        right = held != denies
        assert (pair.label == ENTAILMENT) == right
        assert pair.label == ENTAILMENT or (pair.label == CONTRADICTION) == denies


def test_fused_claims_need_both_places():
    kinds = {}
    for pair in made_by(lambda rng: fused_pairs(PASSAGE, rng, ["Rome"])):
        kinds[pair.kind] = pair.label
        assert "bridge" in pair.hypothesis and "1932" in pair.hypothesis
    assert kinds == {"fused": ENTAILMENT, "fused_swap": NOT_SUPPORTED}


def test_openings_are_the_same_for_right_and_wrong_claims():
    pairs = list(detail_pairs(PASSAGE, FOREIGN, random.Random(3)))
    changed = opened(pairs, random.Random(5))
    assert [p.label for p in changed] == [p.label for p in pairs]
    openings = {
        c.hypothesis[: len(c.hypothesis) - len(p.hypothesis)]
        for c, p in zip(changed, pairs, strict=True)
    }
    assert len(openings) == 1 and openings != {""}
    assert framing_pair(PASSAGE, random.Random(1)).label == "supported"


def test_exchanged_numbers_and_negations_are_contradictions_in_the_second_stage():
    row = {"query": "", "answer": "", "label": 0, "passage": PASSAGE}
    labels = {}
    for pair in made_by(lambda rng: passage_pairs(row, PASSAGE, FOREIGN, ["Rome"], [], rng), 200):
        labels.setdefault(pair.kind, set()).add(pair.label)
    assert labels["number"] == labels["negated"] == {CONTRADICTION}
    assert labels["swap"] == {NOT_SUPPORTED}


def test_nearest_sentences_keep_the_documents_order():
    near = nearest_sentences(PASSAGE, "Anna Berg's bridge of 1932 was reopened in 1975.", 30)
    assert near.startswith("The old bridge") and near.endswith("1975.")
    assert "fire" not in near


def test_nli_loss_by_hand():
    torch = pytest.importorskip("torch")
    from training.loop import LABELS, nli_loss

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


def test_the_average_of_two_stages_by_hand(tmp_path):
    torch = pytest.importorskip("torch")
    from safetensors.torch import load_file, save_file

    from training.nli import average

    for name, value in (("first", 0.0), ("second", 4.0)):
        (tmp_path / name).mkdir()
        save_file({"w": torch.full((2,), value)}, tmp_path / name / "model.safetensors")
        (tmp_path / name / "config.json").write_text("{}")
    folder = average(tmp_path / "first", tmp_path / "second", tmp_path / "mean")
    assert load_file(folder / "model.safetensors")["w"].tolist() == [3.0, 3.0]
    assert (folder / "config.json").exists()


def test_learning_rate_warms_up_holds_and_decays(tmp_path):
    pytest.importorskip("torch")
    from training.loop import Settings, learning_rate

    settings = Settings(tmp_path, 100, 1.0, 64, 32, 1, 0, warm_up=10, decay_share=0.4)
    assert learning_rate(0, settings) == pytest.approx(0.1)
    assert learning_rate(30, settings) == 1.0
    assert learning_rate(80, settings) == pytest.approx(0.5)
    assert learning_rate(99, settings) == pytest.approx(1 / 40)


def test_a_run_that_goes_on_ends_with_the_same_weights(tmp_path):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from training.loop import Progress, Settings, learn, optimizer_of, restore, save_checkpoint

    settings = Settings(tmp_path, 2, 0.1, 64, 32, 1, 0)
    log = tmp_path / "log.jsonl"

    def started():
        torch.manual_seed(0)
        config = transformers.BertConfig(
            vocab_size=8, hidden_size=4, num_hidden_layers=1, num_attention_heads=1,
            intermediate_size=4, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        )  # fmt: skip
        model = transformers.BertForSequenceClassification(config)
        return model, optimizer_of(model.parameters(), 0.1, betas=(0.9, 0.98))

    def stepped(model, optimizer, progress, last):
        def gradients(batch):
            loss = model(torch.tensor([batch])).logits.square().sum()
            loss.backward()
            return loss.item(), len(batch)

        def rate(now):
            return 0.1 * (now.step + 1) if now.step < last else None

        learn(optimizer, [[1, 2, 3]] * 9, gradients, rate, log, progress)
        return progress

    whole = started()
    assert stepped(*whole, Progress(), 3).tokens == 9
    broken = started()
    done = stepped(*broken, Progress(), 2)
    save_checkpoint(settings, *broken, done)
    again = started()
    assert restore(tmp_path / "none", *again, Progress(1)).step == 1
    progress = restore(tmp_path, *again, Progress())
    assert (progress.step, progress.tokens) == (2, 6)
    stepped(*again, progress, 3)
    for one, other in zip(whole[0].parameters(), again[0].parameters(), strict=True):
        assert torch.equal(one, other)
