"""What runs an ONNX file: OpenVINO, or ONNX Runtime where OpenVINO has no wheel.

A model's manifest names the engines that its file was made for, the fastest first; the first that
is installed and gives the model's reference scores (``reference_scores.py``) is taken.
``PROVENANCE_ENGINE`` fixes it for the models that more than one can run.

Both engines multiply 8-bit weights by activations that they round to 8 bits too, each row in groups
with a scale of their own, so that a score hardly depends on the batch. ``python -m
benchmarks.engines`` prints how far that moves a logit.

ONNX Runtime reads the NLI models' batches on a core each, because cores that share a batch wait for
each other at every step of the graph. OpenVINO is as fast with one batch on all cores
(``python -m benchmarks.speed``).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from provenance_core.errors import ModelError
from provenance_core.models.onnx_models.first_token import with_first_token_alone
from provenance_core.models.onnxruntime_library import onnxruntime_library
from provenance_core.models.openvino_library import openvino_library
from provenance_core.models.settings import ENGINE

if TYPE_CHECKING:
    from openvino import CompiledModel, Model

OPENVINO, ONNX_RUNTIME = "openvino", "onnxruntime"
ENGINES = (OPENVINO, ONNX_RUNTIME)
# Plans for batches of one shape that OpenVINO keeps. Its default, 5,000, grows by hundreds of MiB
# over hours of batches of every shape, and is no faster.
_KEPT_SHAPES = 64
# Values of a row that share a scale. OpenVINO's default, 32, spends a fifth to a third of the time
# on scales, and moves the logits no less.
_GROUP = 128
_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Batching:
    """How an engine wants its work: ``at_once`` batches at the same time, 1 or more, of at most
    ``tokens`` padded tokens each (a longer text has a batch of its own). Few texts are shared out
    among ``least`` batches, whatever cores there are: a score differs in its last digits from batch
    to batch, and has to be the same with more cores."""

    at_once: int = 1
    tokens: int = 2048  # enough to fill two cores, few enough for the L3 cache
    least: int = 1


ON_ALL_CORES = Batching()
_MOST_AT_ONCE = 4  # each batch needs memory for its activations


class Engine(Protocol):
    """A graph that is ready to run; safe to share between threads."""

    @property
    def name(self) -> str:
        """``openvino`` or ``onnxruntime``."""

    @property
    def precision(self) -> str:
        """Precision of the activations where it differs from the file's own; else ""."""

    @property
    def batching(self) -> Batching:
        """How it wants its work. ``batching.at_once`` threads may call :meth:`run`."""

    @property
    def inputs(self) -> frozenset[str]:
        """Names of the graph's inputs."""

    @property
    def outputs(self) -> frozenset[str]:
        """Names of the graph's outputs."""

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float64]:
        """Compute one output of one batch. ``feed``: the graph's inputs by name, shape (batch,
        tokens) each. The output, shape (batch, ...)."""


def usable_cores() -> int:
    """Count the cores that this process may use. Its affinity limits them, the processor time of
    its control group (as of a container), and ``OMP_NUM_THREADS``, which Ray sets. 1 or more."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    quota = _cgroup_cores(_CGROUPS, Path("/proc/self/cgroup"))
    given = os.environ.get("OMP_NUM_THREADS", "")
    told = int(given) if given.isdecimal() and int(given) else math.inf
    return max(1, math.ceil(min(cores or 1, quota, told)))


def on_each_core() -> Batching:
    """Let each core have a batch of its own. As many batches at once as :func:`usable_cores`, at
    most ``_MOST_AT_ONCE``, of half the tokens."""
    return Batching(min(usable_cores(), _MOST_AT_ONCE), ON_ALL_CORES.tokens // 2, least=2)


def _cgroup_cores(root: Path, own: Path) -> float:
    """Cores' worth of time that the process's control group and those above it give it; infinite
    without a limit. ``root``: where the groups are mounted; ``own``: the file that names the
    process's."""
    limits = [math.inf]
    for folder in _cgroup_folders(root, own):
        try:
            if (folder / "cpu.max").is_file():  # version 2: "max 100000" or "200000 100000"
                given, period = (folder / "cpu.max").read_text(encoding="ascii").split()
            else:
                given = (folder / "cpu.cfs_quota_us").read_text(encoding="ascii").strip()
                period = (folder / "cpu.cfs_period_us").read_text(encoding="ascii").strip()
            if given not in ("max", "-1"):
                limits.append(int(given) / int(period))
        except (OSError, ValueError, ZeroDivisionError):
            continue
    return min(limits)


