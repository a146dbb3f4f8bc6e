"""A public sequence classifier on OpenVINO, which computes faster on a CPU than torch does.

On request (``PROVENANCE_CONVERT=1``) a model is converted once, in a process of its own, because a
conversion slows the model left in its process. The result lies in ``openvino`` in the model's
folder. It is used only where it gives the probabilities of torch's plain forward pass.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch

from provenance_core.models.onnx_models.engines import OPENVINO, OpenVinoEngine
from provenance_core.models.onnx_models.reference_scores import (
    PAIRS,
    ReferenceScores,
    largest_difference,
)
from provenance_core.models.openvino_library import openvino_library
from provenance_core.models.protocol import PairScorer
from provenance_core.models.torch_models.devices import DeviceKind
from provenance_core.models.torch_models.pairs import Loaded

# Largest difference of a probability from torch in float32; bfloat16 stays below it.
TOLERANCE = 0.05
FOLDER = "openvino"
_LOG = logging.getLogger(__name__)
_LOGITS = "logits"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_SECONDS = 900.0

Build = Callable[[Loaded], PairScorer]


class OpenVinoNetwork:
    """What the torch model is to a ``SequenceClassifier``: ``config``, and logits of a batch."""

    def __init__(self, path: Path, config: Any) -> None:
        self.config = config
        self._engine = OpenVinoEngine(str(path))
        self.precision = self._engine.precision

    def __call__(self, **inputs: torch.Tensor) -> SimpleNamespace:
        feed = {
            name: tensor.numpy() for name, tensor in inputs.items() if name in self._engine.inputs
        }
        return SimpleNamespace(logits=torch.from_numpy(self._engine.run(_LOGITS, feed)))


def on_openvino(loaded: Loaded, folder: Path, build: Build) -> PairScorer:
    """Build a classifier on OpenVINO where that gives the scores of torch. Otherwise it stays on
    torch: on a GPU, where the model cannot be converted, and where a probability of the reference
    pairs differs by more than ``TOLERANCE``. The log says which. ``ModelInfo`` names the engine and
    its precision, so that audits say what computed them."""
    plain = build(loaded)
    if loaded.device.kind is not DeviceKind.CPU:
        return plain
    path = folder / FOLDER / f"{loaded.info.sha256[:16]}.xml"
    if not path.is_file() and (why := _convert(folder, path)):
        _LOG.warning("event=not_converted model=%s why=%r", loaded.info.model_id, why)
        return plain
    try:
        network = OpenVinoNetwork(path, loaded.model.config)
    except (ImportError, RuntimeError) as error:
        _LOG.warning("event=not_converted model=%s why=%r", loaded.info.model_id, str(error))
        return plain
    info = replace(loaded.info, device=f"cpu, {OPENVINO}", precision=network.precision)
    fast = build(replace(loaded, model=network, info=info))
    pairs = tuple(pair for pair in PAIRS if plain.pair_tokens([pair])[0] <= info.max_length)
    difference = largest_difference(fast.predict, ReferenceScores(pairs, plain.predict(pairs)))
    if difference > TOLERANCE:
        _LOG.warning(
            "event=engine_refused engine=%s model=%s difference=%.3f",
            OPENVINO,
            info.model_id,
            difference,
        )
        return plain
    return fast


def _convert(folder: Path, path: Path) -> str:
    """Converts the model in ``folder`` into ``path``; why it could not, or ""."""
    command = [sys.executable, "-m", __name__, str(folder.absolute()), str(path.absolute())]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0 and path.is_file():
        return ""
    return (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]


class _Logits(torch.nn.Module):
    """Named inputs into logits, (B, labels)."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Logits of the classes."""
        kinds = {} if token_type_ids is None else {"token_type_ids": token_type_ids}
        found: torch.Tensor = self.model(
            input_ids=input_ids, attention_mask=attention_mask, **kinds
        ).logits
        return found


def convert(folder: Path, path: Path) -> None:
    """Write a model for OpenVINO in float32, whole or not at all. Raises ModelError where the
    folder cannot be read."""
    from provenance_core.models.torch_models.transformers_folder import read_model

    openvino = openvino_library()
    model = read_model(folder, "ForSequenceClassification")
    example = _example(model.config)
    converted = openvino.convert_model(_Logits(model), example_input=example)
    for given, name in zip(converted.inputs, example, strict=True):
        given.get_tensor().set_names({name})
        given.get_node().set_partial_shape(openvino.PartialShape([-1, -1]))
    converted.outputs[0].get_tensor().set_names({_LOGITS})
    converted.validate_nodes_and_infer_types()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        part = Path(scratch) / path.name
        openvino.save_model(converted, str(part), compress_to_fp16=False)
        # The file that is looked for comes last.
        part.with_suffix(".bin").replace(path.with_suffix(".bin"))
        part.replace(path)


def _example(config: Any) -> Mapping[str, torch.Tensor]:
    # Two rows of eight tokens: a size of one would be taken for a constant.
    ids = torch.full((2, 8), 5, dtype=torch.long)
    names = _INPUTS if getattr(config, "type_vocab_size", 0) > 1 else _INPUTS[:2]
    values = (ids, torch.ones_like(ids), torch.zeros_like(ids))
    return dict(zip(names, values, strict=False))


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
