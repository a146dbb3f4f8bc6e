"""The records of a file, and what cannot be read in their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from provenance_core.files.types import RejectedRow, Unit

_RECORDS_TO_RECOGNISE = 20


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file. ``line`` counts from 1, in ``unit``."""

    line: int
    fields: dict[str, object]
    unit: Unit = Unit.LINE


Entry: TypeAlias = Record | RejectedRow
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Note:
    """What a person must know of how a file as a whole was read, as a sentence."""

    text: str


class Entries(Iterator[Entry]):
    """The records of a file one by one. ``notes``: the sentences met up to here."""

    def __init__(self, found: Iterator[Entry | Note]) -> None:
        self._found = found
        self.notes: list[str] = []

    def __next__(self) -> Entry:
        for each in self._found:
            if not isinstance(each, Note):
                return each
            self.notes.append(each.text)
        raise StopIteration


def undecoded(text: str) -> bool:
    """Whether bytes in a text did not fit the encoding that a person named."""
    return not text.isascii() and any("\udc80" <= letter <= "\udcff" for letter in text)


def shown(text: str) -> str:
    """A text as it was in the file, with U+FFFD for bytes that did not fit its encoding."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def head(entries: Iterator[E]) -> tuple[list[E], list[Record]]:
    """Take the first entries of a file, enough to recognise it by, even behind a few damaged ones.
    The entries taken, and the records among them."""
    first: list[E] = []
    records: list[Record] = []
    for entry in entries:
        first.append(entry)
        if isinstance(entry, Record):
            records.append(entry)
        if len(records) == _RECORDS_TO_RECOGNISE:
            break
    return first, records


def unit_of(first: Sequence[Entry]) -> Unit:
    """What the places of a file count. Lines where there is no entry."""
    return first[0].unit if first else Unit.LINE


def unread(first: Sequence[Entry]) -> str:
    """Where and why the first damaged entry cannot be read. Place and reason, for a message."""
    return next(f"{each.place}: {each.reason}" for each in first if isinstance(each, RejectedRow))


def beside(path: Path, name: str) -> Path | None:
    """Find a file in the folder of another. The file or its gzipped form, None if neither is
    there."""
    for candidate in (path.with_name(name), path.with_name(f"{name}.gz")):
        if candidate.is_file():
            return candidate
    return None
