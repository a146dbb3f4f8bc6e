"""Uploaded files into context items, by maintained readers.

One context item a text or Word file (or one a paragraph, on request), a page of a PDF, a
record of a JSON, JSONL or CSV file; a JSON or CSV file that names no texts is data, one item as a
whole. The query and the answer of a file of one record are given beside its items; a notice says
where a file has several. A file that cannot be read raises
:class:`provenance_core.InputError`, which names the file, the place in it and the cure.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

from provenance_core.errors import InputError
from provenance_core.files.apart import read_apart
from provenance_core.files.context_answers import (
    Asked,
    answers_inside,
    answers_left_out,
    answers_taken,
    one_answer,
)
from provenance_core.files.csv_rows import csv_fault, csv_rows
from provenance_core.files.formats._context_texts import listed
from provenance_core.files.json_faults import beyond_json, fault_position, json_fault
from provenance_core.files.limits import check_unpacked, file_limits
from provenance_core.files.not_text import Kind, place_of, refuse_known_kinds, refuse_nul
from provenance_core.text.input_checks import clean_text
from provenance_core.text.structured_context import is_data
from provenance_core.types import ContextItem, Notice

if TYPE_CHECKING:
    import pypdf
    from docx.document import Document

FILE_TYPES = ("txt", "md", "pdf", "docx", "json", "jsonl", "csv")
TEXT_FIELDS = ("text", "content", "page_content", "document", "passage", "chunk", "context")
LIST_FIELDS = (
    "context",
    "contexts",
    "retrieved_contexts",
    "retrieval_context",
    "documents",
    "chunks",
)
# Readers of kinds that can explode: always by a process of their own.
_APART = ("pdf", "docx")

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_NOT_TEXT = "Save the document as plain text (UTF-8) and upload that."
_SHOWN = "Upload the text that it shows."
_CURES = {
    Kind.PDF: "Rename it to end in .pdf and upload it again.",
    Kind.ZIP: "If it is a Word document, rename it to .docx.",
    Kind.OLD_OFFICE: "Save it as .docx and upload it again.",
    Kind.PNG: _SHOWN,
    Kind.JPEG: _SHOWN,
    Kind.GIF: _SHOWN,
    Kind.GZIP: "Unpack it and upload what it holds.",
}
# Text of Western Europe as Windows keeps it: letters with accents, quotes and dashes, each between
# letters of ASCII. In other alphabets letters beyond ASCII stand side by side.
# This finds what such a text does not have.
_NOT_WINDOWS = re.compile(rb"[\x80-\xff]{2}|[\x81-\x84\x86-\x90\x98-\xbf\xd7\xf7]")
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The context items of one file, in its order, and what the reader must know of them.

    ``asked``: the query and the answer of the one record that it holds; None of any other file.
    """

    name: str
    items: tuple[ContextItem, ...]
    notices: tuple[Notice, ...] = ()
    asked: Asked | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class _Pieces:
    pieces: tuple[_Piece, ...]
    notices: tuple[Notice, ...] = ()
    asked: Asked | None = None


def split_paragraphs(text: str) -> list[str]:
    """Split a text at blank lines; empty parts are dropped, the rest keep their words.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list[str]
        The paragraphs, without white space around them.

    Examples
    --------
    >>> split_paragraphs("one\\n\\n \\ntwo\\nlines")
    ['one', 'two\\nlines']
    """
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return [part.strip() for part in _BLANK_LINES.split(unified) if part.strip()]


def pasted_texts(text: str) -> list[str]:
    """Read the context items of a text that was pasted.

    Parameters
    ----------
    text : str
        Texts between blank lines, or a JSON list of texts or of objects that hold one.

    Returns
    -------
    list[str]
        A text for each entry of such a list, else each paragraph.

    Examples
    --------
    >>> pasted_texts('["One.", {"text": "Two."}]')
    ['One.', 'Two.']
    >>> pasted_texts("One.\\n\\nTwo.")
    ['One.', 'Two.']
    """
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] == "[]":
        try:
            records = json.loads(stripped)
            if records and all(isinstance(r, str) or _names_texts(r) for r in records):
                pieces = [piece for record in records for piece in _record_texts(record, "")]
                return [piece.text.strip() for piece in pieces if piece.text.strip()]
        except (ValueError, RecursionError):  # InputError is one: then it is text like any other
            pass
    return split_paragraphs(text)


def read_context_file(name: str, data: bytes, *, split_at_blank_lines: bool = False) -> ReadFile:
    """Read the context items of a file.

    A PDF, a Word document and any large file are read by a process of their own.

    Parameters
    ----------
    name : str
        The name of the file, whose ending tells its kind.
    data : bytes
        Its bytes.
    split_at_blank_lines : bool, default False
        Whether each paragraph of a .txt, .md or .docx file is an item of its own.

    Returns
    -------
    ReadFile
        The items, numbered from 0 and named after the file and their place in it.

    Raises
    ------
    InputError
        Nothing can be read, or a limit of :mod:`provenance_core.files.limits` is reached.
    """
    kind = _kind(name)
    if kind not in _APART and len(data) <= file_limits().small:
        return _read_here(name, data, split_at_blank_lines)
    (read,) = read_apart(name, _read_one, name, data, split_at_blank_lines, limits=None)
    return read


