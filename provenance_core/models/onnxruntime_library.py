"""ONNX Runtime, which tells nobody that it is used."""

from __future__ import annotations

import os
from types import ModuleType

# Microsoft's builds report models, machine and a number of the device unless this is set before the
# library is first used.
_SILENT = "ORT_DISABLE_TELEMETRY"


def onnxruntime_library() -> ModuleType:
    """Import ONNX Runtime with its telemetry off.

    It then writes nothing into the home folder and asks no other machine.

    The module ``onnxruntime``."""
    os.environ[_SILENT] = "1"
    import onnxruntime

    # For a program that had imported it before.
    onnxruntime.disable_telemetry_events()
    return onnxruntime
