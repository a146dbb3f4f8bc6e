"""Weights in a file of 8-bit integers, with torch and safetensors alone.

A matrix has a scale for each of its rows; what is small stays float32.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from transformers import MPNetConfig, MPNetForSequenceClassification

_LEAST = 100_000  # values of a matrix; smaller tensors stay floats
_SCALE = "|scale"


def write(model: MPNetForSequenceClassification, path: Path) -> None:
    """Write the model's weights in 8 bits, and its configuration."""
    tensors: dict[str, torch.Tensor] = {}
    for name, value in model.state_dict().items():
        kept = value.detach().float().cpu()
        if kept.ndim == 2 and kept.numel() >= _LEAST:
            scale = kept.abs().amax(dim=1).clamp_min(1e-12) / 127.0
            tensors[name] = (kept / scale[:, None]).round().clamp(-127, 127).to(torch.int8)
            tensors[name + _SCALE] = scale
        elif kept.is_floating_point():
            tensors[name] = kept.contiguous()
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, path, metadata={"config": json.dumps(model.config.to_dict())})


def read(path: Path) -> MPNetForSequenceClassification:
    """The model that :func:`write` wrote, in float32. Raises RuntimeError if a weight of the model
    is not in the file."""
    with safe_open(path, framework="pt") as file:
        config: dict[str, Any] = json.loads(file.metadata()["config"])
        held = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    state = {
        name: value.float() * held[name + _SCALE][:, None] if name + _SCALE in held else value
        for name, value in held.items()
        if not name.endswith(_SCALE)
    }
    model = MPNetForSequenceClassification(MPNetConfig(**config))
    missing, unknown = model.load_state_dict(state, strict=False)
    missing = [name for name in missing if not name.endswith("position_ids")]
    if missing or unknown:
        raise RuntimeError(f"{path}: missing {missing}, unknown {unknown}")
    return model
