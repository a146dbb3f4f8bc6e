"""Files into records: JSON lines, a JSON array or object, CSV, TSV (plain or gzipped), Parquet, and
Inspect's logs."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from provenance_core.errors import InputError
from provenance_core.files.apart import read_apart
from provenance_core.files.encoding import (
    MARK,
    Encoding,
    find_encoding,
    named_encoding,
    undecodable,
)
from provenance_core.files.limits import FileLimits, check_unpacked, file_limits
from provenance_core.files.not_text import BEGINNING, Kind, refuse_known_kinds
from provenance_core.files.records.entries import Entries, Entry, Note
from provenance_core.files.records.headings import names_a_table, rows_of
from provenance_core.files.records.inspect_archive import SUFFIX, archive_entries
from provenance_core.files.records.json_text import json_entries
from provenance_core.files.records.markdown import has_table, markdown_entries
from provenance_core.files.records.numbered_columns import joined_columns
from provenance_core.files.records.parquet import parquet_entries
from provenance_core.files.records.tables import table_entries
from provenance_core.files.records.whole_tables import whole_tables

_GZIP_MAGIC = b"\x1f\x8b"
_PARQUET_MAGIC = b"PAR1"
_NOT_TEXT = "Give JSONL, JSON or CSV that is saved as text."
_HINTS = {
    Kind.ZIP: "Open an Excel file in a spreadsheet program and save it as CSV in UTF-8, or, for a "
    "batch run, name it .xlsx; unpack any other archive first."
}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_TEXTS = (".txt", ".md", ".markdown")
_Opened: TypeAlias = Callable[[], AbstractContextManager[BinaryIO]]


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

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        count = self._packed.readinto(buffer)
        self._size += count
        check_unpacked(self._path, self._size, self._limits)
        return count


def read_entries(path: Path, encoding: str = "") -> Entries:
    """Read the records of a file one by one, and in their places those that cannot be read.

    Gzip and Parquet are recognised by their first bytes, CSV and TSV by the name, or without an
    ending, as of a pipe, by a beginning that is none of JSON. Anything else is JSON. A process of
    its own reads gzip, Parquet and large files. ``encoding``: the one that a person names, or "" to
    find it; a row that does not fit a named one is refused alone.

    Raises InputError where the file cannot be opened, is damaged as a whole, or reaches a limit of
    :mod:`provenance_core.files.limits`; all but the first while the records are read."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET_MAGIC))
            size = file.seek(0, io.SEEK_END)
    except OSError as error:
        raise _cannot_be_read(path, error) from error
    packed = start == _PARQUET_MAGIC or start.startswith(_GZIP_MAGIC)
    if packed or path.suffix.lower() in (".parquet", SUFFIX) or size > file_limits().small:
        return Entries(read_apart(path, entries_of, path, encoding, limits=None))
    return Entries(entries_of(path, encoding))


def entries_of(path: Path, encoding: str = "") -> Iterator[Entry | Note]:
    """Read records as :func:`read_entries` does, in this process, whatever the file is. Raises
    InputError where it cannot be read or its gzip stream is damaged."""
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET_MAGIC))
        if start == _PARQUET_MAGIC or suffix == ".parquet":
            yield from parquet_entries(path)
            return
        if suffix == SUFFIX:
            yield from archive_entries(path)
            return
        yield from _text_entries(path, suffix, _opener(path, start), encoding)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{path}: the gzip stream is damaged ({error}); fetch or compress the file again"
        ) from error
    except OSError as error:
        raise _cannot_be_read(path, error) from error


def _opener(path: Path, start: bytes) -> _Opened:
    """What opens the bytes of a file, unpacked, as often as they are read."""

    @contextmanager
    def opened() -> Iterator[BinaryIO]:
        with path.open("rb") as file:
            if start.startswith(_GZIP_MAGIC):
                with gzip.open(file) as packed:
                    yield io.BufferedReader(_Unpacked(path, packed, file_limits()))
            else:
                yield file

    return opened


def _cannot_be_read(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path}: cannot be read ({error.strerror or error}); give the path of a .jsonl, "
        ".json, .csv, .tsv or .parquet file (the text ones also as .gz)"
    )


def _text_entries(path: Path, suffix: str, opened: _Opened, asked: str) -> Iterator[Entry | Note]:
    encoding = _encoding(path, opened, asked)
    if encoding.doubt:
        yield Note(encoding.doubt)
    with opened() as stream:
        beginning = stream.read(BEGINNING).decode(encoding.name, "replace").lstrip(f"{MARK} \t\r\n")
    is_json = beginning[:1] in ("{", "[")
    delimiter = _DELIMITERS.get(suffix, "" if suffix or is_json else ",")
    if suffix in _TEXTS and not is_json:
        if not has_table(beginning) and not names_a_table(rows_of(beginning)):
            raise InputError(
                f"{path}: it is a text, without a table that names two of question, context and "
                f"answer at its beginning. {_NOT_TEXT}"
            )
        delimiter = ","

    def lines() -> Iterator[str]:
        with opened() as stream:
            # Line ends stay as they are: those inside a cell belong to its text.
            text = io.TextIOWrapper(stream, encoding.name, errors=encoding.errors, newline="")
            # Some programs write a byte-order mark twice, and files that were joined have one each.
            yield from (line.lstrip(MARK) for line in text)

    try:
        if delimiter and has_table(beginning):
            yield from markdown_entries(path, "".join(lines()))
        elif delimiter:
            yield from joined_columns(table_entries(path, lines, delimiter))
        else:
            yield from whole_tables(json_entries(path, lines()))
    except UnicodeDecodeError as error:
        raise undecodable(path, encoding, f"something in it ({error.reason})") from error


def _encoding(path: Path, opened: _Opened, asked: str) -> Encoding:
    with opened() as stream:
        beginning = stream.read(BEGINNING)
    refuse_known_kinds(path, beginning, _NOT_TEXT, _HINTS)
    if asked:
        return named_encoding(asked)
    with opened() as stream:
        return find_encoding(path, stream, _NOT_TEXT)
