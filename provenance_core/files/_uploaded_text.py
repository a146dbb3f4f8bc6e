"""Uploaded bytes as a text, in the encoding that they say or show."""

from __future__ import annotations

import re
from dataclasses import dataclass

from provenance_core.errors import InputError
from provenance_core.files.context_answers import Asked
from provenance_core.files.not_text import Kind, place_of, refuse_known_kinds, refuse_nul
from provenance_core.types import Notice

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
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
# Text of Western Europe as Windows keeps it: letters with accents, quotes and dashes, each between
# letters of ASCII. In other alphabets letters beyond ASCII stand side by side.
# This finds what such a text does not have.
_NOT_WINDOWS = re.compile(rb"[\x80-\xff]{2}|[\x81-\x84\x86-\x90\x98-\xbf\xd7\xf7]")


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
    """Decode a file of text.

    ``data``: Its bytes. The text, and a notice where its encoding is a guess. Raises InputError It
    is no text but, for example, a picture or an archive, or no encoding fits.
    """
    refuse_known_kinds(name, data, _NOT_TEXT, _HINTS)
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
