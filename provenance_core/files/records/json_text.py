"""JSON into records: a record a line, an array, or one object."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.json_faults import beyond_json, fault_position, json_fault
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.types import RejectedRow, Unit

_BLANKS = re.compile(r"[ \t\n\r]*")


def json_entries(path: Path, stream: io.BufferedReader) -> Iterator[Entry]:
    """Read the records of a JSON file.

    ``stream``: Its bytes, unpacked. A record, or why one could not be read. Raises InputError The
    file is no JSON as a whole, or not in UTF-8.
    """
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


def _rest(line: int, raw: bytes, stream: io.BufferedReader) -> bytes:
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
                f"{path}, line {first.line}: {first.reason}; fix that line, or leave it out"
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
        "fix that place, or fetch the file again"
    )
