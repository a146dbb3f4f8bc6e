"""How fast this machine multiplies matrices, and what a forward pass multiplies."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from onnx import TensorProto, helper

from provenance_core.models.onnx_models.engines import usable_cores

_SIZE, _TIMES = 1536, 5
# Of all-MiniLM-L6-v2, from which the embedded NLI model is made.
HIDDEN, LAYERS = 384, 6


def float_peak() -> float:
    """Billions of float32 operations a second in a product of two large matrices, by numpy."""
    left = np.random.default_rng(0).random((_SIZE, _SIZE), dtype=np.float32)
    return _fastest(lambda: left @ left)


def integer_peak() -> float:
    """The same in 8 bits, by ONNX Runtime's MatMulInteger."""
    import onnxruntime

    shape = [_SIZE, _SIZE]
    drawn = np.random.default_rng(0)
    weights = helper.make_tensor(
        "b",
        TensorProto.INT8,
        shape,
        drawn.integers(-100, 100, shape).astype(np.int8).tobytes(),
        raw=True,
    )
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["a", "b"], ["c"])],
        "product",
        [helper.make_tensor_value_info("a", TensorProto.UINT8, shape)],
        [helper.make_tensor_value_info("c", TensorProto.INT32, shape)],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = usable_cores()
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    feed = {"a": drawn.integers(0, 255, shape).astype(np.uint8)}
    return _fastest(lambda: session.run(None, feed))


def forward_operations(lengths: Sequence[int]) -> float:
    """Billions of operations of the embedded NLI model's matrix products over pairs of ``lengths``
    tokens: a multiplication and an addition for each of 12 h² weights a layer and token, and the
    products of attention."""
    weights = 2 * LAYERS * 12 * HIDDEN**2
    return sum(length * (weights + 4 * LAYERS * HIDDEN * length) for length in lengths) / 1e9


def _fastest(product: Callable[[], object]) -> float:
    product()
    taken = []
    for _ in range(_TIMES):
        start = time.perf_counter()
        product()
        taken.append(time.perf_counter() - start)
    return 2 * _SIZE**3 / min(taken) / 1e9
