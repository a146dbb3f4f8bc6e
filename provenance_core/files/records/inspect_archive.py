"""The samples of an Inspect log (.eval, a ZIP archive of JSON files) as records."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.limits import check_unpacked, file_limits
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.types import RejectedRow, Unit

SUFFIX = ".eval"
_SAMPLES = "samples/"
_ZSTANDARD = 93  # a method that Python's zipfile reads from 3.14 on
# How the sample was made, which no row needs and which can be most of the file.
_LONG = ("events", "events_data", "attachments", "store", "timelines")


def archive_entries(path: Path) -> Iterator[Entry]:
    """Read the samples of a log; one that cannot be read is refused alone. Raises InputError where
    the file is no archive, holds no sample, or reaches a limit of
    :mod:`provenance_core.files.limits`."""
    try:
        with zipfile.ZipFile(path) as archive:
            found = [each for each in archive.infolist() if _is_sample(each.filename)]
            check_unpacked(path, sum(each.file_size for each in found), file_limits())
            if not found:
                raise InputError(
                    f"{path}: the log holds no samples; it may have been cut off while it was "
                    "written"
                )
            for number, each in enumerate(found, 1):
                yield _entry(path, archive, each, number)
    except zipfile.BadZipFile as error:
        raise InputError(f"{path}: not a whole Inspect log ({error}); copy it again") from error


def _is_sample(name: str) -> bool:
    return name.startswith(_SAMPLES) and name.endswith(".json")


def _entry(path: Path, archive: zipfile.ZipFile, found: zipfile.ZipInfo, number: int) -> Entry:
    try:
        value = json.loads(_unpacked(path, archive, found))
    except (ValueError, RecursionError, OSError, zipfile.BadZipFile) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0][:120]
        return RejectedRow(number, f"not JSON ({said})", found.filename, Unit.RECORD)
    if not isinstance(value, dict):
        return RejectedRow(number, "not a JSON object", found.filename, Unit.RECORD)
    return Record(number, {k: v for k, v in value.items() if k not in _LONG}, Unit.RECORD)


def _unpacked(path: Path, archive: zipfile.ZipFile, found: zipfile.ZipInfo) -> bytes:
    if found.compress_type != _ZSTANDARD:
        return archive.read(found)
    import pyarrow

    with path.open("rb") as file:
        file.seek(found.header_offset)
        head = file.read(30)
        name, extra = struct.unpack("<HH", head[26:30])
        file.seek(found.header_offset + len(head) + name + extra)
        packed = file.read(found.compress_size)
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
        return bytes(stream.read())
