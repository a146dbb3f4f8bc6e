"""Export the large NLI model: ``python -m training.export_large``.

Run it as a process of its own: torch's ONNX export slows the model left in the process. Weights
are kept in 8 bits (:mod:`training.eight_bits`).
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from onnx import TensorProto
from transformers import MPNetForSequenceClassification

from training.eight_bits import compress
from training.export import LABELS, sha256
from training.nli import average

REVISION = "4"
WINDOW = 384
WORDS_FILE = "words.bin"


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
    parser.add_argument("--average", type=Path, help="a second folder, to average with")
    parser.add_argument("--share", type=float, default=0.5, help="of the second (%(default)s)")
    parser.add_argument("--target", type=Path, default=Path("provenance_core/models/nli_large"))
    parser.add_argument("--tokens", type=int, required=True, help="that the training saw")
    arguments = parser.parse_args()
    folder: Path = arguments.target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        source: Path = arguments.source
        if arguments.average is not None:
            source = average(arguments.average, source, Path(scratch), 1 - arguments.share)
        export_onnx(source, plain)
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
