"""Files that other tools give back: what people said there of answers that were exported here."""

from provenance_core.files.returned.reading import read_returned_file, returned_tool
from provenance_core.files.returned.types import (
    ReturnedFile,
    ReturnedLabel,
    ReturnedSpan,
    ReturningTool,
)

__all__ = [
    "ReturnedFile",
    "ReturnedLabel",
    "ReturnedSpan",
    "ReturningTool",
    "read_returned_file",
    "returned_tool",
]
