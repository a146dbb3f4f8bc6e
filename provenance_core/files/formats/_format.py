"""What a format of files is: by which keys it is known, and a table from its keys to our fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeAlias

from provenance_core.files.records.entries import Entry, Note
from provenance_core.files.types import BatchOptions, Counts, FieldMapping

Value: TypeAlias = Callable[[object], object]
# Makes the records that are rows of the records of a file: the rare case that no path tells.
Step: TypeAlias = Callable[[Path, Iterable[Entry], BatchOptions], Iterator[Entry | Note]]


def unchanged(value: object) -> object:
    """The value itself."""
    return value


@dataclass(frozen=True, slots=True)
class Column:
    """Where a field of a row is: the first of these paths that the records of a file have.
    ``value``: what becomes of what stands there. InputError in it refuses the row; for a label, the
    label alone. ``joined``: the texts of all paths are the field, with a space between."""

    field: str
    paths: tuple[str, ...]
    value: Value = unchanged
    joined: bool = False


def column(field: str, *paths: str, value: Value = unchanged, joined: bool = False) -> Column:
    """A line of a format's table: our field, where it is, and what becomes of it."""
    return Column(field, paths, value, joined)


def keys(*names: str) -> frozenset[str]:
    """A set of keys by which a record is known."""
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    ``name``: on the command line. ``title``, ``files``: in words, which files these are. ``keys``:
    a record is known by all keys of one of these sets. ``columns``: the table. ``inside``: keys of
    a whole document under which its records stand. ``step``: makes the records of which each is a
    row; their fields are the columns. ``optional``: keys that may be missing. ``known``:
    knows the keys where no names can. ``task``: of every
    row. ``spans``: where the hallucinated spans of the answer are. ``parted``: what stands between
    context items that the tool wrote as one text. ``versions``: that wrote a fixture of the tests,
    or that its shape is from the documentation. ``source``: where the keys come from. ``returns``:
    what comes back from the tool, or goes to it.

    Of labelled data sets too: ``label_rule``, when a row is 1 or 0; ``repository``, the owners'
    name for it; ``published``, rows of each class by subset ("" is the whole file);
    ``training_overlap``, why the figure is not zero-shot for the embedded models; ``name_words``,
    of which a file's name has one; ``caution``, a sentence where it is evaluated."""

    name: str
    title: str
    files: str
    keys: tuple[frozenset[str], ...]
    columns: tuple[Column, ...] = ()
    inside: tuple[str, ...] = ()
    step: Step | None = None
    optional: frozenset[str] = frozenset()
    known: Callable[[Set[str]], bool] | None = None
    task: str = ""
    spans: str = ""
    parted: str = ""
    versions: str = ""
    source: str = ""
    returns: str = ""
    label_rule: str = ""
    repository: str = ""
    published: tuple[tuple[str, Counts], ...] = ()
    training_overlap: str = ""
    name_words: tuple[str, ...] = ()
    caution: str = ""

    @property
    def fixed(self) -> bool:
        """Whether the format itself says how its rows are made, so that no key can be chosen."""
        return self.step is not None

    def fits(self, held: Set[str], *, lacking: bool = False) -> bool:
        """Whether a record with these keys can be one of this format; ``lacking``: even without its
        optional keys."""
        if self.known is not None:
            return self.known(held)
        spared = self.optional if lacking else frozenset()
        return any(held >= wanted - spared for wanted in self.keys)

    def named_so(self, path: Path) -> bool:
        """Whether a file's name may be one of this format: it has one of ``name_words`` between
        marks or digits, or there are none."""
        words = "_" + re.sub(r"[^a-z0-9]+", "_", path.name.lower()) + "_"
        return not self.name_words or any(f"_{word}_" in words for word in self.name_words)

    def mapping(self, there: Sequence[str]) -> FieldMapping:
        """The keys of a file that hold the fields; "" where it has none of a field's paths."""
        known = {field.name for field in fields(FieldMapping)}
        held = set(there)
        return FieldMapping(
            **{
                each.field: next((path for path in each.paths if path in held), "")
                for each in self.columns
                if each.field in known
            }
        )

    def used(self, mapping: FieldMapping) -> Mapping[str, Column]:
        """The line of the table of each field that is taken from where the table says."""
        return {
            each.field: each
            for each in self.columns
            if getattr(mapping, each.field, "") in each.paths
        }
