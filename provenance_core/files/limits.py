"""What reading one file may cost: time, memory and unpacked bytes, each a setting."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from provenance_core.environment import Setting
from provenance_core.errors import InputError

SECONDS = Setting("PROVENANCE_FILE_SECONDS", "seconds that reading one file may take", "120")
MEMORY = Setting(
    "PROVENANCE_FILE_MEMORY_MB",
    "megabytes of memory that the process which reads one file may take",
    "2048",
)
UNPACKED = Setting(
    "PROVENANCE_FILE_UNPACKED_MB",
    "megabytes that a packed file (.gz, .xlsx, .docx) may unpack to",
    "1024",
)
IN_PROCESS = Setting(
    "PROVENANCE_FILE_SMALL_MB",
    "megabytes up to which a plain text, CSV or JSON file is read without a process of its own",
    "16",
)
FILE_SETTINGS = (SECONDS, MEMORY, UNPACKED, IN_PROCESS)
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Limits of reading one file: ``seconds``, and three numbers of bytes."""

    seconds: float
    memory: int
    unpacked: int
    small: int


def file_limits(environment: Mapping[str, str] | None = None) -> FileLimits:
    """Read the limits of one file. Bytes and seconds. Raises InputError where a setting is no
    number above 0."""
    given = os.environ if environment is None else environment
    return FileLimits(
        seconds=_number(SECONDS, given),
        memory=int(_number(MEMORY, given) * _MEGABYTE),
        unpacked=int(_number(UNPACKED, given) * _MEGABYTE),
        small=int(_number(IN_PROCESS, given) * _MEGABYTE),
    )


def _number(setting: Setting, environment: Mapping[str, str]) -> float:
    text = setting.value(environment)
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise InputError(f"{setting.variable} is {text!r}, but must be a number above 0.")
    return value


def check_unpacked(name: object, size: int, limits: FileLimits) -> None:
    """Check how large a file is once it is unpacked. ``size``: Its bytes, unpacked. Raises
    InputError where it is over the limit."""
    if size > limits.unpacked:
        raise InputError(
            f"{name}: it unpacks to more than {limits.unpacked // _MEGABYTE:,} MB, the limit of "
            f"{UNPACKED.variable}. Split the file, or raise the limit if you trust it."
        )