def _kind(name: str) -> str:
    return PurePath(name).suffix.lower().removeprefix(".")


def _read_one(name: str, data: bytes, split_at_blank_lines: bool) -> Iterator[ReadFile]:
    yield _read_here(name, data, split_at_blank_lines)


def _read_here(name: str, data: bytes, split_at_blank_lines: bool) -> ReadFile:
    if not data:
        raise InputError(f"{name}: the file is empty (0 bytes). Choose a file with text.")
    kind = _kind(name)
    reader = _READERS.get(kind)
    if reader is None:
        raise InputError(
            f"{name}: files of type {'.' + kind if kind else '(none)'} cannot be read. "
            f"Use one of {', '.join('.' + t for t in FILE_TYPES)}."
        )
    read = reader(name, data)
    pieces = list(read.pieces)
    if split_at_blank_lines and kind in ("txt", "md", "docx"):
        pieces = [
            _Piece(part, f"{piece.name}, paragraph {number}")
            for piece in pieces
            for number, part in enumerate(split_paragraphs(piece.text), 1)
        ]
    notices = list(read.notices)
    items: list[ContextItem] = []
    for piece in pieces:
        if not piece.text.strip():
            continue
        text, repaired = clean_text(piece.text, piece.name)
        notices.extend(repaired)
        items.append(ContextItem(len(items), text, piece.name))
    if not items and read.asked is None:
        raise InputError(f"{name}: the file holds no text, only blanks. Choose a file with text.")
    return ReadFile(name, tuple(items), tuple(notices), read.asked)


def _decode(name: str, data: bytes) -> tuple[str, tuple[Notice, ...]]:
    refuse_known_kinds(name, data, _NOT_TEXT, _CURES)
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), ()
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{name}: the file says that it is {encoding.upper()}, but "
                    f"{place_of(data, error.start)} is not. Save it again as UTF-8."
                ) from error
    refuse_nul(name, data, _NOT_TEXT)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        where = f"byte 0x{data[error.start]:02X} at {place_of(data, error.start)} is not UTF-8"
    windows = _NOT_WINDOWS.search(data) is None
    encoding = "cp1252" if windows else _guessed_encoding(name, data, where)
    return data.decode(encoding), (
        Notice(
            "guessed_encoding",
            f"{name}: {where}; it was read as {encoding}, which is a guess. If letters look "
            "wrong, save the file as UTF-8.",
        ),
    )


def _guessed_encoding(name: str, data: bytes, where: str) -> str:
    # The readers of PDF, Word and other encodings are extras that the library goes without.
    import charset_normalizer

    best = charset_normalizer.from_bytes(data).best()
    if best is None:
        raise InputError(
            f"{name}: {where}, and no other encoding fits. Save the file as UTF-8 and upload it "
            "again."
        )
    return best.encoding


def _read_text(name: str, data: bytes) -> _Pieces:
    text, notices = _decode(name, data)
    return _Pieces((_Piece(text, name),), notices)


def _read_pdf(name: str, data: bytes) -> _Pieces:
    import pypdf
    import pypdf.errors

    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not _opens_without_password(reader):
            raise InputError(
                f"{name}: the PDF is encrypted. Save a copy without a password and upload that."
            )
        texts = [page.extract_text() for page in reader.pages]
    except (InputError, MemoryError):
        raise
    except pypdf.errors.DependencyError as error:
        raise InputError(
            f"{name}: reading this PDF needs a library that is not installed ({_reason(error)}). "
            "Install all of requirements.txt, or upload a copy saved without encryption."
        ) from error
    # pypdf leaks many kinds of error from damaged files (KeyError, TypeError, struct.error).
    except Exception as error:
        raise InputError(
            f"{name}: this is not a PDF that can be read ({_reason(error)}). Open it in a PDF "
            "viewer, print it to a new PDF and upload that."
        ) from error
    pages = [_Piece(text, f"{name}, page {n}") for n, text in enumerate(texts, 1) if text.strip()]
    if not pages:
        raise InputError(
            f"{name}: none of its {len(texts)} page(s) holds text; they may be scanned images. "
            "Run text recognition (OCR) on it first."
        )
    blank = [str(n) for n, text in enumerate(texts, 1) if not text.strip()]
    notices = (
        (Notice("pages_without_text", f"{name}: no text on page(s) {', '.join(blank)}."),)
        if blank
        else ()
    )
    return _Pieces(tuple(pages), notices)


def _opens_without_password(reader: pypdf.PdfReader) -> bool:
    from pypdf.errors import PyPdfError

    # Files that only forbid printing or copying open with the empty user password.
    try:
        return bool(reader.decrypt(""))
    except (PyPdfError, NotImplementedError):
        return False


