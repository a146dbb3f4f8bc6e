"""Weights in 8 bits inside an ONNX file, activations in floats: written by :func:`compress`, read
back as floats by :func:`shipped_weights`.

A matrix has a scale for each of its outputs, the embeddings one for each row. Both engines make
floats of them when they load the file, or multiply the integers themselves.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

# Smaller tensors stay floats: biases, norms, the classifier.
_LEAST = 100_000
_WRAPPER = "model"


def rounded(values: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """int8 values and their float32 scales along ``axis``: values = ints x scale."""
    others = tuple(i for i in range(values.ndim) if i != axis)
    scale = np.maximum(np.abs(values).max(axis=others), 1e-12) / 127.0
    shape = [1] * values.ndim
    shape[axis] = -1
    ints = np.clip(np.rint(values / scale.reshape(shape)), -127, 127).astype(np.int8)
    return ints, scale.astype(np.float32)


def looked_up(name: str, node: onnx.NodeProto) -> list[onnx.NodeProto]:
    """In the place of ``node``, which looks up rows of the matrix ``name``: rows of its integers,
    each multiplied by its scale."""
    rows, of_rows = f"{name}_rows", f"{name}_row_scales"
    return [
        helper.make_node("Gather", [f"{name}_ints", node.input[1]], [rows], axis=0),
        helper.make_node("Cast", [rows], [f"{rows}_float"], to=TensorProto.FLOAT),
        helper.make_node("Gather", [f"{name}_scale", node.input[1]], [of_rows], axis=0),
        helper.make_node("Unsqueeze", [of_rows, f"{name}_axis"], [f"{of_rows}_1"]),
        helper.make_node("Mul", [f"{rows}_float", f"{of_rows}_1"], list(node.output)),
    ]


def compress(model: onnx.ModelProto) -> onnx.ModelProto:
    """Large matrices as 8-bit integers: dequantised where they are multiplied, or after their
    rows are looked up."""
    graph = model.graph
    used = {name: node for node in graph.node for name in node.input}
    kept: list[TensorProto] = []
    before: list[onnx.NodeProto] = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        node = used[tensor.name]
        large = values.dtype == np.float32 and values.ndim == 2 and values.size >= _LEAST
        if not large or node.op_type not in ("Gather", "MatMul"):
            kept.append(tensor)
            continue
        axis = 0 if node.op_type == "Gather" else 1
        ints, scale = rounded(values, axis)
        kept += [
            numpy_helper.from_array(ints, f"{tensor.name}_ints"),
            numpy_helper.from_array(scale, f"{tensor.name}_scale"),
        ]
        if node.op_type == "Gather":
            at = list(graph.node).index(node)
            made = looked_up(tensor.name, node)
            kept.append(numpy_helper.from_array(np.array([-1]), f"{tensor.name}_axis"))
            graph.node.remove(node)
            for offset, each in enumerate(made):
                graph.node.insert(at + offset, each)
        else:
            floats = f"{tensor.name}_floats"
            before.append(
                helper.make_node(
                    "DequantizeLinear",
                    [f"{tensor.name}_ints", f"{tensor.name}_scale"],
                    [floats],
                    axis=axis,
                )
            )
            for other in graph.node:
                for place, name in enumerate(other.input):
                    if name == tensor.name:
                        other.input[place] = floats
    del graph.initializer[:]
    graph.initializer.extend(kept)
    for node in reversed(before):
        graph.node.insert(0, node)
    return model


def shipped_weights(folder: Path) -> dict[str, torch.Tensor]:
    """Tensors of ``model.onnx`` under the names that transformers gives them. float32; 8-bit
    matrices are multiplied by their scales."""
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
            # "/model/encoder/layer.0/.../MatMul", and "/model//model/..." of a model in a model.
            parts = [part for part in node.name.split("/") if part not in ("", _WRAPPER)]
            name = ".".join(parts[:-1])
            floats = arrays[f"{weights}_ints"] * arrays[f"{weights}_scale"]
            found[f"{name}.weight"] = floats.T
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in found.items()}


def load_shipped(folder: Path, model: torch.nn.Module) -> None:
    """Put the shipped weights into ``model``. Raises RuntimeError if a weight of the model is not
    in the folder."""
    missing, unknown = model.load_state_dict(shipped_weights(folder), strict=False)
    missing = [name for name in missing if not name.endswith("position_ids")]
    if missing or unknown:
        raise RuntimeError(f"{folder}: missing {missing}, unknown {unknown}")
