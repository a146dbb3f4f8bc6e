"""ONNX Runtime keeps no number of the device and no events to send."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.browser_app import ROOT

USE = """
import onnx
from onnx import TensorProto, helper
from provenance_core.models.onnx_models.engines import OnnxRuntimeEngine
one = helper.make_tensor_value_info("one", TensorProto.INT64, [1])
two = helper.make_tensor_value_info("two", TensorProto.INT64, [1])
graph = helper.make_graph([helper.make_node("Identity", ["one"], ["two"])], "g", [one], [two])
opsets = [helper.make_opsetid("", 17)]
model = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
import numpy as np
print(OnnxRuntimeEngine(model).run("two", {"one": np.array([7])}))
"""


def test_a_session_writes_nothing_into_the_home_folder(tmp_path):
    """As on a machine on which nobody was asked for consent; CI alone turns its telemetry off."""
    left_out = {"CI", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME"}
    env = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=ROOT, env=env | {"HOME": str(tmp_path)}, capture_output=True, text=True,
        timeout=300, check=True,
    )  # fmt: skip
    assert done.stdout == "[7]\n"
    assert list(tmp_path.rglob("*")) == []
