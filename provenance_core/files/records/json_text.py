"""JSON into records: a record a line, objects over several lines each, an array, or one object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.json_faults import beyond_json, fault_position, json_fault
from provenance_core.files.records.entries import Entry, Record, shown, undecoded
from provenance_core.files.types import RejectedRow, Unit

_BLANKS = re.compile(r"[ \t\n\r]*")
_BLANKS_IN_LINE = re.compile(r"[ \t\r]*")
# Before a line that neither is within an object that was written over several lines, nor ends one.
_NEXT = re.compile(r"\n(?=[^\s}\]])")


class _Decoder(json.JSONDecoder):
    """Remembers a key that stands twice in one object: of its two values, JSON keeps the last."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=self._object)
        self._twice = ""

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            self._twice = self._twice or next(key for key in keys if keys.count(key) > 1)
        return found

    def twice(self) -> str:
        """The key that stood twice since this was last asked, else ""."""
        found, self._twice = self._twice, ""
        return found


def json_entries(path: Path, stream: Iterator[str]) -> Iterator[Entry]:
    """Read the records of a JSON text; :class:`InputError` where it is no JSON as a whole."""
    lines = enumerate(stream, start=1)
    line, raw = next(((line, raw) for line, raw in lines if raw.strip()), (1, ""))
    start = raw.lstrip()
    if not start:
        return
    # An array is parsed piece by piece: as one line it may hold half a gigabyte.
    if start.startswith("[") and start[1:].lstrip()[:1] in ("", "{", "]"):
        yield from _array(path, _rest(line, raw, stream))
        return
    decoder = _Decoder()
    first = _object(decoder, line, raw)
    if isinstance(first, RejectedRow) and start.startswith("{"):
        yield from _document_or_lines(path, _rest(line, raw, stream))
        return
    yield first
    yield from (_object(decoder, line, raw) for line, raw in lines if raw.strip())


def _rest(line: int, raw: str, stream: Iterator[str]) -> str:
    """The whole text, so that places in it keep their numbers."""
    return "".join(["\n" * (line - 1), raw, *stream])


def _document_or_lines(path: Path, text: str) -> Iterator[Entry]:
    """One object over several lines, or else several objects, of which some may be damaged."""
    decoder = _Decoder()
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        damage = _not_json(path, error)
    except (ValueError, RecursionError) as error:
        damage = InputError(f"{path}: JSON beyond what can be read ({beyond_json(error)})")
    else:
        yield _record(decoder, 1, value, text, Unit.RECORD)
        return
    entries = list(_one_after_another(text))
    if not any(isinstance(entry, Record) for entry in entries):
        first = entries[0]
        if _is_lines(path) and isinstance(first, RejectedRow):
            damage = InputError(
                f"{path}, line {first.line}: {first.reason}; fix that line, or leave it out"
            )
        raise damage
    yield from entries


def _one_after_another(text: str) -> Iterator[Entry]:
    """Objects of one line or of several each. A damaged one ends before the next line that is not
    indented."""
    decoder = _Decoder()
    line, counted, at = 1, 0, _skip(text, 0)
    while at < len(text):
        line, counted = line + text.count("\n", counted, at), at
        end = _end_of_value(decoder, text, at)
        if end is None:
            following = _NEXT.search(text, at)
            end = following.start() if following else len(text)
        decoder.twice()
        yield _object(decoder, line, text[at:end])
        at = _skip(text, end)


def _end_of_value(decoder: _Decoder, text: str, at: int) -> int | None:
    """Where a value ends, if nothing but another object follows in its line; else None."""
    try:
        _, end = decoder.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    behind = _BLANKS_IN_LINE.match(text, end)
    rest = behind.end() if behind else end
    return end if text[rest : rest + 1] in ("", "\n", "{") else None


def _is_lines(path: Path) -> bool:
    """Whether the name says that each line is a record of its own."""
    return Path(path.name.lower().removesuffix(".gz")).suffix == ".jsonl"


def _object(decoder: _Decoder, line: int, raw: str) -> Entry:
    raw = raw.rstrip("\r\n")
    if undecoded(raw):
        return RejectedRow(line, "not in the encoding that was named", shown(raw))
    try:
        # Without its end, which would begin a line of its own: the column is of this one.
        value = decoder.decode(raw)
    except json.JSONDecodeError as error:
        decoder.twice()
        down, column = fault_position(error)
        place = f"column {error.colno}"
        if "\n" in raw:
            place = f"line {line + down - 1:,}, column {column}"
        return RejectedRow(line, f"not JSON at {place} ({json_fault(error)})", raw)
    except (ValueError, RecursionError) as error:
        decoder.twice()
        return RejectedRow(line, f"JSON beyond what can be read ({beyond_json(error)})", raw)
    return _record(decoder, line, value, raw)


def _record(decoder: _Decoder, line: int, value: object, raw: str, unit: Unit = Unit.LINE) -> Entry:
    if twice := decoder.twice():
        return RejectedRow(line, f"the key {twice[:60]!r} stands twice; remove one", raw, unit)
    if isinstance(value, dict):
        return Record(line, value, unit)
    return RejectedRow(line, "not a JSON object", raw, unit)


def _array(path: Path, text: str) -> Iterator[Entry]:
    decoder = _Decoder()
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
        if undecoded(raw):
            yield RejectedRow(number, "not in the encoding that was named", shown(raw), Unit.RECORD)
        else:
            yield _record(decoder, number, value, raw, Unit.RECORD)
        if end == "]":
            break
        at = _skip(text, at + 1)
    after = _skip(text, at + 1)
    if after < len(text):
        raise _not_json(path, json.JSONDecodeError("Extra data", text, after))


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _not_json(path: Path, error: json.JSONDecodeError) -> InputError:
    line, column = fault_position(error)
    return InputError(
        f"{path}, line {line}, column {column}: not JSON ({json_fault(error)}); "
        "fix that place, or fetch the file again"
    )
