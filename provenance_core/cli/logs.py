"""Logs of a command, on standard error: events as key=value, without any text of a user."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from provenance_core.environment import Setting
from provenance_core.errors import InputError

LOG_LEVEL = Setting(
    "PROVENANCE_LOG", "lowest level that is logged: debug, info, warning or error", "warning"
)
_LEVELS = ("debug", "info", "warning", "error")
_PACKAGES = ("provenance_core", "storage")
_FORMAT = "%(asctime)s level=%(levelname)s logger=%(name)s %(message)s"


@contextmanager
def logged(environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Write what our packages log to standard error, as long as the block runs. Raises InputError
    where the level is none of debug, info, warning and error."""
    level = LOG_LEVEL.value(environment).lower()
    if level not in _LEVELS:
        raise InputError(f"{LOG_LEVEL.variable} is {level!r}, but must be one of {_LEVELS}")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(_FORMAT))
    loggers = [logging.getLogger(name) for name in _PACKAGES]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(level.upper())
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
            logger.setLevel(logging.NOTSET)
