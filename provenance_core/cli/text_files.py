"""Text of an audit from files and standard input, or a message that says what to fix."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from provenance_core.cli.output import visible
from provenance_core.errors import InputError, ProvenanceError
from provenance_core.files.encoding import decode
from provenance_core.files.not_text import refuse_known_kinds
from provenance_core.text.input_checks import MAX_CONTEXT_CHARACTERS
from provenance_core.types import ContextItem

STANDARD_INPUT = "-"
T = TypeVar("T")
# No character of UTF-8 has more bytes than four.
_MOST_BYTES = 4 * MAX_CONTEXT_CHARACTERS
_NOT_TEXT = "Give a text file, or convert the document to text first."


def read_text(name: str) -> str:
    """Read a text in the encoding that it shows; a guess is stated on standard error. Raises
    InputError where it cannot be read, is longer than any text that can be audited, or is no
    text."""
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
    text, doubt = decode(place, raw, _NOT_TEXT)
    if doubt:
        print(f"warning: {visible(doubt)}", file=sys.stderr)
    return text


def read_context(names: Sequence[str]) -> list[ContextItem]:
    """Read one context item a file, named after it. Raises InputError as :func:`read_text` does."""
    return [
        ContextItem(index, read_text(name), "" if name == STANDARD_INPUT else Path(name).name)
        for index, name in enumerate(names)
    ]


def import_exported(path: Path, keep: Callable[[str], T]) -> T:
    """Have the text of a file that ``--export`` wrote kept; errors name the file."""
    text = _exported(path)
    try:
        return keep(text)
    except ProvenanceError as error:
        raise type(error)(f"{path}: {error}") from error


def _exported(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. Check its name.") from error
    hint = "Give the exported file unchanged."
    refuse_known_kinds(path, data, hint)
    return decode(path, data, hint)[0]


def write_exported(text: str, out: Path | None) -> None:
    """Write what ``--export`` was asked for. Raises InputError where the file is there already, or
    cannot be written."""
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
