"""A file that another tool gave back into labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.batch.checks import storable
from provenance_core.files.records.entries import Entries, Entry, Record, head, unit_of
from provenance_core.files.records.opening import read_entries
from provenance_core.files.returned import _label_studio, _langfuse, _phoenix
from provenance_core.files.returned._outcome import Read
from provenance_core.files.returned.types import ReturnedFile, ReturningTool
from provenance_core.files.types import RejectedRow, Unit

FILE_TYPES = ("json", "jsonl", "csv", "tsv", "parquet")
_RAW_CHARACTERS = 2_000  # of a refused record, kept to find it again


@dataclass(frozen=True, slots=True)
class _Reader:
    tool: ReturningTool
    known: Callable[[Record], bool]
    read: Callable[[Record], Read]


_READERS = (
    _Reader(_label_studio.TOOL, _label_studio.is_task, _label_studio.read_task),
    _Reader(_label_studio.TOOL, _label_studio.is_annotation, _label_studio.read_annotation),
    _Reader(_phoenix.TOOL, _phoenix.is_annotation, _phoenix.read_annotation),
    _Reader(_langfuse.TOOL, _langfuse.is_score, _langfuse.read_score),
)


def returned_tool(path: Path) -> ReturningTool | None:
    """Tell the tool that wrote a file by the keys of its first records. None for a file of no such
    tool. Raises InputError where the file cannot be opened."""
    reader, *_ = _recognised(read_entries(path))
    return None if reader is None else reader.tool


def read_returned_file(path: Path) -> ReturnedFile:
    """Read what people said of answers that were exported here. The labels of people, and what
    could not be read, each with line, reason and a hint. Raises InputError where the file cannot be
    opened, is damaged as a whole, or is of none of these tools."""
    read = read_entries(path)
    reader, first, rest = _recognised(read)
    if reader is None:
        raise InputError(
            f"{path}: no record of it is a task of Label Studio (data, annotations), a span "
            "annotation of Phoenix (annotator_kind) or a score of Langfuse (name, source, "
            "dataType, value). Export one of these as JSON, JSON lines, CSV or Parquet"
        )
    unit = unit_of(first)
    parts = [_part(reader, entry) for entry in chain(first, rest)]
    return ReturnedFile(
        path,
        reader.tool,
        tuple(label for part in parts for label in part.labels),
        tuple(_short(row, unit) for part in parts for row in part.rejected),
        machine=sum(part.machine for part in parts),
        unlabelled=sum(part.unlabelled for part in parts),
        others=sum(part.others for part in parts),
        unit=unit,
        warnings=tuple(read.notes),
    )


def _recognised(read: Entries) -> tuple[_Reader | None, list[Entry], Iterator[Entry]]:
    """The reader of a file, the first of its entries and the rest."""
    entries = _unwrapped(read)
    first, records = head(entries)
    for reader in _READERS:
        if any(map(reader.known, records)):
            return reader, first, entries
    return None, first, entries


def _unwrapped(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The elements of ``data`` where an answer of an API is the file, else the entries."""
    for entry in entries:
        data = entry.fields.get("data") if isinstance(entry, Record) else None
        if not isinstance(data, list):
            yield entry
            continue
        for number, each in enumerate(data, 1):
            if isinstance(each, dict):
                yield Record(number, each, Unit.RECORD)
            else:
                why = "not a JSON object; export the file again"
                yield RejectedRow(number, why, str(each), Unit.RECORD)


def _part(reader: _Reader, entry: Entry) -> Read:
    if isinstance(entry, RejectedRow):
        return Read(rejected=(entry,))
    if not reader.known(entry):
        why = f"not a record of {reader.tool} like those before it; export the file again"
        return Read(rejected=(RejectedRow(entry.line, why, str(entry.fields)),))
    return reader.read(entry)


def _short(row: RejectedRow, unit: Unit) -> RejectedRow:
    return storable(RejectedRow(row.line, row.reason, row.raw[:_RAW_CHARACTERS], unit))
