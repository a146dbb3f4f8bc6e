"""Who is measured: our engines, and other libraries on the same weights."""

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
