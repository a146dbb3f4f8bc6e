"""Uploaded files of records: JSON, JSON lines and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from provenance_core.errors import InputError
from provenance_core.files._uploaded_text import Piece, Pieces, decode_upload
from provenance_core.files.context_answers import (
    answers_inside,
    answers_left_out,
    answers_taken,
    one_answer,
)
from provenance_core.files.csv_rows import csv_fault, csv_rows
from provenance_core.files.formats._context_texts import listed
from provenance_core.files.json_faults import beyond_json, fault_position, json_fault
from provenance_core.text.structured_context import is_data

TEXT_FIELDS = ("text", "content", "page_content", "document", "passage", "chunk", "context")
LIST_FIELDS = (
    "context",
    "contexts",
    "retrieved_contexts",
    "retrieval_context",
    "documents",
    "chunks",
)


def read_json(name: str, data: bytes) -> Pieces:
    """Read the texts that the records of a JSON file name.

    ``data``: Its bytes. A piece for each text; where no record names one, the whole file is one
    piece, as data. Raises InputError It is not JSON; the message gives line and column. Or a record
    names no text although another does.
    """
    text, notices = decode_upload(name, data)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        line, column = fault_position(error)
        raise InputError(
            f"{name}, line {line}, column {column}: not JSON ({json_fault(error)}). "
            "Fix that place; one JSON value a line needs the ending .jsonl."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}: JSON beyond what can be read ({beyond_json(error)}). Use a list of texts."
        ) from error
    records = value if isinstance(value, list) else [value]
    one = _one_answer(name, f"{name}, record 1", records)
    if one is not None:
        return replace(one, notices=notices + one.notices)
    if not any(names_texts(record) for record in records) and is_data(text):
        return Pieces((Piece(text.strip(), name),), notices + answers_inside(name, value))
    pieces = [
        piece
        for number, record in enumerate(records, 1)
        for piece in record_texts(record, f"{name}, record {number}")
    ]
    return Pieces(tuple(pieces), notices + answers_left_out(name, records))


def read_jsonl(name: str, data: bytes) -> Pieces:
    """Read the texts of each line of a JSON Lines file.

    ``data``: Its bytes. A piece for each text. Raises InputError A line is not JSON or names no
    text; the message gives the line.
    """
    text, notices = decode_upload(name, data)
    records: list[tuple[int, object]] = []
    # Not splitlines(): it would also cut at U+2028, which JSON allows inside a string.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(
                f"{name}, line {number}, column {error.colno}: not JSON ({json_fault(error)}). "
                "Every line must be one whole JSON value."
            ) from error
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{name}, line {number}: JSON beyond what can be read ({beyond_json(error)})."
            ) from error
        records.append((number, record))
    if len(records) == 1:
        ((number, record),) = records
        one = _one_answer(name, f"{name}, line {number}", [record])
        if one is not None:
            return replace(one, notices=notices + one.notices)
    pieces = [
        piece
        for number, record in records
        for piece in record_texts(record, f"{name}, line {number}")
    ]
    return Pieces(
        tuple(pieces), notices + answers_left_out(name, (record for _, record in records))
    )


def _one_answer(name: str, where: str, records: Sequence[object]) -> Pieces | None:
    """The one record of a file as an audit takes it; None where it is none with an answer."""
    try:
        found = one_answer(records)
    except InputError as error:
        raise InputError(f"{where}: {error}.") from error
    if found is None:
        return None
    several = len(found.context) > 1
    pieces = tuple(
        Piece(text, f"{where}, {found.context_key} {number}" if several else where)
        for number, text in enumerate(found.context, 1)
    )
    return Pieces(pieces, answers_taken(name, found), found.asked)


def record_texts(record: object, where: str) -> list[Piece]:
    """Find the texts of one record.

    A piece for each text, with its place; several where a field holds a list. Raises InputError It
    names no text, or not as one.
    """
    if isinstance(record, str):
        return [Piece(record, where)]
    if not isinstance(record, dict):
        raise InputError(
            f"{where}: a text or an object was expected, not {_json_kind(record)}. Use a list of "
            'texts, or of objects such as {"text": "..."}.'
        )
    for field in LIST_FIELDS:
        if isinstance(record.get(field), list):
            return [
                piece
                for number, entry in enumerate(record[field], 1)
                for piece in record_texts(entry, f"{where}, {field} {number}")
            ]
    for field in TEXT_FIELDS:
        if isinstance(record.get(field), str):
            return [Piece(record[field], where)]
    found = ", ".join(repr(str(key)) for key in list(record)[:8]) or "none"
    raise InputError(
        f"{where}: no field with the text of a context item. Name it one of "
        f"{', '.join(TEXT_FIELDS)}; found: {found}."
    )


def names_texts(record: object) -> bool:
    """Whether a record tells where the text of a context item is.

    If no record does, the file is data as a whole, as it would be when pasted.

    False only for an object without one of the known names of a text.
    """
    fields = (*TEXT_FIELDS, *LIST_FIELDS)
    return not isinstance(record, dict) or any(field in record for field in fields)


def _json_kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    return "a number" if isinstance(value, int | float) else "a list"


def _delimiter(text: str) -> str:
    # Of the sniffer's guesses only the delimiter is used: it takes an apostrophe for a quote.
    try:
        guess = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|").delimiter
    except csv.Error:
        return ","
    # Prose in the rows may hold more semicolons than commas; the heading holds no prose.
    return guess if guess in text.lstrip().partition("\n")[0] else ","


def read_csv(name: str, data: bytes) -> Pieces:
    """Read the column of a table that holds the texts.

    ``data``: Its bytes. A piece for each row; a file that has no such column is one piece, as data.
    Raises InputError It is not CSV, no column holds texts, a row does not fit the heading, or there
    is none; the message gives the line.
    """
    text, notices = decode_upload(name, data)
    delimiter = _delimiter(text)
    rows = csv_rows(io.StringIO(text, newline=""), delimiter)
    one = _one_row(name, text, delimiter)
    if one is not None:
        return replace(one, notices=notices + one.notices)
    try:
        header = [column.strip() for column in next(rows, [])]
        names = {column.lower(): at for at, column in reversed(list(enumerate(header)))}
        at = next((names[field] for field in (*TEXT_FIELDS, *LIST_FIELDS) if field in names), None)
        if at is None and is_data(text):
            inside = answers_inside(name, dict.fromkeys(header))
            return Pieces((Piece(text.strip(), name),), notices + inside)
        if at is None:
            found = ", ".join(repr(column[:40]) for column in header[:12]) or "none"
            raise InputError(
                f"{name}, line 1: no column with the text of the context items. Name one of the "
                f"columns {', '.join(TEXT_FIELDS)}; found: {found}."
            )
        pieces: list[Piece] = []
        while True:
            line = rows.line_num + 1
            row = next(rows, None)
            if row is None:
                break
            if not row:
                continue
            if len(row) <= at:
                raise InputError(
                    f"{name}, line {line}: {len(row)} column(s), but the text "
                    f"({header[at]!r}) is column {at + 1}. Quote texts that hold line ends, or "
                    "add what is missing."
                )
            if len(row) > len(header):
                raise InputError(
                    f"{name}, line {line}: {len(row)} columns, but line 1 names {len(header)}. "
                    f"Quote texts that hold the delimiter ({delimiter!r})."
                )
            pieces.extend(_cell_texts(row[at], f"{name}, line {line}", header[at]))
    except csv.Error as error:
        raise InputError(
            f"{name}, line {rows.line_num}: not CSV ({csv_fault(error)}). Quote texts that hold "
            'commas, quotes or line ends, and double the quotes inside (").'
        ) from error
    if not pieces:
        raise InputError(f"{name}: the file has a heading but no rows. Add one row an item.")
    return Pieces(tuple(pieces), notices + answers_left_out(name, [dict.fromkeys(header)]))


def _one_row(name: str, text: str, delimiter: str) -> Pieces | None:
    """The one row of a table as an audit takes it; None where it is none with an answer. Damage is
    for the reader of all rows to say."""
    try:
        rows = csv_rows(io.StringIO(text, newline=""), delimiter)
        header = [column.strip() for column in next(rows, [])]
        line = rows.line_num + 1
        filled = list(islice(filter(None, rows), 2))
    except csv.Error:
        return None
    if len(filled) != 1 or len(filled[0]) != len(header) or len(set(header)) < len(header):
        return None
    return _one_answer(name, f"{name}, line {line}", [dict(zip(header, filled[0], strict=True))])


def _cell_texts(cell: str, where: str, column: str) -> list[Piece]:
    """The texts of a cell: those of a list that is written into it, or the cell itself."""
    entries = listed(cell, f"{where}, {column}") if cell.strip().startswith("[") else None
    if not isinstance(entries, list) or not entries:
        return [Piece(cell, where)]
    if not all(isinstance(entry, str | dict) and names_texts(entry) for entry in entries):
        return [Piece(cell, where)]
    return [
        piece
        for number, entry in enumerate(entries, 1)
        for piece in record_texts(entry, f"{where}, {column} {number}")
    ]
