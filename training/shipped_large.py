"""Loads the shipped weights of the large NLI model as a float32 torch model, for more training."""

from __future__ import annotations

from pathlib import Path

from transformers import MPNetForSequenceClassification

from training.eight_bits import shipped_weights


def load_shipped(folder: Path, model: MPNetForSequenceClassification) -> None:
    """Put the shipped weights into ``model``.

    Raises RuntimeError if a weight of the model is not in the folder.
    """
    missing, unknown = model.load_state_dict(shipped_weights(folder), strict=False)
    missing = [name for name in missing if not name.endswith("position_ids")]
    if missing or unknown:
        raise RuntimeError(f"{folder}: missing {missing}, unknown {unknown}")
