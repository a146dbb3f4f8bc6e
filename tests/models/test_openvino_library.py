"""OpenVINO from several threads at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.browser_app import ROOT

pytest.importorskip("openvino")
# Threads take turns so often that both are inside the binding's first look for NumPy.
TWO_THREADS = """
import sys, threading
sys.setswitchinterval(1e-6)
from provenance_core.models.openvino_library import openvino_library

both = threading.Barrier(2)

def read():
    both.wait()
    library = openvino_library()
    constant = library.op.Constant(library.Type.i64, library.Shape([1]), [7])
    both.wait()
    print(constant.get_data())

threads = [threading.Thread(target=read) for _ in range(2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def test_two_threads_that_begin_at_once_do_not_wait_for_each_other():
    done = subprocess.run(
        [sys.executable, "-c", TWO_THREADS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.count("[7]") == 2
