"""Files into records: JSON lines, a JSON array or object, CSV, TSV (plain or gzipped), Parquet."""

from __future__ import annotations

import csv
import gzip
import importlib
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from provenance_core.errors import InputError
from provenance_core.files.apart import read_apart
from provenance_core.files.csv_rows import csv_fault, csv_rows
from provenance_core.files.json_faults import beyond_json, fault_position, json_fault
from provenance_core.files.limits import FileLimits, check_unpacked, file_limits
from provenance_core.files.not_text import (
    BEGINNING,
    Kind,
    looks_binary,
    refuse_known_kinds,
    refuse_nul,
    refuse_utf16,
)
from provenance_core.files.types import RejectedRow, Unit

_GZIP_MAGIC = b"\x1f\x8b"
_PARQUET_MAGIC = b"PAR1"
_NOT_TEXT = "Give JSONL, JSON or CSV that is saved as text."
_CURES = {
    Kind.ZIP: "Open an Excel file in a spreadsheet program and save it as CSV in UTF-8, or, for a "
    "batch run, name it .xlsx; unpack any other archive first.",
}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_RECORDS_TO_RECOGNISE = 20
_BLANKS = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file. ``line`` counts from 1, in ``unit``."""

    line: int
    fields: dict[str, object]
    unit: Unit = Unit.LINE


Entry: TypeAlias = Record | RejectedRow
_Stream: TypeAlias = io.BufferedReader


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

    Parameters
    ----------
    path : Path
        The file.

    Yields
    ------
    Entry
        A record, or why one could not be read.

    Raises
    ------
    InputError
        The file cannot be opened, is damaged as a whole, or reaches a limit of
        :mod:`provenance_core.files.limits`.
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

    Parameters
    ----------
    path : Path
        The file.

    Yields
    ------
    Entry
        A record, or why one could not be read.

    Raises
    ------
    InputError
        As of :func:`read_entries`.
    """
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET_MAGIC))
            file.seek(0)
            if start == _PARQUET_MAGIC or suffix == ".parquet":
                yield from _parquet(path)
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


def head(entries: Iterator[Entry]) -> tuple[list[Entry], list[Record]]:
    """Take the first entries of a file, enough to recognise it by, even behind a few damaged ones.

    Parameters
    ----------
    entries : Iterator[Entry]
        The entries; those that are taken are gone from it.

    Returns
    -------
    tuple[list[Entry], list[Record]]
        The entries taken, and the records among them.
    """
    first: list[Entry] = []
    records: list[Record] = []
    for entry in entries:
        first.append(entry)
        if isinstance(entry, Record):
            records.append(entry)
        if len(records) == _RECORDS_TO_RECOGNISE:
            break
    return first, records


def unit_of(first: Sequence[Entry]) -> Unit:
    """Tell what the places of a file count.

    Parameters
    ----------
    first : Sequence[Entry]
        The first entries of it.

    Returns
    -------
    Unit
        Lines where there is no entry.
    """
    return first[0].unit if first else Unit.LINE


def unread(first: Sequence[Entry]) -> str:
    """Say where and why the first damaged entry cannot be read.

    Parameters
    ----------
    first : Sequence[Entry]
        Entries, one of them damaged.

    Returns
    -------
    str
        Place and reason, for a message.
    """
    return next(f"{each.place}: {each.reason}" for each in first if isinstance(each, RejectedRow))


def beside(path: Path, name: str) -> Path | None:
    """Find a file in the folder of another.

    Parameters
    ----------
    path : Path
        The other file.
    name : str
        Name of the file that is looked for.

    Returns
    -------
    Path | None
        The file or its gzipped form, None if neither is there.
    """
    for candidate in (path.with_name(name), path.with_name(f"{name}.gz")):
        if candidate.is_file():
            return candidate
    return None


def _text(path: Path, suffix: str, stream: _Stream) -> Iterator[Entry]:
    _refuse_no_text(path, stream)
    if suffix in _DELIMITERS:
        return _table(path, stream, _DELIMITERS[suffix])
    return _json(path, stream)


