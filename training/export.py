"""Export a trained model: ``python -m training.export nli|relevance|nli_large``.

Run it as a process of its own: torch's ONNX export slows the model left in the process. The NLI
models keep their activations as floats (:mod:`training.eight_bits`), the relevance model is int8.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file
from transformers import BertForSequenceClassification, BertModel, MPNetForSequenceClassification

from provenance_core.models.checkpoints.files import sha256_of
from training.command import MODELS, RUNS, options, tokenizer_of
from training.eight_bits import compress
from training.loop import base_folder
from training.nli import average
from training.relevance import TEACHER_MIDDLE, TEACHER_SLOPE
from training.span_head import FILE as SPAN_HEAD

REVISIONS = {"nli": "5", "relevance": "4", "nli_large": "6"}
# The run whose weights are exported.
TRAINED = {"nli": "distil_average", "relevance": "relevance_fourth", "nli_large": "nli_large"}
NLI_LABELS = ("entailment", "neutral", "contradiction")
WORDS_FILE = "words.bin"
# What a manifest says of each model; engines: the fastest first.
DESCRIBED: Mapping[str, Mapping[str, Any]] = {
    "nli": {
        "model_id": "provenance-nli-minilm-22m",
        "task": "nli",
        "labels": NLI_LABELS,
        "max_length": 256,
        "engines": ("openvino", "onnxruntime"),
        "base": "all-MiniLM-L6-v2",
    },
    "relevance": {
        "model_id": "provenance-relevance-minilm-22m",
        "task": "relevance",
        "labels": ("relevance",),
        "max_length": 256,
        "engines": ("onnxruntime",),
        "base": "all-MiniLM-L6-v2",
    },
    "nli_large": {
        "model_id": "provenance-nli-mpnet-109m",
        "task": "nli",
        "labels": NLI_LABELS,
        "max_length": 384,
        "engines": ("openvino", "onnxruntime"),
        "base": "all-mpnet-base-v2",
    },
}


class WithSpanHead(torch.nn.Module):
    """A sequence classifier and the span head on the same last hidden states."""

    def __init__(self, model: BertForSequenceClassification, head: Path) -> None:
        super().__init__()
        self.model = model
        self.head = torch.nn.Linear(model.config.hidden_size, 1)
        self.head.load_state_dict(load_file(head))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of the classes (B, labels) and of each token being unsupported (B, L)."""
        states = self.model.bert(input_ids, attention_mask, token_type_ids)
        logits = self.model.classifier(states.pooler_output)
        return logits, self.head(states.last_hidden_state).squeeze(-1)


class WithBaseEncoder(torch.nn.Module):
    """A relevance cross-encoder and the base encoder that it adds to, on one matrix of words."""

    def __init__(self, model: BertForSequenceClassification) -> None:
        super().__init__()
        self.model = model
        self.base = BertModel.from_pretrained(
            base_folder(), add_pooling_layer=False, attn_implementation="eager", dtype=torch.float32
        )
        words = model.bert.embeddings.word_embeddings
        if not torch.equal(words.weight, self.base.embeddings.word_embeddings.weight):
            raise SystemExit("the word embeddings are not the base's: train with them frozen")
        self.base.embeddings.word_embeddings = words

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The logit of a pair (B, 1), and the vector of a single text (B, hidden size). A pair's
        relevance is its logit plus the dot product of its texts' vectors: mean of the last hidden
        states, of length sqrt(TEACHER_SLOPE). TEACHER_MIDDLE is in the logit."""
        logits = self.model(input_ids, attention_mask, token_type_ids).logits
        states = self.base(input_ids, attention_mask, token_type_ids).last_hidden_state
        held = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * held).sum(1) / held.sum(1)
        unit = mean / mean.pow(2).sum(1, keepdim=True).sqrt()
        return logits - TEACHER_SLOPE * TEACHER_MIDDLE, unit * TEACHER_SLOPE**0.5


class Logits(torch.nn.Module):
    """Token ids and their mask into logits (B, 3)."""

    def __init__(self, model: MPNetForSequenceClassification) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Logits of the classes."""
        return self.model(input_ids=input_ids, attention_mask=attention_mask).logits


