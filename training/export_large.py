"""Export the large NLI model: ``python -m training.export_large``.

Run it as a process of its own: torch's ONNX export slows the model left in the process. Weights
are kept in 8 bits, a scale for each output (a matrix) or each word (the embeddings); both runtimes
make floats of them when they load the file, so that activations are never rounded.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from transformers import MPNetForSequenceClassification

from training.export import LABELS, sha256

REVISION = "3"
WINDOW = 384
WORDS_FILE = "words.bin"
# Smaller tensors stay floats: biases, norms, the classifier.
_LEAST = 100_000


class Logits(torch.nn.Module):
    """Token ids and their mask into logits (B, 3)."""

    def __init__(self, model: MPNetForSequenceClassification) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Logits of the classes."""
        return self.model(input_ids=input_ids, attention_mask=attention_mask).logits


def export_onnx(source: Path, path: Path) -> None:
    """The float32 graph with dynamic batch and length."""
    model = MPNetForSequenceClassification.from_pretrained(source, dtype=torch.float32).eval()
    example = torch.full((2, 8), 5, dtype=torch.long)
    names = ["input_ids", "attention_mask"]
    torch.onnx.export(
        Logits(model),
        (example, torch.ones_like(example)),
        str(path),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={
            **{name: {0: "batch", 1: "tokens"} for name in names},
            "logits": {0: "batch"},
        },
        opset_version=17,
        dynamo=False,
    )


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


def save(model: onnx.ModelProto, folder: Path) -> None:
    """``model.onnx``, and the word embeddings in a file of their own (no file over 95 MB)."""
    largest = max(model.graph.initializer, key=lambda t: len(t.raw_data))
    (folder / WORDS_FILE).write_bytes(largest.raw_data)
    size = len(largest.raw_data)
    largest.ClearField("raw_data")
    largest.data_location = TensorProto.EXTERNAL
    for key, value in (("location", WORDS_FILE), ("offset", "0"), ("length", str(size))):
        entry = largest.external_data.add()
        entry.key, entry.value = key, value
    onnx.save(model, str(folder / "model.onnx"))


def main() -> None:
    """Export, compress, write the model folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--source", type=Path, default=Path("training/runs/nli_large/final"))
    parser.add_argument("--target", type=Path, default=Path("provenance_core/models/nli_large"))
    parser.add_argument("--tokens", type=int, required=True, help="that the training saw")
    arguments = parser.parse_args()
    folder: Path = arguments.target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        export_onnx(arguments.source, plain)
        save(compress(onnx.load(str(plain))), folder)
    onnx.checker.check_model(str(folder / "model.onnx"))
    shutil.copy(arguments.base / "tokenizer.json", folder / "tokenizer.json")
    names = ("model.onnx", WORDS_FILE, "tokenizer.json")
    manifest = {
        "model_id": "provenance-nli-mpnet-109m",
        "revision": REVISION,
        "task": "nli",
        "labels": LABELS["nli"],
        "max_length": WINDOW,
        "calibration": {"slope": 1.0, "intercept": 0.0},
        "default_threshold": 0.5,
        "engines": ["openvino", "onnxruntime"],
        "files": {name: sha256(folder / name) for name in names},
        "license": "Apache-2.0",
        "base": "all-mpnet-base-v2",
        "training_tokens": arguments.tokens,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    for name in names:
        print(f"{folder / name}: {(folder / name).stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
