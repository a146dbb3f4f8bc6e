"""The large model's file gives the same scores on both engines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from provenance_core import ModelError
from provenance_core.models.engines import ONNX_RUNTIME, OPENVINO, open_engine
from provenance_core.models.onnx_pairs import MODEL_FILE, CrossEncoder
from provenance_core.models.profiles import EMBEDDED_NLI_LARGE, embedded_folder

PAIRS = [
    ("The bridge is nearly 8 km long.", "The bridge is about 8 kilometres long."),
    ("Trains and cars cross it every day of the year.", "It carries no railway."),
]


def test_both_engines_score_alike():
    pytest.importorskip("openvino")
    folder = embedded_folder(EMBEDDED_NLI_LARGE)
    model = CrossEncoder.load(folder)
    on = {
        name: model.on(open_engine(folder / MODEL_FILE, (name,))).predict(PAIRS)
        for name in (ONNX_RUNTIME, OPENVINO)
    }
    # bfloat16 activations, where a processor has units for them, move a logit by less than this.
    assert np.abs(on[ONNX_RUNTIME] - on[OPENVINO]).max() < 0.3
    assert (on[ONNX_RUNTIME].argmax(axis=1) == on[OPENVINO].argmax(axis=1)).all()


def test_without_an_engine_the_message_says_what_to_install():
    with pytest.raises(ModelError, match="none of another is installed"):
        open_engine(Path("model.onnx"), ("another",))