def export_onnx(source: Path, path: Path, task: str) -> None:
    """The float32 graph with dynamic batch and length. Where the source has a span head, the graph
    has a second output, one logit for each token; that of the relevance model has one of the base
    encoder's vectors."""
    inputs, outputs = ["input_ids", "attention_mask"], ["logits"]
    model: torch.nn.Module
    if task == "nli_large":
        large = MPNetForSequenceClassification.from_pretrained(source, dtype=torch.float32)
        model = Logits(large)
    else:
        inputs.append("token_type_ids")
        classifier = BertForSequenceClassification.from_pretrained(
            source, attn_implementation="eager", dtype=torch.float32
        )
        model = classifier
        if (source / SPAN_HEAD).exists():
            model = WithSpanHead(classifier, source / SPAN_HEAD)
            outputs.append("token_logits")
        if task == "relevance":
            model = WithBaseEncoder(classifier)
            outputs.append("vectors")
    model.eval()
    # Two rows of eight tokens: a size of one would be taken for a constant.
    ones = torch.ones(2, 8, dtype=torch.long)
    example = {"input_ids": 5 * ones, "attention_mask": ones, "token_type_ids": 0 * ones}
    torch.onnx.export(
        model,
        tuple(example[name] for name in inputs),
        str(path),
        input_names=inputs,
        output_names=outputs,
        dynamic_axes={
            **{name: {0: "batch", 1: "tokens"} for name in [*inputs, "token_logits"]},
            **{name: {0: "batch"} for name in ("logits", "vectors")},
        },
        opset_version=17,
        dynamo=False,
    )


def fuse(path: Path, fused: Path) -> None:
    """Attention, layer norm and GELU as single operators (ONNX Runtime's BERT optimiser)."""
    from onnxruntime.transformers.fusion_options import FusionOptions
    from onnxruntime.transformers.optimizer import optimize_model

    options = FusionOptions("bert")
    # It cannot fuse the embeddings of two encoders in one graph.
    options.enable_embed_layer_norm = False
    optimize_model(
        str(path), model_type="bert", num_heads=12, hidden_size=384, optimization_options=options
    ).save_model_to_file(str(fused))


def quantise(path: Path, target: Path) -> None:
    """int8 weights a channel. Reduced range: without VNNI, AVX2 sums of full-range products
    saturate, and the same file has to be right on both."""
    quantize_dynamic(
        str(path),
        str(target),
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        # Fused operators are not of ONNX's own domain, so their types cannot be inferred.
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )


def save_with_words(model: onnx.ModelProto, folder: Path) -> None:
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


def write_manifest(
    folder: Path, name: str, calibration: Mapping[str, object], threshold: float, **more: int
) -> None:
    """manifest.json of a model folder: what it is and what its files must hash to. Support maps
    stay until new ones are fitted, with the threshold of 0.5 that they are scaled for."""
    path = folder / "manifest.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept = {name: before[name] for name in ("support", "second_support") if name in before}
    files = [
        file for file in ("model.onnx", WORDS_FILE, "tokenizer.json") if (folder / file).exists()
    ]
    manifest = {
        **DESCRIBED[name],
        "revision": REVISIONS[name],
        "calibration": calibration,
        "default_threshold": 0.5 if kept else threshold,
        "files": {file: sha256_of(folder / file) for file in files},
        "license": "Apache-2.0",
        **kept,
        **more,
    }
    path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    for file in files:
        print(f"{folder / file}: {(folder / file).stat().st_size / 1e6:.1f} MB")


def main() -> None:
    """Export, compress, write the model folder (uncalibrated; see training.calibrate)."""
    parser = options(__doc__)
    parser.add_argument("task", choices=sorted(DESCRIBED))
    parser.add_argument("--source", type=Path, help="default: what training wrote")
    parser.add_argument("--target", type=Path, help="default: provenance_core/models/TASK")
    parser.add_argument("--base", type=Path, help="nli_large: folder of all-mpnet-base-v2")
    parser.add_argument("--average", type=Path, help="a second folder, to average with")
    parser.add_argument("--share", type=float, default=0.5, help="of the second (%(default)s)")
    parser.add_argument("--tokens", type=int, help="nli_large: that the training saw")
    arguments = parser.parse_args()
    task: str = arguments.task
    large = task == "nli_large"
    if large and (arguments.base is None or arguments.tokens is None):
        parser.error("nli_large needs --base and --tokens")
    source: Path = arguments.source or RUNS / TRAINED[task] / "final"
    folder: Path = arguments.target or MODELS / task
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain, fused = Path(scratch) / "plain.onnx", Path(scratch) / "fused.onnx"
        if arguments.average is not None:
            source = average(arguments.average, source, Path(scratch), 1 - arguments.share)
        export_onnx(source, plain, task)
        if task == "relevance":
            fuse(plain, fused)
            quantise(fused, folder / "model.onnx")
        elif large:
            save_with_words(compress(onnx.load(str(plain))), folder)
        else:
            onnx.save(compress(onnx.load(str(plain))), str(folder / "model.onnx"))
    onnx.checker.check_model(str(folder / "model.onnx"), full_check=False)
    if large:
        shutil.copy(arguments.base / "tokenizer.json", folder)
    else:
        tokenizer_of(base_folder()).save(str(folder / "tokenizer.json"), pretty=False)
    more = {"training_tokens": arguments.tokens} if large else {}
    write_manifest(folder, task, {"slope": 1.0, "intercept": 0.0}, 0.5, **more)


if __name__ == "__main__":
    main()
