"""What is no text under the name of a text: told by its first bytes, or by NUL bytes.

Every reader of files says it in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from provenance_core.errors import InputError

BEGINNING = 8192  # bytes of a large file that tell what it is


class Kind(StrEnum):
    """Kinds of file that are told by their first bytes, each in words."""

    PDF = "a PDF"
    ZIP = "a ZIP archive (as Excel and Word files are)"
    OLD_OFFICE = "an old Office file"
    PNG = "a PNG image"
    JPEG = "a JPEG image"
    GIF = "a GIF image"
    GZIP = "a gzip archive"
    SQLITE = "an SQLite database"
    PARQUET = "a Parquet file"
    PROGRAM = "a program"


_SIGNATURES = (
    (b"%PDF-", Kind.PDF),
    (b"PK\x03\x04", Kind.ZIP),
    (b"PK\x05\x06", Kind.ZIP),  # of an archive that holds nothing
    (b"\xd0\xcf\x11\xe0", Kind.OLD_OFFICE),
    (b"\x89PNG", Kind.PNG),
    (b"\xff\xd8\xff", Kind.JPEG),
    (b"GIF87a", Kind.GIF),
    (b"GIF89a", Kind.GIF),
    (b"\x1f\x8b", Kind.GZIP),
    (b"SQLite format 3\x00", Kind.SQLITE),
    (b"PAR1", Kind.PARQUET),
    (b"\x7fELF", Kind.PROGRAM),
)
_NO_HINTS: Mapping[Kind, str] = MappingProxyType({})


def kind_of(data: bytes) -> Kind | None:
    """Tell by its first bytes what a file is that holds no text. None for a text, and for what is
    not known."""
    return next((kind for start, kind in _SIGNATURES if data.startswith(start)), None)


def refuse_known_kinds(
    name: object, data: bytes, hint: str, hints: Mapping[Kind, str] = _NO_HINTS
) -> None:
    """Refuse a file that its first bytes call something else than a text. Raises InputError where
    it is of such a kind."""
    kind = kind_of(data)
    if kind is not None:
        raise InputError(f"{name}: this is {kind}, not a text file. {hints.get(kind, hint)}")


def refuse_nul(name: object, data: bytes, hint: str) -> None:
    """Refuse bytes with a NUL among them, which no text has. Raises InputError where there is a NUL
    byte; the message has the place of the first."""
    at = data.find(b"\x00")
    if at >= 0:
        raise InputError(
            f"{name}: NUL byte at {place_of(data, at)}, so this is not a text file. {hint}"
        )


def place_of(data: bytes, offset: int) -> str:
    """Where a byte is: its line and column, from 1, of bytes."""
    line = data.count(b"\n", 0, offset) + 1
    column = offset - (data.rfind(b"\n", 0, offset) + 1) + 1
    return f"line {line}, column {column}"
