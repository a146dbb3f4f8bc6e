"""What runs an ONNX file: OpenVINO, or ONNX Runtime where OpenVINO has no wheel.

A model's manifest names the engines that its file was made for, the fastest first. On two cores
with AVX-512, the large model ran 987 tokens a second and core with OpenVINO and 559 with ONNX
Runtime, from the same 8-bit weights (``python -m benchmarks.engines``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from provenance_core.errors import ModelError

OPENVINO, ONNX_RUNTIME = "openvino", "onnxruntime"


class Engine(Protocol):
    """A graph that is ready to run; safe to share between threads."""

    @property
    def name(self) -> str:
        """``openvino`` or ``onnxruntime``."""

    @property
    def precision(self) -> str:
        """Of the activations where it is not the file's own; else ""."""

    @property
    def inputs(self) -> frozenset[str]:
        """Names of the graph's inputs."""

    @property
    def outputs(self) -> frozenset[str]:
        """Names of the graph's outputs."""

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float64]:
        """One output of one batch."""


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class OnnxRuntimeEngine:
    """A graph in ONNX Runtime; ``model``: a file's path, or its bytes."""

    name = ONNX_RUNTIME
    precision = ""

    def __init__(self, model: str | bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = usable_cores()
        options.log_severity_level = 3
        providers = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(model, options, providers=providers)
        self.inputs = frozenset(node.name for node in self._session.get_inputs())
        self.outputs = frozenset(node.name for node in self._session.get_outputs())

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self._session.run([output], dict(feed))[0]
        return found


class OpenVinoEngine:
    """A graph in OpenVINO: bfloat16 activations where the processor has matrix units for them,
    else float32."""

    name = OPENVINO

    def __init__(self, model: str) -> None:
        import openvino

        self.precision = "bfloat16" if has_bfloat16_units() else "float32"
        self._compiled = openvino.Core().compile_model(
            model,
            "CPU",
            {
                "INFERENCE_PRECISION_HINT": "bf16" if self.precision == "bfloat16" else "f32",
                "INFERENCE_NUM_THREADS": usable_cores(),
                "NUM_STREAMS": 1,
            },
        )
        self.inputs = frozenset(each.get_any_name() for each in self._compiled.inputs)
        self.outputs = frozenset(each.get_any_name() for each in self._compiled.outputs)

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float64]:
        request = self._compiled.create_infer_request()
        request.infer(dict(feed))
        return np.array(request.get_tensor(output).data, dtype=np.float64)


def has_bfloat16_units() -> bool:
    """Whether the processor multiplies bfloat16 matrices in units of their own (AMX): without
    them OpenVINO gains less than a tenth by it."""
    cpu = Path("/proc/cpuinfo")
    return cpu.is_file() and " amx_bf16" in cpu.read_text(encoding="utf-8", errors="replace")


def open_engine(path: Path, engines: Sequence[str]) -> Engine:
    """The first of ``engines`` that is installed. ModelError when none is."""
    for name in engines:
        if name == OPENVINO and find_spec("openvino") is not None:
            return OpenVinoEngine(str(path))
        if name == ONNX_RUNTIME:
            return OnnxRuntimeEngine(str(path))
    raise ModelError(f"{path}: none of {', '.join(engines)} is installed. Install one of them.")
