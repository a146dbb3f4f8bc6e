"""The errors that the core raises, each with a message fit to be shown to a person."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path

_LOG = logging.getLogger(__name__)


class ProvenanceError(Exception):
    """Base of all errors of this package."""


class InputError(ProvenanceError, ValueError):
    """The query, answer, context or a file cannot be used; the message says how to fix it."""


class NotReadError(InputError):
    """An audit cannot be drawn under other settings: they need chunks that no model read."""


class ModelError(ProvenanceError):
    """A model cannot be loaded or does not match its manifest."""


class JudgeError(ModelError):
    """The judge's endpoint is not set, cannot be reached or fails: no answer can be judged."""


class JudgeReplyError(InputError):
    """The judge gave no usable reply about these texts; about others it may."""


class UnforeseenError(InputError):
    """The program failed at these texts in a way that nobody foresaw; at others it may not."""


@contextmanager
def failing_alone() -> Iterator[None]:
    """Work on one row of many, whose texts must not end the work on the others. Raises
    UnforeseenError for any error that this package does not know."""
    try:
        yield
    except (ProvenanceError, CancelledError):
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(at.filename).name}, line {at.lineno}"
        name = type(error).__name__
        _LOG.error("event=unforeseen error=%s file=%s line=%s", name, at.filename, at.lineno)
        raise UnforeseenError(
            f"The program failed at these texts with an error that nobody foresaw ({name} in "
            f"{place}: {error}). Other rows are not affected. Report the error with this row."
        ) from error
