"""What the project knows of the files of one data set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from provenance_core.errors import InputError
from provenance_core.files.formats._fields import identifier, record_text, text
from provenance_core.files.records.entries import Entry, Record
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, Counts, FieldMapping, RejectedRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of the records of a file; the text of a refused record is its JSON."""

    rows: tuple[BatchRow, ...]
    rejected: tuple[RejectedRow, ...]
    warnings: tuple[str, ...] = ()


Reader: TypeAlias = Callable[[Path, Iterable[Entry]], Reading]
Parser: TypeAlias = Callable[[Record], Iterable[BatchRow]]


@dataclass(frozen=True, slots=True)
class DatasetFormat:
    """One data set in the form in which its owners distribute it.

    ``files`` says in words which files these are, ``label_rule`` in a sentence when a row is 1 or
    0. ``published``: rows of each class, by subset ("" is the whole file), empty where unknown.
    ``training_overlap``: why the figure is not zero-shot for the embedded models, or "".
    ``repository`` is the owners' name for it. A record fits when it has all keys of one of
    ``key_sets``, and a file when its name also has one of ``name_words``, if there are any.
    ``mapping`` and ``task``: where one record is one row, the keys of its fields, and the task of
    every row.
    """

    name: str
    title: str
    files: str
    label_rule: str
    repository: str
    key_sets: tuple[frozenset[str], ...]
    read: Reader
    published: tuple[tuple[str, Counts], ...] = ()
    training_overlap: str = ""
    name_words: tuple[str, ...] = ()
    mapping: FieldMapping | None = None
    task: str = ""

    def fits(self, keys: Set[str]) -> bool:
        """Whether a record can be one of this format.

        True where they include one of ``key_sets``.
        """
        return any(keys >= wanted for wanted in self.key_sets)

    def recognises(self, path: Path, keys: Set[str]) -> bool:
        """Whether a file is taken for this format.

        True where both name and keys fit.
        """
        return self.named_so(path) and self.fits(keys)

    def named_so(self, path: Path) -> bool:
        """Whether a file's name may be one of this format.

        True where the name has one of ``name_words`` between marks or digits, or where there are
        none.
        """
        words = "_" + re.sub(r"[^a-z0-9]+", "_", path.name.lower()) + "_"
        return not self.name_words or any(f"_{word}_" in words for word in self.name_words)


def keys(*names: str) -> frozenset[str]:
    """Make a set of keys for :attr:`DatasetFormat.key_sets`.

    The names without their order.
    """
    return frozenset(names)


def parsed(
    entries: Iterable[Entry], parse: Callable[[Record], Iterable[T]]
) -> tuple[list[T], list[RejectedRow]]:
    """Parse every record of a file, and keep what is refused beside what is read.

    The values, and the records that were refused or could not be read, each in the order of the
    file.
    """
    found: list[T] = []
    rejected: list[RejectedRow] = []
    for entry in entries:
        if isinstance(entry, RejectedRow):
            rejected.append(entry)
            continue
        try:
            found.extend(parse(entry))
        except InputError as error:
            rejected.append(RejectedRow(entry.line, str(error), record_text(entry), entry.unit))
    return found, rejected


def read_rows(entries: Iterable[Entry], parse: Parser) -> Reading:
    """Read every record of a file through a parser.

    The rows and the refused records, without warnings.
    """
    rows, rejected = parsed(entries, parse)
    return Reading(tuple(rows), tuple(rejected))


def row_by_row(parse: Parser) -> Reader:
    """Make a reader for files whose records stand for themselves.

    A reader that ignores where the file lies.
    """
    return lambda _path, entries: read_rows(entries, parse)


def mapped_parser(
    mapping: FieldMapping, label_of: Callable[[Record, str], int], task: str = ""
) -> Parser:
    """Make a parser for records that are one row each, with one text as context.

    The context is also the group where none is mapped: rows on one text are not independent.

    A parser that refuses a record without context, answer or label by :class:`InputError`.
    """

    def parse(record: Record) -> Iterator[BatchRow]:
        # "" is not there, though a table may have a column without a name.
        id, group, subset, source_model = (
            identifier(record.fields, key) if key else ""
            for key in (mapping.id, mapping.group, mapping.subset, mapping.source_model)
        )
        query = text(record, mapping.query) if mapping.query else ""
        context = text(record, mapping.context)
        yield BatchRow(
            record.line,
            query,
            (context,),
            text(record, mapping.answer),
            label=label_of(record, mapping.label),
            id=id,
            group=group or text_group(context),
            subset=subset,
            task=task,
            source_model=source_model,
        )

    return parse
