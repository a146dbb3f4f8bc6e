"""Text of an audit from files and standard input, or a message that says what to fix."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.not_text import decoded, refuse_known_kinds
from provenance_core.text.input_checks import MAX_CONTEXT_CHARACTERS
from provenance_core.types import ContextItem

STANDARD_INPUT = "-"
# No character of UTF-8 has more bytes than four.
_MOST_BYTES = 4 * MAX_CONTEXT_CHARACTERS
_NOT_TEXT = "Give a text file, or convert the document to text first."


def read_text(name: str) -> str:
    """Read a text in UTF-8; a byte-order mark is dropped.

    The text. Raises InputError It cannot be read, is longer than any text that can be audited, is
    no text or not UTF-8.
    """
    place = "standard input" if name == STANDARD_INPUT else name
    try:
        if name == STANDARD_INPUT:
            raw = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                raw = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError(
            f"{place}: cannot be read ({reason}); give the path of a text file"
        ) from error
    refuse_known_kinds(place, raw, _NOT_TEXT)
    if len(raw) > _MOST_BYTES:
        raise InputError(
            f"{place}: more than {_MOST_BYTES:,} bytes, which is more than can be audited at once; "
            "give a part of it"
        )
    return decoded(place, raw, _NOT_TEXT)


def read_context(names: Sequence[str]) -> list[ContextItem]:
    """Read one context item a file.

    The items, in order, named after their files. Raises InputError As for :func:`read_text`.
    """
    return [
        ContextItem(index, read_text(name), "" if name == STANDARD_INPUT else Path(name).name)
        for index, name in enumerate(names)
    ]


def read_exported(path: Path) -> str:
    """Read a file that ``--export`` wrote.

    Its text. Raises InputError It cannot be read, is no text or not UTF-8.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. Check its name.") from error
    return decoded(path, data, "Give the file as --export wrote it.")


def write_exported(text: str, out: Path | None) -> None:
    """Write what ``--export`` was asked for.

    Raises InputError The file is there already, or cannot be written.
    """
    if out is None:
        sys.stdout.write(text)
        return
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{out} is there already; name a new file with --out") from None
    except OSError as error:
        raise InputError(
            f"{out} cannot be written: {error.strerror}. Name another file with --out."
        ) from error
