"""Files into records: JSON lines, a JSON array or object, CSV, TSV (plain or gzipped), Parquet."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from provenance_core.errors import InputError
from provenance_core.files.apart import read_apart
from provenance_core.files.limits import FileLimits, check_unpacked, file_limits
from provenance_core.files.not_text import (
    BEGINNING,
    Kind,
    looks_binary,
    refuse_known_kinds,
    refuse_nul,
    refuse_utf16,
)
from provenance_core.files.records.entries import Entry
from provenance_core.files.records.json_text import json_entries
from provenance_core.files.records.parquet import parquet_entries
from provenance_core.files.records.tables import table_entries

_GZIP_MAGIC = b"\x1f\x8b"
_PARQUET_MAGIC = b"PAR1"
_NOT_TEXT = "Give JSONL, JSON or CSV that is saved as text."
_HINTS = {
    Kind.ZIP: "Open an Excel file in a spreadsheet program and save it as CSV in UTF-8, or, for a "
    "batch run, name it .xlsx; unpack any other archive first.",
}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


class _Unpacked(io.RawIOBase):
    """What a gzip stream unpacks to; :class:`InputError` when that is over the limit."""

    def __init__(self, path: Path, packed: gzip.GzipFile, limits: FileLimits) -> None:
        super().__init__()
        self._path = path
        self._packed = packed
        self._limits = limits
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        count = self._packed.readinto(buffer)
        self._size += count
        check_unpacked(self._path, self._size, self._limits)
        return count


def read_entries(path: Path) -> Iterator[Entry]:
    """Read the records of a file one by one, and in their places those that cannot be read.

    Gzip and Parquet are recognised by their first bytes, CSV and TSV by the name; anything else is
    JSON. A process of its own reads these two, and large files.

    A record, or why one could not be read. Raises InputError The file cannot be opened, is damaged
    as a whole, or reaches a limit of :mod:`provenance_core.files.limits`.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET_MAGIC))
            size = file.seek(0, io.SEEK_END)
    except OSError as error:
        raise _cannot_be_read(path, error) from error
    packed = start == _PARQUET_MAGIC or start.startswith(_GZIP_MAGIC)
    if packed or path.suffix.lower() == ".parquet" or size > file_limits().small:
        yield from read_apart(path, entries_of, path, limits=None)
    else:
        yield from entries_of(path)


def entries_of(path: Path) -> Iterator[Entry]:
    """Read records as :func:`read_entries` does, in this process, whatever the file is.

    A record, or why one could not be read. Raises InputError As of :func:`read_entries`.
    """
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET_MAGIC))
            file.seek(0)
            if start == _PARQUET_MAGIC or suffix == ".parquet":
                yield from parquet_entries(path)
                return
            if start.startswith(_GZIP_MAGIC):
                with gzip.open(file) as packed:
                    raw = _Unpacked(path, packed, file_limits())
                    yield from _text(path, suffix, io.BufferedReader(raw))
            else:
                yield from _text(path, suffix, file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{path}: the gzip stream is damaged ({error}); fetch or compress the file again"
        ) from error
    except OSError as error:
        raise _cannot_be_read(path, error) from error


def _cannot_be_read(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path}: cannot be read ({error.strerror or error}); give the path of a .jsonl, "
        ".json, .csv, .tsv or .parquet file (the text ones also as .gz)"
    )


def _text(path: Path, suffix: str, stream: io.BufferedReader) -> Iterator[Entry]:
    _refuse_no_text(path, stream)
    if suffix in _DELIMITERS:
        return table_entries(path, stream, _DELIMITERS[suffix])
    return json_entries(path, stream)


def _refuse_no_text(path: Path, stream: io.BufferedReader) -> None:
    """:class:`InputError` for another kind of file under the name of a text."""
    beginning = stream.peek(BEGINNING)[:BEGINNING]
    refuse_known_kinds(path, beginning, _NOT_TEXT, _HINTS)
    refuse_utf16(path, beginning)
    # A NUL in one line of many costs that line only.
    if looks_binary(beginning):
        refuse_nul(path, beginning, _NOT_TEXT)
