"""Uploaded files into context items, by maintained readers.

One context item a text or Word file (or one a paragraph, on request), a page of a PDF, a
record of a JSON, JSONL or CSV file; a JSON or CSV file that names no texts is data, one item as a
whole. Of a file that the Batch page reads, the first answer is given with its query and its
context; a notice says where there are more. A file that cannot be read raises
:class:`provenance_core.InputError`, which names the file, the place in it and how to fix it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from provenance_core.errors import InputError
from provenance_core.files._uploaded_documents import read_docx, read_pdf
from provenance_core.files._uploaded_records import (
    named_pieces,
    names_texts,
    read_csv,
    read_json,
    read_jsonl,
    record_texts,
)
from provenance_core.files._uploaded_text import Piece, Pieces, decode_upload
from provenance_core.files.apart import read_apart
from provenance_core.files.context_answers import Asked, first_answer
from provenance_core.files.limits import file_limits
from provenance_core.text.input_checks import clean_text
from provenance_core.types import ContextItem, Notice

FILE_TYPES = ("txt", "md", "pdf", "docx", "json", "jsonl", "csv")
# Readers of kinds that can explode: always by a process of their own.
_APART = ("pdf", "docx")
_RECORDS = ("json", "jsonl", "csv")

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The context items of one file, in its order, and what the reader must know of them.
    ``asked``: the query and the first answer that it holds; None where it has none."""

    name: str
    items: tuple[ContextItem, ...]
    notices: tuple[Notice, ...] = ()
    asked: Asked | None = None


def split_paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, which stand between blank lines, without white space around
    them."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return [part.strip() for part in _BLANK_LINES.split(unified) if part.strip()]


def pasted_texts(text: str) -> list[str]:
    """Read the texts of :func:`pasted_items`."""
    return [item.text for item in pasted_items(text)]


def pasted_items(text: str) -> list[ContextItem]:
    """Read the context items of a text that was pasted: each entry of a JSON list, with its title
    as its name, else each paragraph."""
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] == "[]":
        try:
            records = json.loads(stripped)
            if records and all(isinstance(r, str) or names_texts(r) for r in records):
                pieces = [p for record in records for p in record_texts(record, "")]
                told = [p for p in pieces if p.text.strip()]
                return [ContextItem(i, p.text.strip(), p.name) for i, p in enumerate(told)]
        except (ValueError, RecursionError):  # InputError is one: then it is text like any other
            pass
    return [ContextItem(i, part) for i, part in enumerate(split_paragraphs(text))]


def read_context_file(name: str, data: bytes, *, split_at_blank_lines: bool = False) -> ReadFile:
    """Read the context items of a file. A PDF, a Word document and any large file are read by a
    process of their own. ``data``: Its bytes. The items, numbered from 0 and named after the file
    and their place in it. Raises InputError where nothing can be read, or a limit of
    :mod:`provenance_core.files.limits` is reached."""
    kind = _kind(name)
    if kind in _RECORDS and (found := first_answer(name, data)) is not None:
        pieces = named_pieces(found.context, f"{name}, {found.place}", "context")
        items = tuple(ContextItem(i, each.text, each.name) for i, each in enumerate(pieces))
        return ReadFile(name, items, found.notices, found.asked)
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
            Piece(part, f"{piece.name}, paragraph {number}")
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


def _read_text(name: str, data: bytes) -> Pieces:
    text, notices = decode_upload(name, data)
    return Pieces((Piece(text, name),), notices)


_READERS: dict[str, Callable[[str, bytes], Pieces]] = {
    "txt": _read_text,
    "md": _read_text,
    "pdf": read_pdf,
    "docx": read_docx,
    "json": read_json,
    "jsonl": read_jsonl,
    "csv": read_csv,
}
