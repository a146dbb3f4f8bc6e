"""Uploaded bytes as a text, in the encoding that they say or show."""

from __future__ import annotations

from dataclasses import dataclass

from provenance_core.files.context_answers import Asked
from provenance_core.files.encoding import decode
from provenance_core.files.not_text import Kind, refuse_known_kinds
from provenance_core.types import Notice

_NOT_TEXT = "Save the document as plain text (UTF-8) and upload that."
_SHOWN = "Upload the text that it shows."
_HINTS = {
    Kind.PDF: "Rename it to end in .pdf and upload it again.",
    Kind.ZIP: "If it is a Word document, rename it to .docx.",
    Kind.OLD_OFFICE: "Save it as .docx and upload it again.",
    Kind.PNG: _SHOWN,
    Kind.JPEG: _SHOWN,
    Kind.GIF: _SHOWN,
    Kind.GZIP: "Unpack it and upload what it holds.",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A text of a file, and what its context item is called."""

    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """What a reader found in a file. ``asked``: the query and the answer of its one record."""

    pieces: tuple[Piece, ...]
    notices: tuple[Notice, ...] = ()
    asked: Asked | None = None


def decode_upload(name: str, data: bytes) -> tuple[str, tuple[Notice, ...]]:
    """Decode a file of text; a notice says where its encoding is a guess. Raises InputError where
    it is no text but, for example, a picture or an archive, or no encoding fits."""
    refuse_known_kinds(name, data, _NOT_TEXT, _HINTS)
    text, doubt = decode(name, data, _NOT_TEXT)
    return text, (Notice("guessed_encoding", doubt),) if doubt else ()
