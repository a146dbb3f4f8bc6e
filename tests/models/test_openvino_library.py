"""OpenVINO from several threads at once, and without a word to the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


# OpenVINO's telemetry sends at exit, in a process of its own.
NETWORK = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "os.fork", "subprocess.Popen"):
        print(event, arguments, file=sys.stderr)

sys.addaudithook(watch)
%s
print(sys.modules.get("openvino_telemetry"))
"""


def _opened(tmp_path: Path, code: str) -> subprocess.CompletedProcess[str]:
    """As on a machine on which nobody was asked for consent."""
    env = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run(
        [sys.executable, "-c", NETWORK % code],
        cwd=ROOT, env=env | {"HOME": str(tmp_path)}, capture_output=True, text=True,
        timeout=120, check=True,
    )  # fmt: skip


def test_openvino_tells_nobody_that_it_was_imported(tmp_path):
    done = _opened(
        tmp_path,
        "from provenance_core.models.openvino_library import openvino_library\nopenvino_library()",
    )
    assert (done.stdout, done.stderr) == ("None\n", "")
    assert list(tmp_path.iterdir()) == []


def test_telemetry_that_the_program_itself_imported_stays(tmp_path):
    done = _opened(
        tmp_path,
        "import openvino_telemetry\n"
        "from provenance_core.models.openvino_library import openvino_library\n"
        "openvino_library()",
    )
    assert "<module 'openvino_telemetry'" in done.stdout
