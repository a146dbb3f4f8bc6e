"""A file into rows to audit."""

from __future__ import annotations

from pathlib import Path

from provenance_core.batch.types import BatchFile, BatchOptions, FieldMapping, FileShape

_DEFAULT_OPTIONS = BatchOptions()


def inspect_batch_file(path: Path) -> FileShape:
    """What the first records of ``path`` say: its format, its keys and how they are mapped.

    :class:`InputError` when the file cannot be opened, or no record of it can be read.
    """
    raise NotImplementedError


def read_batch_file(
    path: Path,
    format: str | None = None,
    mapping: FieldMapping | None = None,
    options: BatchOptions = _DEFAULT_OPTIONS,
) -> BatchFile:
    """Every row of ``path``, each to be audited or refused with a reason.

    The format is recognised by the keys of the first records, or is the one called ``format``. A
    ``mapping`` wins over the format's where one record is one row. :class:`InputError` when the
    file as a whole cannot be read: it cannot be opened, no record of it can be read, no record has
    the keys that context and answer are mapped to, or a file that it needs is not beside it.
    """
    raise NotImplementedError
