"""What the project knows of the files of one data set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from provenance_core.errors import InputError
from provenance_core.evaluation.formats._records import Entry, Record
from provenance_core.evaluation.types import Counts, BatchRow, RejectedRow


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of the records of a file."""

    rows: tuple[BatchRow, ...]
    unreadable: tuple[RejectedRow, ...]
    warnings: tuple[str, ...] = ()


Reader: TypeAlias = Callable[[Path, Iterable[Entry]], Reading]
Parser: TypeAlias = Callable[[Record], Iterable[BatchRow]]


@dataclass(frozen=True, slots=True)
class DatasetFormat:
    """One data set in the form in which its owners distribute it.

    ``files`` says in words which files these are, ``label_rule`` in a sentence when a row is 1 or
    0. ``published``: rows of each class, by subset ("" is the whole file), empty where unknown.
    ``kin``: why the figure is not zero-shot for the embedded models, or "". ``repository`` is the
    owners' name for it. A record fits when it has all keys of one of ``key_sets``, and a file when
    its name also has one of ``name_words``, if there are any.
    """

    name: str
    title: str
    files: str
    label_rule: str
    repository: str
    key_sets: tuple[frozenset[str], ...]
    read: Reader
    published: tuple[tuple[str, Counts], ...] = ()
    kin: str = ""
    name_words: tuple[str, ...] = ()

    def fits(self, keys: Set[str]) -> bool:
        """Whether a record with ``keys`` can be one of this format."""
        return any(keys >= wanted for wanted in self.key_sets)

    def recognises(self, path: Path, keys: Set[str]) -> bool:
        """Whether ``path``, which holds a record with ``keys``, is taken for this format."""
        words = "_" + re.sub(r"[^a-z0-9]+", "_", path.name.lower()) + "_"
        named = not self.name_words or any(f"_{word}_" in words for word in self.name_words)
        return named and self.fits(keys)


def keys(*names: str) -> frozenset[str]:
    """A set of keys, for :attr:`DatasetFormat.key_sets`."""
    return frozenset(names)


def read_rows(entries: Iterable[Entry], parse: Parser) -> Reading:
    """Every record through ``parse``, which raises :class:`InputError` for one it refuses."""
    rows: list[BatchRow] = []
    unreadable: list[RejectedRow] = []
    for entry in entries:
        if isinstance(entry, RejectedRow):
            unreadable.append(entry)
            continue
        try:
            rows.extend(parse(entry))
        except InputError as error:
            unreadable.append(RejectedRow(entry.line, str(error)))
    return Reading(tuple(rows), tuple(unreadable))


def row_by_row(parse: Parser) -> Reader:
    """A reader for files whose records stand for themselves."""
    return lambda _path, entries: read_rows(entries, parse)
