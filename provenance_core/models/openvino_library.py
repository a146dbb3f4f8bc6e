"""OpenVINO, made ready for several threads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from types import ModuleType

import numpy as np

_LOADING = Lock()
_TELEMETRY = "openvino_telemetry"


def openvino_library() -> ModuleType:
    """Import OpenVINO so that several threads may use it from then on. Its binding looks NumPy up
    when it first makes an array. Two threads that do so at once wait for each other for good: one
    keeps the initialisation and needs the interpreter's lock, the other keeps that lock and waits
    for the initialisation. Here one thread does so for all. OpenVINO reports its import, and at
    exit still tries to reach Intel. Here it finds no package of telemetry and reports nothing. The
    module ``openvino``. Raises ImportError where it is not installed.

    >>> openvino_library().__name__
    'openvino'
    """
    with _LOADING:
        with _without_telemetry():
            import openvino

        openvino.op.Constant(np.zeros(1, dtype=np.int64)).get_data()
    return openvino


@contextmanager
def _without_telemetry() -> Iterator[None]:
    """An import of ``openvino_telemetry`` fails, unless the program has imported it itself."""
    if _TELEMETRY in sys.modules:
        yield
        return
    # Python takes None for a module that is not there; the types of sys.modules do not know it.
    sys.modules[_TELEMETRY] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[_TELEMETRY]