def _cgroup_folders(root: Path, own: Path) -> Iterator[Path]:
    """The folders of the process's control groups of processor time, up to the mounted ones."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers and "cpu" not in controllers.split(","):
            continue
        mounted = root / "cpu" if controllers else root
        folder = mounted / path.lstrip("/")
        # In a container the path may be that of the host, and the group is mounted as the root.
        yield mounted
        while folder != mounted and mounted in folder.parents:
            yield folder
            folder = folder.parent


class OnnxRuntimeEngine:
    """A graph in ONNX Runtime; ``model``: a file's path, or its bytes. ``exact``: whether to keep
    activations as floats where the weights have 8 bits. ``batching``: as in :class:`Engine`; its
    batches divide the cores."""

    name = ONNX_RUNTIME
    precision = ""

    def __init__(
        self, model: str | bytes, *, exact: bool = False, batching: Batching = ON_ALL_CORES
    ) -> None:
        onnxruntime = onnxruntime_library()
        self.batching = batching
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, usable_cores() // batching.at_once)
        options.log_severity_level = 3
        # A thread that waits leaves its core to the other models, and a run gives its memory back:
        # what is kept for later runs grows with every shape, and makes none faster.
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if exact:
            # Else "DequantizeLinear, MatMul" becomes MatMulNBits, which rounds its other input.
            options.add_session_config_entry("session.disable_quant_qdq", "1")
        providers = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(model, options, providers=providers)
        self.inputs = frozenset(node.name for node in self._session.get_inputs())
        self.outputs = frozenset(node.name for node in self._session.get_outputs())

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float64]:
        """As :meth:`Engine.run`."""
        found: NDArray[np.float64] = self._session.run([output], dict(feed))[0]
        return found


class OpenVinoEngine:
    """A graph in OpenVINO: bfloat16 activations where the processor computes with them, else
    float32. ``exact``: as in :class:`OnnxRuntimeEngine`, always in float32. It prepares what
    computes an output when the output is first asked for: nobody who asks for the logits waits for
    what marks the tokens, and the logits need one token of the last layer (``first_token.py``)."""

    name = OPENVINO
    batching = ON_ALL_CORES

    def __init__(self, model: str, *, exact: bool = False) -> None:
        half = has_bfloat16() and not exact
        self.precision = "bfloat16" if half else "float32"
        self._settings: dict[str, str | int] = {
            "INFERENCE_PRECISION_HINT": "bf16" if half else "f32",
            "INFERENCE_NUM_THREADS": usable_cores(),
            "NUM_STREAMS": 1,
            "CPU_RUNTIME_CACHE_CAPACITY": _KEPT_SHAPES,
            "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0 if exact else _GROUP,
        }
        self._core = openvino_library().Core()
        self._file = model
        graph = self._core.read_model(model)
        self.inputs = frozenset(each.get_any_name() for each in graph.inputs)
        self.outputs = frozenset(each.get_any_name() for each in graph.outputs)
        self._read: Model | None = graph  # until an output is prepared: it holds all weights
        self._prepared: dict[str, CompiledModel] = {}
        self._preparing = Lock()

    def prepared(self, output: str) -> CompiledModel:
        """Prepare what computes one output, or take what was prepared before. It computes that
        output alone."""
        with self._preparing:
            if output not in self._prepared:
                graph = self._core.read_model(self._file) if self._read is None else self._read
                self._read = None
                alone = with_first_token_alone(graph, output)
                self._prepared[output] = self._core.compile_model(alone, "CPU", self._settings)
            return self._prepared[output]

    def run(self, output: str, feed: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float64]:
        """As :meth:`Engine.run`."""
        request = self.prepared(output).create_infer_request()
        request.infer(dict(feed))
        return np.array(request.get_output_tensor(0).data, dtype=np.float64)


def has_bfloat16(cpu: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the processor is known to have instructions for bfloat16."""
    if not cpu.is_file():
        return False
    flags = cpu.read_text(encoding="utf-8", errors="replace").split()
    return "amx_bf16" in flags or "avx512_bf16" in flags


def usable_engines(
    path: Path, engines: Sequence[str], environment: Mapping[str, str] = os.environ
) -> tuple[str, ...]:
    """Find the engines that may run a file here. The one that ``PROVENANCE_ENGINE`` names counts
    where there is a choice, else those that are installed. Those that may run it, the fastest
    first; one or more. Raises ModelError where none is installed, or ``PROVENANCE_ENGINE`` names
    none."""
    fixed = ENGINE.value(environment).lower()
    if fixed and fixed not in ENGINES:
        raise ModelError(
            f"{ENGINE.variable} is {fixed!r}, but must be one of {', '.join(ENGINES)}, or unset."
        )
    wanted = (fixed,) if fixed and len(engines) > 1 else tuple(engines)
    found = tuple(each for each in wanted if each in ENGINES and find_spec(each) is not None)
    if not found:
        raise ModelError(f"{path}: none of {', '.join(wanted)} is installed. Install one of them.")
    return found


def open_engine(path: Path, name: str) -> Engine:
    """Open a file of an NLI model on an engine."""
    if name == OPENVINO:
        return OpenVinoEngine(str(path))
    return OnnxRuntimeEngine(str(path), batching=on_each_core())
