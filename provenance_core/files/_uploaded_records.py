"""Uploaded files of records: JSON, JSON lines and CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from provenance_core.errors import InputError
from provenance_core.files._uploaded_text import Piece, Pieces, decode_upload
from provenance_core.files.context_answers import answer_alone, answers_inside
from provenance_core.files.json_faults import beyond_json, fault_position, json_fault
from provenance_core.files.records.entries import Note
from provenance_core.files.records.numbered_columns import joined_columns
from provenance_core.files.records.tables import table_entries
from provenance_core.files.types import RejectedRow
from provenance_core.files.values.context_texts import context_items, title_of
from provenance_core.files.values.retrieved import is_response
from provenance_core.text.structured_context import is_data
from provenance_core.types import ContextItem, Notice

TEXT_FIELDS = ("text", "content", "page_content", "document", "passage", "chunk", "context")
LIST_FIELDS = (
    "context",
    "contexts",
    "retrieved_contexts",
    "retrieval_context",
    "documents",
    "chunks",
)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A value of a file, and where it is."""

    value: object
    where: str


def read_json(name: str, data: bytes) -> Pieces:
    """Read the texts that the records of a JSON file name; where no record names one, the whole
    file is one piece, as data. Raises InputError where it is not JSON, with line and column, or
    where a record names no text although another does."""
    text, notices = decode_upload(name, data)
    value = _value(name, 1, text, "Fix that place; one JSON value a line needs the ending .jsonl.")
    records = value if isinstance(value, list) else [value]
    placed = [_Placed(each, f"{name}, record {n}") for n, each in enumerate(records, 1)]
    whole = not any(names_texts(record) for record in records) and is_data(text)
    return _pieces(name, text, placed, notices, whole=whole, named=value)


def read_jsonl(name: str, data: bytes) -> Pieces:
    """Read the texts of each line of a JSON Lines file. Raises InputError where a line is not JSON
    or names no text, with the line."""
    text, notices = decode_upload(name, data)
    # Not splitlines(): it would also cut at U+2028, which JSON allows inside a string.
    lines = enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1)
    placed = [
        _Placed(_value(name, n, line, "Every line is one JSON value."), f"{name}, line {n}")
        for n, line in lines
        if line.strip()
    ]
    return _pieces(name, text, placed, notices)


def _value(name: str, first: int, text: str, advice: str) -> object:
    """What a text means as JSON; ``first`` is its first line in the file."""
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        line, column = fault_position(error)
        raise InputError(
            f"{name}, line {first + line - 1}, column {column}: not JSON ({json_fault(error)}). "
            f"{advice}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}, line {first}: JSON beyond what can be read ({beyond_json(error)}). {advice}"
        ) from error
    return value


def read_csv(name: str, data: bytes) -> Pieces:
    """Read the column of a table that holds the texts; a file that has no such column is one piece,
    as data. Raises InputError where it is not CSV, no column holds texts, a row does not fit the
    heading, or there is none, with the line."""
    text, notices = decode_upload(name, data)
    placed: list[_Placed] = []
    columns: list[str] = []
    table = table_entries(PurePath(name), lambda: io.StringIO(text, newline=""), ",")
    for entry in joined_columns(table):
        if isinstance(entry, Note):
            notices += (Notice("title_left_out", f"{name}: {entry.text}"),)
        elif isinstance(entry, RejectedRow):
            raise InputError(
                f"{name}, {entry.place}: {entry.reason}. Quote texts that hold the delimiter, "
                'quotes or line ends, and double the quotes inside (").'
            )
        else:
            fields = {_field(column): cell for column, cell in entry.fields.items()}
            placed.append(_Placed(fields, f"{name}, line {entry.line}"))
            columns = list(entry.fields)
    if not placed:
        raise InputError(f"{name}: the file has a heading but no rows. Add one row an item.")
    first = placed[0].value
    named = names_texts(first)
    if not named and not is_data(text):
        found = ", ".join(repr(column[:40]) for column in columns[:12])
        raise InputError(
            f"{name}, line 1: no column with the text of the context items. Name one of the "
            f"columns {', '.join(TEXT_FIELDS)}; found: {found}."
        )
    return _pieces(name, text, placed, notices, whole=not named, named=first)


def _field(column: str) -> str:
    """A heading, in small letters where that makes it the name of a text."""
    lower = column.lower()
    return lower if lower in (*TEXT_FIELDS, *LIST_FIELDS) else column


def _pieces(
    name: str,
    text: str,
    placed: Sequence[_Placed],
    notices: tuple[Notice, ...],
    *,
    whole: bool = False,
    named: object = None,
) -> Pieces:
    """The pieces of a file without an answer to audit: of the file as ``whole``, or of each
    record."""
    if alone := answer_alone(name, [each.value for each in placed]):
        asked, said = alone
        return Pieces((), (*notices, said), asked)
    if whole:
        return Pieces((Piece(text.strip(), name),), notices + answers_inside(name, named))
    pieces = tuple(piece for each in placed for piece in record_texts(each.value, each.where))
    return Pieces(pieces, notices)


def record_texts(record: object, where: str) -> list[Piece]:
    """The texts of one record, with their places; :class:`InputError` where it names no text, or
    not as one."""
    if isinstance(record, str):
        return [Piece(record, where)]
    if not isinstance(record, dict):
        raise InputError(
            f"{where}: a text or an object was expected, not {_json_kind(record)}. Use a list of "
            'texts, or of objects such as {"text": "..."}.'
        )
    if is_response(record):
        return named_pieces(context_items(record, "context"), where, "context")
    field = next((f for f in LIST_FIELDS if isinstance(record.get(f), list)), "")
    field = field or next((f for f in TEXT_FIELDS if isinstance(record.get(f), str)), "")
    field = field or next((f for f in LIST_FIELDS if isinstance(record.get(f), str)), "")
    if not field:
        found = ", ".join(repr(str(key)) for key in list(record)[:8]) or "none"
        raise InputError(
            f"{where}: no field with the text of a context item. Name it one of "
            f"{', '.join(TEXT_FIELDS)}; found: {found}."
        )
    try:
        return named_pieces(
            context_items(record[field], field), _titled(where, title_of(record)), field
        )
    except InputError as error:
        raise InputError(f"{where}: {error}.") from error


def named_pieces(items: Sequence[ContextItem], where: str, field: str) -> list[Piece]:
    """The pieces of a record at the place ``where``, "" for what was pasted, which is named by
    titles alone."""
    several = len(items) > 1 and where
    return [
        Piece(
            item.text,
            _titled(f"{where}, {field} {number}" if several else where, item.name),
        )
        for number, item in enumerate(items, 1)
    ]


def _titled(where: str, title: str) -> str:
    """The title first: where there is little room, the end of a name is what is cut."""
    return " · ".join(filter(None, (title, where)))


def names_texts(record: object) -> bool:
    """Whether a record tells where the text of a context item is. If no record does, the file is
    data as a whole, as it would be when pasted."""
    fields = (*TEXT_FIELDS, *LIST_FIELDS)
    if not isinstance(record, dict) or is_response(record):
        return True
    return any(field in record for field in fields)


def _json_kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    return "a number" if isinstance(value, int | float) else "a list"
