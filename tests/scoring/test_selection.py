"""Selection and weights against numbers worked by hand (paper section 3.2)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance_core.scoring.selection import (
    relevance_probabilities,
    select_top_k,
    select_top_p,
    source_weights,
)

logits = st.lists(st.floats(-30, 30), min_size=1, max_size=40).map(np.array)


def test_softmax_by_hand():
    p = relevance_probabilities(np.array([math.log(1), math.log(2), math.log(5)]))
    assert p == pytest.approx([1 / 8, 2 / 8, 5 / 8])


@pytest.mark.parametrize(
    ("top_p", "expected"),
    [(0.6, [2]), (0.625, [2]), (0.7, [1, 2]), (0.875, [1, 2]), (0.9, [0, 1, 2]), (1.0, [0, 1, 2])],
)
def test_top_p_by_hand(top_p, expected):
    assert select_top_p(np.array([0.125, 0.25, 0.625]), top_p) == expected


def test_top_k_keeps_original_order_and_earlier_of_ties():
    p = np.array([0.2, 0.3, 0.2, 0.3])
    assert select_top_k(p, 3) == [0, 1, 3]
    assert select_top_k(p, 9) == [0, 1, 2, 3]


def test_weights_by_hand():
    weights = source_weights(np.array([0.125, 0.25, 0.625]), [1, 2])
    assert weights == pytest.approx([0, 0.25 / 0.875, 0.625 / 0.875])


@given(logits, st.floats(0.01, 1.0))
def test_top_p_is_minimal_ordered_and_reaches(scores, top_p):
    p = relevance_probabilities(scores)
    assert p.sum() == pytest.approx(1)
    chosen = select_top_p(p, top_p)
    assert chosen == sorted(set(chosen)) and chosen
    total = p[chosen].sum()
    assert total >= top_p - 1e-9
    # Minimal: without its least relevant member the set falls short.
    assert total - p[chosen].min() < top_p
    dropped = [i for i in range(len(p)) if i not in chosen]
    if dropped:
        assert p[dropped].max() <= p[chosen].min()
    assert source_weights(p, chosen).sum() == pytest.approx(1)


@given(logits, st.integers(1, 50))
def test_top_k_count_and_order(scores, k):
    p = relevance_probabilities(scores)
    chosen = select_top_k(p, k)
    assert len(chosen) == min(k, len(p))
    assert chosen == sorted(chosen)
    assert source_weights(p, chosen).sum() == pytest.approx(1)