def _refuse_no_text(path: Path, stream: _Stream) -> None:
    """:class:`InputError` for another kind of file under the name of a text."""
    beginning = stream.peek(BEGINNING)[:BEGINNING]
    refuse_known_kinds(path, beginning, _NOT_TEXT, _CURES)
    refuse_utf16(path, beginning)
    # A NUL in one line of many costs that line only.
    if looks_binary(beginning):
        refuse_nul(path, beginning, _NOT_TEXT)


def _json(path: Path, stream: _Stream) -> Iterator[Entry]:
    lines = enumerate(stream, start=1)
    line, raw = next(((line, raw) for line, raw in lines if raw.strip()), (1, b""))
    start = raw.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        return
    # An array is parsed piece by piece: as one line it may hold half a gigabyte.
    if start.startswith(b"[") and start[1:].lstrip()[:1] in (b"", b"{", b"]"):
        yield from _array(path, _decode(path, _rest(line, raw, stream)))
        return
    first = _object(line, raw)
    if isinstance(first, RejectedRow) and start.startswith(b"{"):
        yield from _document_or_lines(path, _rest(line, raw, stream))
        return
    yield first
    yield from (_object(line, raw) for line, raw in lines if raw.strip())


def _rest(line: int, raw: bytes, stream: _Stream) -> bytes:
    """The whole file, so that places in it keep their numbers."""
    return b"".join([b"\n" * (line - 1), raw, *stream])


def _document_or_lines(path: Path, data: bytes) -> Iterator[Entry]:
    """One object over several lines, or else lines of which the first is damaged."""
    try:
        text = _decode(path, data)
        yield _record(1, json.loads(text), text, Unit.RECORD)
        return
    except json.JSONDecodeError as error:
        damage = _not_json(path, error)
    except InputError as error:
        damage = error
    except (ValueError, RecursionError) as error:
        damage = InputError(f"{path}: JSON beyond what can be read ({beyond_json(error)})")
    numbered = enumerate(data.split(b"\n"), start=1)
    entries = [_object(line, raw) for line, raw in numbered if raw.strip()]
    if not any(isinstance(entry, Record) for entry in entries):
        first = entries[0]
        if _is_lines(path) and isinstance(first, RejectedRow):
            damage = InputError(
                f"{path}, line {first.line}: {first.reason}; mend that line, or leave it out"
            )
        raise damage
    yield from entries


def _is_lines(path: Path) -> bool:
    """Whether the name says that each line is a record of its own."""
    return Path(path.name.lower().removesuffix(".gz")).suffix == ".jsonl"


def _object(line: int, raw: bytes) -> Entry:
    shown = raw.decode("utf-8", "replace").rstrip("\r\n")
    try:
        # Without its end, which would begin a line of its own: the column is of this one.
        value = json.loads(raw.decode("utf-8-sig" if line == 1 else "utf-8").rstrip("\r\n"))
    except UnicodeDecodeError as error:
        return RejectedRow(line, f"not UTF-8 (byte {error.start + 1} of the line)", shown)
    except json.JSONDecodeError as error:
        return RejectedRow(line, f"not JSON at column {error.colno} ({json_fault(error)})", shown)
    except (ValueError, RecursionError) as error:
        return RejectedRow(line, f"JSON beyond what can be read ({beyond_json(error)})", shown)
    return _record(line, value, shown)


def _record(line: int, value: object, raw: str, unit: Unit = Unit.LINE) -> Entry:
    if isinstance(value, dict):
        return Record(line, value, unit)
    return RejectedRow(line, "not a JSON object", raw, unit)


def _array(path: Path, text: str) -> Iterator[Entry]:
    decoder = json.JSONDecoder()
    at = _skip(text, _skip(text, 0) + 1)
    number = 0
    while number or text[at : at + 1] != "]":
        number += 1
        try:
            value, after = decoder.raw_decode(text, at)
            raw = text[at:after]
            at = _skip(text, after)
            end = text[at : at + 1]
            if end not in (",", "]"):
                raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
        except json.JSONDecodeError as error:
            raise _not_json(path, error) from error
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{path}, record {number}: JSON beyond what can be read ({beyond_json(error)})"
            ) from error
        yield _record(number, value, raw, Unit.RECORD)
        if end == "]":
            break
        at = _skip(text, at + 1)
    after = _skip(text, at + 1)
    if after < len(text):
        raise _not_json(path, json.JSONDecodeError("Extra data", text, after))


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _decode(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 (byte {error.start + 1} of the file); save it as UTF-8"
        ) from error


