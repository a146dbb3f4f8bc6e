"""Low-rank additions, what they leave as it was, and twins."""

from __future__ import annotations

import copy

import pytest
import torch
from transformers import MPNetConfig, MPNetForSequenceClassification

from training import low_rank
from training.judged_units import Unit
from training.low_rank import CHECKPOINT, LowRank, made_fast, merge, steps, trained_state
from training.twins import (
    Example,
    _enough,
    examples_of_rows,
    matched,
    rows_of_examples,
    sentence_that_differs,
    silent_passage,
    written_twins,
)


def small() -> MPNetForSequenceClassification:
    torch.manual_seed(1)
    config = MPNetConfig(
        vocab_size=50,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=32,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    config.num_labels = 3
    return MPNetForSequenceClassification(config).eval()


def test_the_fast_model_says_what_the_model_says() -> None:
    plain = small()
    fast = made_fast(copy.deepcopy(plain))
    ids = torch.randint(3, 50, (2, 9))
    mask = torch.ones_like(ids)
    mask[1, 6:] = 0
    with torch.inference_mode():
        before = plain(input_ids=ids, attention_mask=mask).logits
        after = fast(input_ids=ids, attention_mask=mask).logits
    assert torch.allclose(before, after, atol=1e-5)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_share_of_the_addition_is_merged(share: float) -> None:
    torch.manual_seed(2)
    layer = LowRank(torch.nn.Linear(6, 4), rank=2)
    torch.nn.init.normal_(layer.up)
    values = torch.randn(3, 6)
    still, whole = layer.still(values), layer(values)
    merged = layer.merged(share)(values)
    assert torch.allclose(merged, still + share * (whole - still), atol=1e-6)


def test_each_answer_stands_in_one_pair_with_the_closest() -> None:
    right = ["the fee is two euros", "it opens at noon"]
    wrong = ["it opens at ten", "the fee is nine euros"]
    assert set(matched(right, wrong)) == {
        ("the fee is two euros", "the fee is nine euros"),
        ("it opens at noon", "it opens at ten"),
    }


def test_twins_stay_together_in_the_file() -> None:
    unit = Unit("A premise.", "A claim.", "supported", "twins", 9)
    found = [Example((unit, unit)), Example((unit,))]
    assert examples_of_rows(rows_of_examples(found)) == found


def test_a_run_that_goes_on_reads_what_it_has_not_read() -> None:
    widths = [100 + at % 7 for at in range(200)]
    whole = steps(widths, 0)
    assert [next(whole) for _ in range(5)][3:] == [next(later) for later in [steps(widths, 3)] * 2]


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_share_of_layers_that_were_trained_whole_is_merged(share, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(low_rank, "untrained", lambda base: small())
    monkeypatch.setattr(low_rank, "load_shipped", lambda weights, model: None)
    monkeypatch.setattr(low_rank, "LEAST_WHOLE_LAYER", 1)
    model = low_rank.begun(tmp_path, tmp_path, rank=0)
    before = {name: value.clone() for name, value in trained_state(model).items()}
    assert not any("layer.0." in name or "embeddings" in name for name in before)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(parameter.requires_grad * 1.0)
    torch.save({"model": trained_state(model)}, tmp_path / CHECKPOINT)
    merge(tmp_path / CHECKPOINT, tmp_path, tmp_path, share, tmp_path / "final", rank=0)
    whole = MPNetForSequenceClassification.from_pretrained(tmp_path / "final").state_dict()
    for name, value in before.items():
        assert torch.allclose(whole[name], value + share, atol=1e-5)


def test_a_short_group_begins_again_and_a_long_one_is_cut() -> None:
    units = [Example((Unit("A premise.", f"Claim {at}.", "supported", "set", 10),)) for at in "abc"]
    assert _enough(units, 20) == units[:2]
    assert _enough(units, 45) == [*units, *units[:2]]


def test_the_written_twins_differ_and_no_context_stands_twice() -> None:
    found = written_twins()
    assert found
    assert len({each.context for each in found}) == len(found)
    for each in found:
        assert all(passage.strip() for passage in each.context)
        assert all(
            right.strip() and wrong.strip() and right != wrong for right, wrong in each.twins
        )


def test_a_twin_can_be_its_one_sentence_that_differs() -> None:
    right = "The hall seats 410 people in all. The organ was built in 1974."
    wrong = "The hall seats 410 people in all. The organ was built in 1947."
    found = sentence_that_differs(right, wrong)
    assert found == ("The organ was built in 1974.", "The organ was built in 1947.")
    both = right.replace("410", "140"), wrong
    assert sentence_that_differs(*both) == both, "two sentences differ"


def test_a_passage_is_silent_where_another_says_more() -> None:
    organ, hall = "The organ was built in 1974 by Orla Venn.", "The hall has a bar and a shop."
    assert silent_passage([organ, hall], "Orla Venn built the organ in 1974.") == hall
    assert silent_passage([organ, organ], "Orla Venn built the organ in 1974.") is None
    abstention = "The context does not say when Orla Venn built the organ."
    assert silent_passage([organ, hall], abstention) is None, "it may be true of each passage"
