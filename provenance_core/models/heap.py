"""Memory that C libraries hold freed, given back to the system."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

# Rows of a file between two trims, which take a few milliseconds each.
TRIM_EVERY = 8


def trim_heap() -> None:
    """Give freed memory back to the system. glibc keeps what was freed in small pieces, and a long
    run of texts of every length makes ever more of them. Other C libraries lack the call: then this
    does nothing."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").malloc_trim(0)
