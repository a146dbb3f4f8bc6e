"""Which pairs run together: as many as fit, but none that padding makes dearer than a batch."""

from __future__ import annotations

import numpy as np
import pytest

from provenance_core.models.onnx_models.cross_encoder import (
    _BATCH_COST,
    _BATCH_TOKENS,
    _batch_size,
)


@pytest.mark.parametrize(
    ("lengths", "together"),
    [
        ([100] * 5, 5),  # no padding
        ([_BATCH_TOKENS // 4] * 9, 4),  # no more fit
        ([_BATCH_TOKENS * 2, 10], 1),  # one pair is never cut
        ([150, 150, 30, 30, 30, 30], 2),  # 480 tokens of padding saved
        ([150, 149, 148, 147], 4),  # too little to save
        ([150, 20], 2),  # padding one pair costs less than a batch
    ],
)
def test_pairs_run_together_while_padding_costs_less_than_a_batch(lengths, together):
    assert _BATCH_COST == 192
    assert _batch_size(np.array(lengths)) == together
