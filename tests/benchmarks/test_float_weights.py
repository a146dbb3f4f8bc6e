"""The shipped weights as a float32 checkpoint of transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from benchmarks.float_weights import write_float_checkpoint
from provenance_core.models.catalogue.profiles import EMBEDDED_NLI, embedded_folder
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder

PAIRS = [
    ("The bridge was opened in 1932.", "It was opened in 1932."),
    ("The bridge was opened in 1932.", "It was opened in 1940."),
    ("Rain fell.", "It was dry."),
]


@pytest.mark.slow
def test_the_checkpoint_is_the_shipped_model(tmp_path: Path) -> None:
    folder = embedded_folder(EMBEDDED_NLI)
    write_float_checkpoint(folder, tmp_path)
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    tokens = AutoTokenizer.from_pretrained(tmp_path)(
        [premise for premise, _ in PAIRS],
        [claim for _, claim in PAIRS],
        padding=True,
        return_tensors="pt",
    )
    with torch.no_grad():
        logits = model(**tokens).logits.numpy()
    ours = CrossEncoder.load(folder).predict(PAIRS)
    # The engine rounds activations in groups; that moves a logit by a few hundredths.
    assert np.abs(logits - ours).max() < 0.15
    assert (logits.argmax(axis=1) == ours.argmax(axis=1)).all()
