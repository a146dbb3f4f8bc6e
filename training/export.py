"""Export a trained model: ``python -m training.export nli|relevance``.

Run it as a process of its own: torch's ONNX export slows the model left in the process. The NLI
model keeps its activations as floats (:mod:`training.eight_bits`), the relevance model is int8.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file
from transformers import BertForSequenceClassification, BertModel

from training.eight_bits import compress
from training.loop import base_folder, base_tokenizer
from training.relevance import TEACHER_MIDDLE, TEACHER_SLOPE
from training.span_head import FILE as SPAN_HEAD

REVISIONS = {"nli": "5", "relevance": "4"}
# What runs each file, the fastest first.
ENGINES = {"nli": ["openvino", "onnxruntime"], "relevance": ["onnxruntime"]}
# The run whose weights are exported.
TRAINED = {"nli": "distil_average", "relevance": "relevance_fourth"}
WINDOW = 256
LABELS = {"nli": ["entailment", "neutral", "contradiction"], "relevance": ["relevance"]}


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
            base_folder(),
            add_pooling_layer=False,
            attn_implementation="eager",
            dtype=torch.float32,
        )
        words = model.bert.embeddings.word_embeddings
        if not torch.equal(words.weight, self.base.embeddings.word_embeddings.weight):
            raise SystemExit("the word embeddings are not the base's: train with them frozen")
        self.base.embeddings.word_embeddings = words

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The logit of a pair (B, 1), and the vector of a single text (B, hidden size).

        A pair's relevance is its logit plus the dot product of its texts' vectors: mean of the
        last hidden states, of length sqrt(TEACHER_SLOPE). TEACHER_MIDDLE is in the logit.
        """
        logits = self.model(input_ids, attention_mask, token_type_ids).logits
        states = self.base(input_ids, attention_mask, token_type_ids).last_hidden_state
        held = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * held).sum(1) / held.sum(1)
        unit = mean / mean.pow(2).sum(1, keepdim=True).sqrt()
        return logits - TEACHER_SLOPE * TEACHER_MIDDLE, unit * TEACHER_SLOPE**0.5


def export_onnx(source: Path, path: Path, *, with_base: bool) -> None:
    """The float32 graph with dynamic batch and length.

    Where the source has a span head, the graph has a second output, one logit for each token;
    ``with_base`` gives it one of the base encoder's vectors.
    """
    classifier = BertForSequenceClassification.from_pretrained(
        source, attn_implementation="eager", dtype=torch.float32
    )
    model: torch.nn.Module = classifier
    outputs = ["logits"]
    if (source / SPAN_HEAD).exists():
        model = WithSpanHead(classifier, source / SPAN_HEAD)
        outputs.append("token_logits")
    if with_base:
        model = WithBaseEncoder(classifier)
        outputs.append("vectors")
    model.eval()
    # Two rows of eight tokens: a size of one would be taken for a constant.
    example = torch.ones(2, 8, dtype=torch.long)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(
        model,
        (example, example, torch.zeros_like(example)),
        str(path),
        input_names=names,
        output_names=outputs,
        dynamic_axes={
            **{name: {0: "batch", 1: "tokens"} for name in [*names, "token_logits"]},
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


def sha256(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_manifest(folder: Path, task: str, calibration: dict, threshold: float) -> None:
    """manifest.json of a model folder: what it is and what its files must hash to.

    The support map that is there stays, and with it the threshold of 0.5, for which
    ``training.support_map`` scales it.
    """
    path = folder / "manifest.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept = {"support": before["support"]} if "support" in before else {}
    manifest = {
        "model_id": f"provenance-{task}-minilm-22m",
        "revision": REVISIONS[task],
        "task": task,
        "labels": LABELS[task],
        "max_length": WINDOW,
        "calibration": calibration,
        "default_threshold": 0.5 if kept else threshold,
        "engines": ENGINES[task],
        "files": {name: sha256(folder / name) for name in ("model.onnx", "tokenizer.json")},
        "license": "Apache-2.0",
        "base": "all-MiniLM-L6-v2",
        **kept,
    }
    path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Export, compress, write the model folder (uncalibrated; see training.calibrate)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=sorted(LABELS))
    parser.add_argument("--source", type=Path, help="default: what training wrote")
    parser.add_argument("--target", type=Path, help="default: provenance_core/models/TASK")
    arguments = parser.parse_args()
    source = arguments.source or Path("training/runs") / TRAINED[arguments.task] / "final"
    folder = arguments.target or Path("provenance_core/models") / arguments.task
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain, fused = Path(scratch) / "plain.onnx", Path(scratch) / "fused.onnx"
        with_base = arguments.task == "relevance"
        export_onnx(source, plain, with_base=with_base)
        if with_base:
            fuse(plain, fused)
            quantise(fused, folder / "model.onnx")
        else:
            onnx.save(compress(onnx.load(str(plain))), str(folder / "model.onnx"))
    onnx.checker.check_model(str(folder / "model.onnx"), full_check=False)
    base_tokenizer().save(str(folder / "tokenizer.json"), pretty=False)
    write_manifest(folder, arguments.task, {"slope": 1.0, "intercept": 0.0}, 0.5)
    print(f"{folder}: {(folder / 'model.onnx').stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
