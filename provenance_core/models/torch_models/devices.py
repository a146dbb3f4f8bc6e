"""The device that a torch model runs on, and its precision."""

from __future__ import annotations

import gc
import os
import platform
import sys
from dataclasses import dataclass
from enum import StrEnum

from provenance_core.errors import ModelError
from provenance_core.models.heap import trim_heap
from provenance_core.models.settings import DEVICE


class DeviceKind(StrEnum):
    CUDA = "cuda"
    MPS = "mps"
    CPU = "cpu"


class Precision(StrEnum):
    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


@dataclass(frozen=True, slots=True)
class Device:
    """An available device. ``name``: what the hardware calls itself."""

    kind: DeviceKind
    name: str
    precision: Precision

    def __str__(self) -> str:
        return f"{self.kind} ({self.name})" if self.name else str(self.kind)


def choose_device() -> Device:
    """Choose the device in ``PROVENANCE_DEVICE``, else CUDA, MPS or the CPU, and its precision.
    Imports torch. A CPU and MPS compute in float32, whatever the file holds, because half precision
    is several times slower on most CPUs. A CUDA GPU computes in bfloat16 where its hardware can.
    Raises ModelError where the device that is named is not here."""
    import torch

    asked = DEVICE.value(os.environ).lower()
    available = [kind for kind in DeviceKind if _is_there(kind)]
    if not asked:
        kind = available[0]
    elif asked in available:
        kind = DeviceKind(asked)
    else:
        raise ModelError(
            f"There is no device {asked!r} here; there is {', '.join(available)}. Change "
            f"{DEVICE.variable}, or leave it out and the first of these is taken."
        )
    if kind is DeviceKind.CUDA:
        exact = torch.cuda.is_bf16_supported(including_emulation=False)
        precision = Precision.BFLOAT16 if exact else Precision.FLOAT32
        return Device(kind, torch.cuda.get_device_name(), precision)
    return Device(kind, platform.processor() or platform.machine(), Precision.FLOAT32)


def release_memory() -> None:
    """Give the memory of released models back to the system and the GPU."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
    if torch is not None and torch.backends.mps.is_available():
        torch.mps.empty_cache()
    trim_heap()


def _is_there(kind: DeviceKind) -> bool:
    import torch

    if kind is DeviceKind.CUDA:
        return torch.cuda.is_available()
    return kind is DeviceKind.CPU or torch.backends.mps.is_available()