def _read_docx(name: str, data: bytes) -> _Pieces:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(
            f"{name}: the file is encrypted, or an old .doc. Save it as .docx without a password "
            "and upload that."
        )
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        check_unpacked(name, unpacked, file_limits())
        text = "\n\n".join(_docx_blocks(docx.Document(io.BytesIO(data))))
    except (InputError, MemoryError):
        raise
    # A damaged package shows itself as BadZipFile, KeyError, or an XML error of lxml.
    except Exception as error:
        raise InputError(
            f"{name}: this is not a Word document that can be read ({_reason(error)}). Open it in "
            "a word processor, save it as .docx and upload that."
        ) from error
    return _Pieces((_Piece(text, name),))


def _docx_blocks(document: Document) -> Iterator[str]:
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            yield "\n".join(" | ".join(cell.text for cell in row.cells) for row in block.rows)
        elif block.text.strip():
            yield block.text


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:120] or type(error).__name__


def _read_json(name: str, data: bytes) -> _Pieces:
    text, notices = _decode(name, data)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        line, column = fault_position(error)
        raise InputError(
            f"{name}, line {line}, column {column}: not JSON ({json_fault(error)}). "
            "Mend that place; one JSON value a line needs the ending .jsonl."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}: JSON beyond what can be read ({beyond_json(error)}). Use a list of texts."
        ) from error
    records = value if isinstance(value, list) else [value]
    one = _one_answer(name, f"{name}, record 1", records)
    if one is not None:
        return replace(one, notices=notices + one.notices)
    if not any(_names_texts(record) for record in records) and is_data(text):
        return _Pieces((_Piece(text.strip(), name),), notices + answers_inside(name, value))
    pieces = [
        piece
        for number, record in enumerate(records, 1)
        for piece in _record_texts(record, f"{name}, record {number}")
    ]
    return _Pieces(tuple(pieces), notices + answers_left_out(name, records))


def _read_jsonl(name: str, data: bytes) -> _Pieces:
    text, notices = _decode(name, data)
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
        for piece in _record_texts(record, f"{name}, line {number}")
    ]
    return _Pieces(
        tuple(pieces), notices + answers_left_out(name, (record for _, record in records))
    )


def _one_answer(name: str, where: str, records: Sequence[object]) -> _Pieces | None:
    """The one record of a file as an audit takes it; None where it is none with an answer."""
    try:
        found = one_answer(records)
    except InputError as error:
        raise InputError(f"{where}: {error}.") from error
    if found is None:
        return None
    several = len(found.context) > 1
    pieces = tuple(
        _Piece(text, f"{where}, {found.context_key} {number}" if several else where)
        for number, text in enumerate(found.context, 1)
    )
    return _Pieces(pieces, answers_taken(name, found), found.asked)


def _record_texts(record: object, where: str) -> list[_Piece]:
    if isinstance(record, str):
        return [_Piece(record, where)]
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
                for piece in _record_texts(entry, f"{where}, {field} {number}")
            ]
    for field in TEXT_FIELDS:
        if isinstance(record.get(field), str):
            return [_Piece(record[field], where)]
    found = ", ".join(repr(str(key)) for key in list(record)[:8]) or "none"
    raise InputError(
        f"{where}: no field with the text of a context item. Name it one of "
        f"{', '.join(TEXT_FIELDS)}; found: {found}."
    )


def _names_texts(record: object) -> bool:
    """Whether a record says where the text of a context item is; if none does, the file is data
    as a whole, as it would be when pasted."""
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


def _read_csv(name: str, data: bytes) -> _Pieces:
    text, notices = _decode(name, data)
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
            return _Pieces((_Piece(text.strip(), name),), notices + inside)
        if at is None:
            found = ", ".join(repr(column[:40]) for column in header[:12]) or "none"
            raise InputError(
                f"{name}, line 1: no column with the text of the context items. Name one of the "
                f"columns {', '.join(TEXT_FIELDS)}; found: {found}."
            )
        pieces: list[_Piece] = []
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
    return _Pieces(tuple(pieces), notices + answers_left_out(name, [dict.fromkeys(header)]))


def _one_row(name: str, text: str, delimiter: str) -> _Pieces | None:
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


def _cell_texts(cell: str, where: str, column: str) -> list[_Piece]:
    """The texts of a cell: those of a list that is written into it, or the cell itself."""
    entries = listed(cell, f"{where}, {column}") if cell.strip().startswith("[") else None
    if not isinstance(entries, list) or not entries:
        return [_Piece(cell, where)]
    if not all(isinstance(entry, str | dict) and _names_texts(entry) for entry in entries):
        return [_Piece(cell, where)]
    return [
        piece
        for number, entry in enumerate(entries, 1)
        for piece in _record_texts(entry, f"{where}, {column} {number}")
    ]


_READERS: dict[str, Callable[[str, bytes], _Pieces]] = {
    "txt": _read_text,
    "md": _read_text,
    "pdf": _read_pdf,
    "docx": _read_docx,
    "json": _read_json,
    "jsonl": _read_jsonl,
    "csv": _read_csv,
}
