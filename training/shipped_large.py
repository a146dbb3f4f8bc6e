"""Loads the shipped weights of the large NLI model as a float32 torch model, for more training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import MPNetForSequenceClassification

_PREFIX = "/model/"


def shipped_weights(folder: Path) -> dict[str, torch.Tensor]:
    """Tensors of ``model.onnx`` under the names that transformers gives them.

    Parameters
    ----------
    folder : Path
        The model folder that ``training.export_large`` wrote.

    Returns
    -------
    dict of str to Tensor
        float32; 8-bit matrices are multiplied by their scales.
    """
    graph = onnx.load(str(folder / "model.onnx")).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    found: dict[str, np.ndarray] = {}
    for name, array in arrays.items():
        if name.startswith("model.") and name.endswith("_ints"):
            plain = name.removesuffix("_ints")
            found[plain.removeprefix("model.")] = array * arrays[f"{plain}_scale"][:, None]
        elif name.startswith("model.") and not name.endswith(("_scale", "_axis")):
            found[name.removeprefix("model.")] = array
    for node in graph.node:
        weights = node.input[1].removesuffix("_floats") if node.op_type == "MatMul" else ""
        if f"{weights}_ints" in arrays:
            name = node.name.removeprefix(_PREFIX).removesuffix("/MatMul").replace("/", ".")
            floats = arrays[f"{weights}_ints"] * arrays[f"{weights}_scale"]
            found[f"{name}.weight"] = floats.T
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in found.items()}


def load_shipped(folder: Path, model: MPNetForSequenceClassification) -> None:
    """Put the shipped weights into ``model``.

    Raises
    ------
    RuntimeError
        If a weight of the model is not in the folder.
    """
    missing, unknown = model.load_state_dict(shipped_weights(folder), strict=False)
    missing = [name for name in missing if not name.endswith("position_ids")]
    if missing or unknown:
        raise RuntimeError(f"{folder}: missing {missing}, unknown {unknown}")
