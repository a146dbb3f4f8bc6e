"""The shipped int8 weights as a float32 checkpoint that transformers can load.

Each int8 weight is ``(q - zero point) * scale``, so the float32 model holds the very weights
that the app runs, and anyone with a clone can compare the two without training anything.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from provenance_core.models.onnx_models.cross_encoder import read_manifest

_HEADS = 12  # all-MiniLM-L6-v2; the fused graph keeps it as an attribute only
_QUANTISED = "_quantized"


def write_float_checkpoint(folder: Path, target: Path) -> None:
    """Write model and tokenizer of the model folder ``folder`` to ``target`` in float32.

    Raises ValueError when the graph lacks a weight that the architecture needs.
    """
    manifest = read_manifest(folder)
    state = _state(onnx.load(str(folder / "model.onnx")).graph)
    words = state["bert.embeddings.word_embeddings.weight"]
    layers = 1 + max(int(name.split(".")[3]) for name in state if ".layer." in name)
    config = BertConfig(
        vocab_size=words.shape[0],
        hidden_size=words.shape[1],
        num_hidden_layers=layers,
        num_attention_heads=_HEADS,
        intermediate_size=state["bert.encoder.layer.0.intermediate.dense.weight"].shape[0],
        max_position_embeddings=state["bert.embeddings.position_embeddings.weight"].shape[0],
        num_labels=len(manifest.labels),  # type: ignore[call-arg]  # missing in its own annotations
        id2label=dict(enumerate(manifest.labels)),
        label2id={label: i for i, label in enumerate(manifest.labels)},
    )
    model = BertForSequenceClassification(config)
    tensors = {
        name: torch.tensor(value)
        for name, value in state.items()
        if not name.startswith("head.")  # the span head, which no sequence classifier has
    }
    missing, unexpected = model.load_state_dict(tensors, strict=False)
    if unexpected or [name for name in missing if "position_ids" not in name]:
        raise ValueError(f"{folder}: weights missing {missing}, unknown {unexpected}")
    model.save_pretrained(target)
    PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"),
        model_max_length=manifest.info.max_length,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(target)


def _state(graph: onnx.GraphProto) -> dict[str, NDArray[np.float32]]:
    # Beside a span head, the classifier's own weights are those of ``model``.
    values = {
        tensor.name.removeprefix("model."): numpy_helper.to_array(tensor)
        for tensor in graph.initializer
    }
    state: dict[str, NDArray[np.float32]] = {}
    for name, value in values.items():
        if name.startswith(("bert.", "classifier.")):
            if name.endswith(_QUANTISED):
                plain = name.removesuffix(_QUANTISED)
                weight = _dequantised(values, plain)
                # Linear layers are stored (in, out) in ONNX and (out, in) in torch.
                linear = plain.endswith("weight") and "embeddings" not in plain
                state[plain] = weight.T.copy() if linear else weight
            elif value.dtype == np.float32 and not name.endswith("_scale"):
                state[name] = value
    attention = 0
    for node in graph.node:
        if node.op_type == "QAttention":
            prefix = f"bert.encoder.layer.{attention}.attention.self"
            weight = _dequantised(values, node.input[1].removesuffix(_QUANTISED))
            bias = values[node.input[2]]
            parts = zip(np.split(weight, 3, axis=1), np.split(bias, 3), strict=True)
            for role, (matrix, vector) in zip(("query", "key", "value"), parts, strict=True):
                state[f"{prefix}.{role}.weight"] = matrix.T.copy()
                state[f"{prefix}.{role}.bias"] = vector
            attention += 1
        elif node.op_type == "MatMulInteger" and node.input[1].startswith("onnx::"):
            # "/bert/encoder/layer.0/output/dense/MatMul_..." names the module it came from.
            module = ".".join(node.output[0].strip("/").split("/")[:-1])
            weight = _dequantised(values, node.input[1].removesuffix(_QUANTISED))
            state[f"{module}.weight"] = weight.T.copy()
    return state


def _dequantised(values: dict[str, NDArray], name: str) -> NDArray[np.float32]:
    quantised = values[name + _QUANTISED].astype(np.float32)
    zero_point = values[name + "_zero_point"].astype(np.float32)
    return ((quantised - zero_point) * values[name + "_scale"]).astype(np.float32)
