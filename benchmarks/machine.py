"""The machine that a benchmark ran on, as its output names it."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from provenance_core.models.onnx_models.engines import usable_cores

# What decides how fast a processor multiplies matrices.
_FLAGS = (
    "avx2", "fma", "f16c", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8",
    "amx_bf16", "asimd", "sve", "i8mm", "bf16",
)  # fmt: skip
_HAS_LOAD = hasattr(os, "getloadavg")


def processor() -> str:
    """The name of the processor."""
    name = re.search(r"model name\s*: (.+)", _cpuinfo())
    return name[1].strip() if name else platform.machine()


def machine_lines() -> tuple[str, ...]:
    """Processor, its flags that matter, usable cores, and the load average now."""
    flags = re.search(r"(?:flags|Features)\s*: (.+)", _cpuinfo())
    has = set(flags[1].split()) if flags else set()
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg()) if _HAS_LOAD else "unknown"
    return (
        f"processor     {processor()}",
        f"flags         {' '.join(flag for flag in _FLAGS if flag in has) or 'unknown'}",
        f"usable cores  {usable_cores()}",
        f"load average  {load}",
    )


def _cpuinfo() -> str:
    file = Path("/proc/cpuinfo")
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
