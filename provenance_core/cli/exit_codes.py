"""What the process tells its caller."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit status of ``python -m provenance_core``."""

    SUCCESS = 0
    FAILURE = 1  # a model cannot be loaded or asked: nothing the arguments can fix
    USAGE = 2  # bad arguments, or input that cannot be read or used
    INTERRUPTED = 130  # Ctrl+C, or SIGTERM to a batch; as a shell says of a signal
    INCOMPLETE = 4  # a batch is done, but rows of its file were refused or failed
    BELOW_THRESHOLD = 3  # --fail-below-threshold, and the verdict is hallucinated
