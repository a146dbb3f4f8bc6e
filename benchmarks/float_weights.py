"""The shipped 8-bit weights as a float32 checkpoint that transformers can load.

The float32 model holds the very weights that the app runs, so that anyone with a clone can compare
the two, or train on from them.
"""

from __future__ import annotations

import json
from pathlib import Path

from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from provenance_core.models.onnx_models.cross_encoder import read_manifest
from training.eight_bits import shipped_weights

_HEADS = 12  # all-MiniLM-L6-v2; no weight tells it
_SPAN_HEAD = "head."


def write_float_checkpoint(folder: Path, target: Path) -> None:
    """Write model and tokenizer of the model folder ``folder`` to ``target`` in float32. Raises
    ValueError when the graph lacks a weight that the architecture needs."""
    manifest = read_manifest(folder)
    weights = shipped_weights(folder)
    # No sequence classifier has the span head.
    state = {name: value for name, value in weights.items() if not name.startswith(_SPAN_HEAD)}
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
    missing, unexpected = model.load_state_dict(state, strict=False)
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
    # transformers 5 writes a class that transformers 4 does not know; both know this one.
    path = target / "tokenizer_config.json"
    settings = json.loads(path.read_text(encoding="utf-8")) | {
        "tokenizer_class": "BertTokenizerFast"
    }
    path.write_text(json.dumps(settings, indent=2), encoding="utf-8")
