"""Files of answers to be audited in one run: recognised, mapped to rows, refused row by row."""

from provenance_core.files.batch.reading import inspect_batch_file, read_batch_file, unreadable_rows
from provenance_core.files.batch.rejects import rejects_jsonl
from provenance_core.files.batch.types import BatchFile, BatchOptions, FieldMapping, FileShape

__all__ = [
    "BatchFile",
    "BatchOptions",
    "FieldMapping",
    "FileShape",
    "inspect_batch_file",
    "read_batch_file",
    "rejects_jsonl",
    "unreadable_rows",
]
