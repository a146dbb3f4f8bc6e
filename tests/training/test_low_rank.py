"""Low-rank additions, what they leave as it was, and twins."""

from __future__ import annotations

import copy

import pytest
import torch
from transformers import MPNetConfig, MPNetForSequenceClassification

from training.judged_units import Unit
from training.low_rank import LowRank, made_fast, steps
from training.twins import Example, examples_of_rows, matched, rows_of_examples


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
