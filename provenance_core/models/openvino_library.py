"""OpenVINO, made ready for several threads."""

from __future__ import annotations

from threading import Lock
from types import ModuleType

import numpy as np

_LOADING = Lock()


def openvino_library() -> ModuleType:
    """Import OpenVINO so that several threads may use it from then on.

    Its binding looks NumPy up when it first makes an array. Two threads that do so at once wait for
    each other for good: one keeps the initialisation and needs the interpreter's lock, the other
    keeps that lock and waits for the initialisation. Here one thread does so for all.

    The module ``openvino``. Raises ImportError where it is not installed.

    Examples
    --------
    >>> openvino_library().__name__
    'openvino'
    """
    with _LOADING:
        import openvino

        openvino.op.Constant(np.zeros(1, dtype=np.int64)).get_data()
    return openvino