def _not_json(path: Path, error: json.JSONDecodeError) -> InputError:
    line, column = fault_position(error)
    return InputError(
        f"{path}, line {line}, column {column}: not JSON ({json_fault(error)}); "
        "mend that place, or fetch the file again"
    )


def _table(path: Path, stream: _Stream, delimiter: str) -> Iterator[Entry]:
    # Bytes that are not UTF-8 become surrogates, so that they cost their own row only.
    with io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="") as text:
        taken: list[str] = []
        heading = text.readline()
        if delimiter not in heading:
            # Spreadsheets save semicolons where the comma marks decimals.
            delimiter = next((other for other in ";\t" if other in heading), delimiter)
        rows = csv_rows(_taking(chain([heading], text), taken), delimiter)
        header: list[str] | None = None
        while True:
            line = rows.line_num + 1
            taken.clear()
            try:
                cells = next(rows, None)
            except csv.Error as error:
                lost = rows.line_num - line + 1
                yield RejectedRow(
                    line, f"not CSV ({csv_fault(error)}); {lost} line(s) lost", _raw(taken)
                )
                continue
            if cells is None:
                return
            if cells and header is None:
                header = column_names(path, cells)
            elif cells and header is not None:
                yield _table_row(line, header, cells, taken)


def column_names(path: Path, cells: Sequence[str]) -> list[str]:
    """Take the heading of a table as names.

    Of two columns with one name only one could be read, and nobody would hear of the other.

    Parameters
    ----------
    path : Path
        The file, for messages.
    cells : Sequence[str]
        The cells of the heading.

    Returns
    -------
    list[str]
        A name for each cell without white space around it; several may be empty.

    Raises
    ------
    InputError
        Two columns have the same name; the message gives their numbers.
    """
    names = [cell.strip() for cell in cells]
    for name in filter(None, names):
        same = [str(number) for number, other in enumerate(names, 1) if other == name]
        if len(same) > 1:
            raise InputError(
                f"{path}: the columns {', '.join(same[:-1])} and {same[-1]} (counted from 1) have "
                f"the same heading, {_raw([name])}; rename all but one of them"
            )
    return names


def _taking(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    """``lines``, each put into ``taken`` as it is read."""
    for line in lines:
        taken.append(line)
        yield line


def _raw(lines: list[str]) -> str:
    """Lines as they were in the file, with U+FFFD for bytes that are not UTF-8."""
    text = "".join(lines).rstrip("\r\n")
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _table_row(line: int, header: list[str], cells: list[str], lines: list[str]) -> Entry:
    if len(cells) != len(header):
        said = f"{len(cells)} columns, but the heading names {len(header)}"
        return RejectedRow(line, said, _raw(lines))
    damaged = next((at for at, cell in enumerate(cells) if _undecoded(cell)), None)
    if damaged is not None:
        where = f"column {_raw([header[damaged]])}" if header[damaged] else f"cell {damaged + 1}"
        return RejectedRow(line, f"not UTF-8 in {where}", _raw(lines))
    return Record(line, dict(zip(header, cells, strict=True)))


def _undecoded(cell: str) -> bool:
    return not cell.isascii() and any("\udc80" <= letter <= "\udcff" for letter in cell)


def _parquet(path: Path) -> Iterator[Entry]:
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError(
            f"{path}: a Parquet file needs pyarrow, which is not installed; install pyarrow, or "
            "save the file as .csv or .jsonl"
        ) from error
    number = 0
    try:
        for batch in parquet.ParquetFile(path).iter_batches():
            for fields in batch.to_pylist():
                number += 1
                yield Record(number, fields, Unit.RECORD)
    except MemoryError:  # Arrow's own is one of its exceptions too
        raise
    except arrow.ArrowException as error:
        raise InputError(
            f"{path}: not a whole Parquet file ({str(error).splitlines()[0]}); fetch it again"
        ) from error
