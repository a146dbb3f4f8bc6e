"""Who is measured: our engines, other libraries on the same weights, the paper's architectures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.processes import Contender
from provenance_core.models.catalogue.profiles import (
    EMBEDDED_NLI,
    EMBEDDED_NLI_LARGE,
    embedded_folder,
)
from provenance_core.models.onnx_models.cross_encoder import read_manifest

_DEBERTA_BASE = {
    "model_type": "deberta-v2",
    "vocab_size": 128_100,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3_072,
    "max_position_embeddings": 512,
    "relative_attention": True,
    "position_buckets": 256,
    "max_relative_positions": -1,
    "pos_att_type": ["p2c", "c2p"],
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "position_biased_input": False,
    "type_vocab_size": 0,
    "num_labels": 1,
}
_FLAN_T5_BASE = {
    "model_type": "t5",
    "vocab_size": 32_128,
    "d_model": 768,
    "d_kv": 64,
    "d_ff": 2_048,
    "num_layers": 12,
    "num_heads": 12,
    "feed_forward_proj": "gated-gelu",
    "num_labels": 2,
}
REFERENCE = "sentence-transformers, float32"
CALIBRATION = "calibration"


def write_calibration(texts: Sequence[str], scratch: Path) -> None:
    """What the static 8-bit back end measures its ranges on, as a data set of one column: our own
    texts in the place of the ones that its documentation downloads."""
    folder = scratch / CALIBRATION
    folder.mkdir()
    lines = (json.dumps({"sentence": text}) + "\n" for text in texts)
    (folder / "train.jsonl").write_text("".join(lines), encoding="utf-8")


def on_the_same_weights(checkpoint: Path, scratch: Path, other: str) -> list[Contender]:
    """Those that score pairs with the embedded NLI model. ``checkpoint``: its float32 weights for
    transformers; ``scratch``: a folder to write to, with ``calibration`` in it (see
    :func:`write_calibration`); ``other``: the interpreter that has sentence-transformers with its
    back ends."""
    folder = embedded_folder(EMBEDDED_NLI)
    plain: dict[str, Any] = {"folder": str(checkpoint)}
    ours = [
        Contender(f"ours, {engine}", {"kind": "ours", "folder": str(folder), "engine": engine})
        for engine in read_manifest(folder).engines
    ]
    backends = [
        Contender(
            f"sentence-transformers, {backend} int8",
            {
                "kind": "sentence-transformers",
                "backend": backend,
                "scratch": str(scratch / backend),
                "calibration": str(scratch / CALIBRATION),
                **plain,
            },
            other,
        )
        for backend in ("onnx", "openvino")
    ]
    return [
        *ours,
        Contender(REFERENCE, {"kind": "sentence-transformers", "backend": "torch", **plain}, other),
        *backends,
        Contender("transformers, float32", {"kind": "transformers", **plain}),
        Contender("FlashRank's route, our file", {"kind": "flashrank", "folder": str(folder)}),
    ]


def of_the_large_model() -> list[Contender]:
    """The large embedded NLI model on each engine of its file."""
    folder = embedded_folder(EMBEDDED_NLI_LARGE)
    return [
        Contender(
            f"ours, large model, {engine}",
            {"kind": "ours", "folder": str(folder), "engine": engine},
        )
        for engine in read_manifest(folder).engines
    ]


def profiles() -> list[Contender]:
    """Whole audits by each embedded profile."""
    return [
        Contender(f"ours, {profile}", {"kind": "audit", "profile": profile})
        for profile in ("embedded", "cascade", "embedded-large")
    ]


def architectures() -> list[Contender]:
    """The paper's models at their true sizes with random weights: mxbai-rerank-base for relevance,
    HHEM-1.0 (both DeBERTa-v3-base) and HHEM-2.1 (FLAN-T5-base's encoder) for entailment."""
    return [
        Contender(f"{name}, random weights", {"kind": "architecture", "config": config})
        for name, config in (
            ("mxbai-rerank-base or HHEM-1.0", _DEBERTA_BASE),
            ("HHEM-2.1", _FLAN_T5_BASE),
        )
    ]
