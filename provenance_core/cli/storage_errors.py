"""Errors of the storage as errors that the command line shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from provenance_core.errors import ProvenanceError
from storage.errors import StorageError


@contextmanager
def storage_errors_shown() -> Iterator[None]:
    """Turn a StorageError inside the block into one that the command line shows.

    Raises ProvenanceError with the same message.
    """
    try:
        yield
    except StorageError as error:
        raise ProvenanceError(str(error)) from error
